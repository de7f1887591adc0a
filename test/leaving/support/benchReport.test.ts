import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSameMachine, replaceRows, type BenchReport } from '../../bench/report/benchReport.ts';
import { markdown } from '../../bench/report/markdown.ts';
import type { RowResult } from '../../bench/report/rowResult.ts';
import { UserError } from '../../support/editor/userError.ts';

const machine = { processor: 'A', cores: 2, memoryGb: 24, system: 'Linux 6', node: 'v24.0.0' };

test('rows that are measured later replace theirs, in their places, and are named', () => {
  const recorded = report('2026-11-20T10:00:00Z', [outcome('list', 1.2), outcome('memory', 1.7), outcome('board', 1)]);
  const later = replaceRows(recorded, report('2026-11-21T10:00:00Z', [outcome('memory', 1.4)]));
  assert.deepEqual(
    later.rows.map(({ row, outcomes }) => [row, outcomes[0]?.value]),
    [
      ['list', 1.2],
      ['memory', 1.4],
      ['board', 1],
    ],
  );
  assert.equal(later.date, '2026-11-21T10:00:00Z');
  assert.equal(later.seconds, 120);
  const again = replaceRows(later, report('2026-11-22T10:00:00Z', [outcome('list', 1.1), outcome('memory', 1.6)]));
  assert.deepEqual(again.anew, ['memory', 'list']);
  assert.match(markdown(again), /Run again after the others: memory, list\./);
});

test('the numbers of two machines never stand in one table', () => {
  const recorded = report('2026-11-20T10:00:00Z', [outcome('list', 1.2)]);
  assert.doesNotThrow(() => assertSameMachine(recorded, { ...machine }));
  for (const other of [
    { ...machine, cores: 4 },
    { ...machine, node: 'v24.0.1' },
  ]) {
    assert.throws(() => assertSameMachine(recorded, other), UserError);
  }
});

test('a missed row and one that did not run are told as such', () => {
  const text = markdown(
    report('2026-11-20T10:00:00Z', [
      outcome('list', 2.5),
      outcome('board', 2),
      { row: 'memory', seconds: 1, outcomes: [], failure: 'killed | by\nthe system' },
    ]),
  );
  assert.match(text, /^\| list \| 2\.50 × \| ≤ 2 × \| \*\*no\*\* \|/m);
  assert.match(text, /^\| board \| 2 × \| ≤ 2 × \| yes \|/m);
  assert.match(text, /^\| memory \| \*\*failed\*\* \| \| no \| killed \\\| by the system \|$/m);
  assert.match(text, /\*\*list\.\*\* Why list costs this\./);
  assert.doesNotMatch(text, /Why board costs this/);
});

function report(date: string, rows: readonly RowResult[]): BenchReport {
  return { date, machine, quick: false, seconds: 60, rows };
}

function outcome(row: string, value: number): RowResult {
  const only = { title: row, measured: 'a ratio', value, unit: '×', atMost: 2, facts: [] } as const;
  return { row, seconds: 60, outcomes: [{ ...only, limit: `Why ${row} costs this.` }] };
}
