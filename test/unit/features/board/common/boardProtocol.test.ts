import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { boardToHost } from '../../../../../src/features/board/common/boardProtocol.ts';
import {
  decodeLayout,
  decodeScope,
  encodeLayout,
  encodeScope,
  usualLayout,
  type BoardScope,
} from '../../../../../src/features/board/common/boardStorage.ts';
import { isSameScope, startBoard } from '../../../../../src/features/board/common/boardStart.ts';
import { attempt, Undecodable } from '../../../../../src/base/decode/decoder.ts';
import { noFilter } from '../../../../../src/jobs/common/jobFilter.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const scope: BoardScope = {
  connection: 'Remote',
  filter: { ...noFilter, time: { type: 'last', hours: 24 } },
  conditions: [{ key: 'status', value: 'error', isExcluded: false }],
  range: { fromMs: 1, toMs: 2 },
};

describe('Messages and state of boards', () => {
  it('reject everything that is not a message', () => {
    fc.assert(
      fc.property(fc.anything(), (message) => {
        const read = attempt(boardToHost, message);
        assert.ok(read instanceof Undecodable || typeof read.type === 'string');
      }),
      { numRuns: propertyRuns },
    );
    for (const hostile of [
      { type: 'slice', revision: -1, from: 0, to: 5 },
      { type: 'slice', revision: 1, from: 0.5, to: 5 },
      { type: 'act', what: 'delete', revision: 1, selected: [] },
      { type: 'window', hours: 1e9 },
      { type: 'narrow', conditions: [{ key: 1 }], from: 0, to: 1 },
    ]) {
      assert.ok(attempt(boardToHost, hostile) instanceof Undecodable, JSON.stringify(hostile));
    }
  });

  it('keep scope and layout over a reload, and replace damaged ones', () => {
    assert.deepEqual(decodeScope(JSON.parse(JSON.stringify(encodeScope(scope)))), { ...scope, version: 1 });
    for (const damaged of [
      undefined,
      1,
      {},
      { ...encodeScope(scope), version: 2 },
      { ...encodeScope(scope), filter: 5 },
    ]) {
      assert.ok(decodeScope(damaged) instanceof Undecodable);
    }
    assert.deepEqual(decodeLayout(encodeLayout(usualLayout)), usualLayout);
    assert.deepEqual(decodeLayout({ version: 1, columns: [], order: usualLayout.order }), usualLayout);
    assert.throws(() => decodeLayout('nonsense'), Undecodable);
  });
});

describe('A board that is opened from a row', () => {
  const views = [{ name: 'Broken', filter: { ...noFilter, statuses: ['error' as const] }, isBadge: false }];
  const facts = { connection: 'Remote', filter: noFilter, views, attention: undefined };
  const start = (row: unknown): BoardScope => startBoard(row, facts);
  const shown = (row: unknown): string =>
    start(row)
      .conditions.map(({ key, value }) => `${key}=${String(value)}`)
      .join(' ');

  it('shows the jobs of the row, in the last seven days if the filter has no time', () => {
    assert.deepEqual(start(undefined).filter.time, { type: 'last', hours: 168 });
    assert.equal(shown({ type: 'kind', kind: 'live' }), 'kind=live');
    assert.equal(shown({ type: 'group', key: { kind: 'live', status: 'done' } }), 'kind=live status=done');
    assert.equal(
      shown({ type: 'failureGroup', group: '[503,"customer","acme"]' }),
      'status=error error_code=503 custom_metadata.customer=acme',
    );
    assert.deepEqual(start({ type: 'view', view: 'Broken' }).filter.statuses, ['error']);
  });

  it('shows failures since the time when they count as new, or since the first one of the group was created', () => {
    const sinceMs = Date.UTC(2026, 10, 24, 9, 30, 41);
    const groups = [
      { id: '[422,null,null]', jobs: [{ createdAtMs: sinceMs + 5 }, { createdAtMs: undefined }] },
      { id: '[503,null,null]', jobs: [{ createdAtMs: sinceMs - 7_200_000 }] },
      { id: '[504,null,null]', jobs: [{ createdAtMs: Date.UTC(2026, 10, 24, 8) }] },
    ].map(({ id, jobs }) => ({
      id,
      jobs: jobs.map((job) => ({ ...job, completedAtMs: undefined })),
      without: [],
      rise: undefined,
    }));
    const filter = { statuses: ['done' as const], metadata: { team: 'a' }, time: { type: 'last' as const, hours: 1 } };
    const filterOf = (row: unknown, attention?: Parameters<typeof startBoard>[1]['attention']) =>
      startBoard(row, { ...facts, filter, attention }).filter;
    const since = (iso: string) => ({ ...noFilter, time: { type: 'range', after: iso, before: undefined } });
    const ofGroup = (code: number) => ({ type: 'failureGroup', group: `[${code},null,null]` });
    const attention = { groups, sinceMs, atMs: sinceMs + 60_000 };
    assert.deepEqual(filterOf(ofGroup(422), attention), since('2026-11-24T09:30:00.000Z'));
    assert.deepEqual(filterOf(ofGroup(503), attention), since('2026-11-24T07:30:00.000Z'));
    // The service may exclude what was created at this very time.
    assert.deepEqual(filterOf(ofGroup(504), attention), since('2026-11-24T07:59:00.000Z'));
    assert.deepEqual(filterOf({ type: 'failures' }, attention), since('2026-11-24T07:30:00.000Z'));
    assert.deepEqual(filterOf(ofGroup(422)), { ...noFilter, time: filter.time }, 'as long as nothing was counted');
    assert.deepEqual(filterOf({ type: 'kind', kind: 'live' }, attention), filter, 'other rows are of the filter');
  });

  it('shows a group since it is more frequent, without the values of other groups with its code', () => {
    const atMs = Date.UTC(2026, 10, 24, 17, 40, 12);
    const sinceMs = Date.UTC(2026, 10, 24, 17, 2);
    const job = (createdAtMs: number, completedAtMs: number) => ({ createdAtMs, completedAtMs });
    const group = {
      id: '[422,null,null]',
      jobs: [job(sinceMs - 90_000, sinceMs + 5000), job(sinceMs - 1_800_000, sinceMs - 1_700_000)],
      without: [{ key: 'customer', value: 'acme' }],
      rise: { sinceMs },
    };
    const attention = { groups: [group], sinceMs: atMs - 86_400_000, atMs };
    const row = { type: 'failureGroup', group: group.id };
    const { range, conditions } = startBoard(row, { ...facts, attention });
    assert.deepEqual(range, { fromMs: Date.UTC(2026, 10, 24, 17), toMs: undefined });
    assert.deepEqual(conditions.at(-1), { key: 'custom_metadata.customer', value: 'acme', isExcluded: true });
    assert.deepEqual(conditions.length, 3);
    const { time } = startBoard(row, { ...facts, attention: { ...attention, sinceMs } }).filter;
    const hourBefore = { type: 'range', after: '2026-11-24T16:01:00.000Z', before: undefined };
    assert.deepEqual(time, hourBefore, 'the time before it is needed to find when it began');
  });

  it('is an existing board if that shows the same jobs', () => {
    const { filter, connection, conditions } = start({ type: 'group', key: { kind: 'live', status: 'done' } });
    const sameOtherwise = { metadata: filter.metadata, time: filter.time, statuses: filter.statuses };
    const same = { range: scope.range, conditions, filter: sameOtherwise, connection };
    assert.ok(isSameScope(start({ type: 'group', key: { kind: 'live', status: 'done' } }), same));
    assert.ok(!isSameScope(start({ type: 'kind', kind: 'live' }), same));
    assert.ok(!isSameScope(same, { ...same, connection: 'Other' }));
    assert.ok(!isSameScope(same, { ...same, filter: { ...filter, time: { type: 'last', hours: 24 } } }));
  });

  it('accepts rows of any shape', () => {
    assert.equal(shown({ type: 'failureGroup', group: 'nonsense' }), 'status=error');
    assert.equal(shown({ type: 'failureGroup', group: '{"a":1}' }), 'status=error');
    assert.equal(shown('nonsense'), '');
    assert.deepEqual(start({ type: 'view', view: 'gone' }).conditions, []);
  });
});
