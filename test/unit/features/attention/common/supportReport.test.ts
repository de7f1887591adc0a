import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { groupFailures } from '../../../../../src/features/attention/common/failureGroups.ts';
import { supportReport, type ReportFacts } from '../../../../../src/features/attention/common/supportReport.ts';
import { listedJob } from '../../../../support/builders/listedJob.ts';
import { anyCharacter } from '../../../../support/anyCharacter.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const facts: ReportFacts = {
  origin: 'https://api.example.com',
  all: 1,
  filter: undefined,
  nowMs: Date.UTC(2026, 10, 20, 12),
  labelOf: (code) => (code === 422 ? 'bad audio' : undefined),
  withMetadata: false,
  mask: (text) => text,
  maskJson: (json) => json,
};

describe('supportReport', () => {
  const job = listedJob({
    id: 'a1',
    request_id: 'G-1',
    status: 'error',
    error_code: 422,
    custom_metadata: { customer: 'Blue Harbor', source: 'https://files.example.com/a.mp3?sig=secret' },
  });

  it('contains IDs, times, codes and counts, and metadata only on request and without URL queries', () => {
    const report = supportReport(groupFailures([job]), facts);
    for (const part of ['`a1`', '`G-1`', '2026-11-19T10:02:03.500Z', 'Error 422 (`bad audio`)', 'Failures: 1']) {
      assert(report.includes(part), part);
    }
    assert(!report.includes('Blue Harbor'));
    const whole = supportReport(groupFailures([job]), { ...facts, withMetadata: true });
    assert(
      whole.includes('Blue Harbor') && whole.includes('https://files.example.com/a.mp3') && !whole.includes('sig='),
    );
  });

  it('reports that it covers some of the failures, and what the jobs of a group have in common, or only that they do', () => {
    const jobs = ['1', '2', '3', '4'].map((id) =>
      listedJob({ id, status: 'error', error_code: 422, custom_metadata: { customer: id === '4' ? 'x' : 'acme' } }),
    );
    const [group, ...others] = groupFailures(jobs);
    assert.ok(group && others.length > 0, 'the jobs of one customer are a group');
    const some = supportReport([group], { ...facts, all: 89 });
    assert.match(some, /^- Failures: 3 of 89, in the groups below$/m);
    assert.match(some, /^- Jobs: 3 of 89$/m);
    assert.match(some, /^- Metadata: one value in common, left out here$/m);
    const whole = supportReport([group, ...others], { ...facts, all: 4, withMetadata: true });
    assert.match(whole, /^- Failures: 4$/m);
    assert.match(whole, /^- Metadata: `customer=acme`$/m);
  });

  it('reports since when a group is more frequent, and how many of its jobs failed since', () => {
    const failed = (id: string, error_code: number, minutes: number) =>
      listedJob({
        id,
        status: 'error',
        error_code,
        created_at: new Date(facts.nowMs - minutes * 60_000).toISOString(),
        completed_at: null,
      });
    const incident = Array.from({ length: 12 }, (_, at) => failed(`i${at}`, 422, 30 - at));
    const others = Array.from({ length: 30 }, (_, at) => failed(`o${at}`, 500, 200 + at * 20));
    const groups = groupFailures([...incident, failed('early', 422, 500), ...others]);
    const lines = supportReport(groups, { ...facts, all: 43 })
      .split('\n')
      .filter((line) => /^- (Jobs|More)/.test(line));
    assert.deepEqual(lines, [
      '- Jobs: 13 of 43',
      '- More frequent since: 2026-11-20T11:30:00.000Z, with 12 of these jobs',
      '- Jobs: 30 of 43',
    ]);
  });

  it('has a row per job and no markup from outside, whatever the service sends', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, minLength: 1 }),
        fc.string({ unit: anyCharacter }),
        (id, requestId) => {
          const listed = listedJob({ request_id: requestId, status: 'error', error_code: 1 });
          const hostile = { ...listed, id: `x${id}|\`\n# [a](b)` };
          const lines = supportReport(groupFailures([hostile]), facts)
            .trimEnd()
            .split('\n');
          const row = lines.at(-1) ?? '';
          assert.equal(row.split('|').length, 7);
          assert.equal((row.match(/`/g) ?? []).length % 2, 0);
          assert.equal(lines.filter((line) => line.startsWith('#')).length, 2);
        },
      ),
      { numRuns: propertyRuns },
    );
  });
});
