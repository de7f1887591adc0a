import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BoardModel } from '../../../../src/domain/board/boardModel.ts';
import { usualLayout } from '../../../../src/domain/board/boardProtocol.ts';
import { BoardView, sortRows, type TimeRange } from '../../../../src/domain/board/boardView.ts';
import type { Share } from '../../../../src/domain/board/incident.ts';
import { findContradiction } from '../../../../src/domain/filter/jobFilter.ts';
import type { ListParams } from '../../../../src/domain/jobs/listParams.ts';
import type { JsonObject } from '../../../../src/domain/json/json.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { boardJobs, columnsOf, jobOf, type PlantedIncident } from '../../../unit/domain/board/boardJobs.ts';

const atMs = Date.UTC(2026, 9, 8);
const planted: PlantedIncident = {
  onsetMs: Date.UTC(2026, 9, 4),
  endMs: undefined,
  key: 'customer',
  value: 'cobalt',
  failing: 0.6,
};

describe('The model of a board', () => {
  it('property: what a service is asked to confirm a finding is about just the jobs of the finding', () => {
    const jobs = boardJobs({ seed: 17, count: 900, planted, failing: 0.04 }).map((job, serial) => {
      // Some services tell full minutes, at which bins begin, too.
      const at = Math.floor((job.createdAtMs ?? 0) / 3_600_000) * 3_600_000;
      const item = { ...(JSON.parse(job.raw) as JsonObject), created_at: new Date(at).toISOString() };
      return jobOf(serial < 60 ? { ...item, status: serial % 2 === 0 ? 'queued' : 'processing' } : item);
    });
    const columns = columnsOf(jobs);
    const data = { columns, strata: [{ read: jobs.length, total: jobs.length }], stratumOf: () => 0 };
    const condition = fc.record({
      key: fc.constantFrom('status', 'error_code', 'kind', 'custom_metadata.customer', 'request_params.model'),
      value: fc.constantFrom(undefined, 'error', 'done', '500', 'live', 'pre-recorded', 'acme', 'cobalt', 'fast'),
      isExcluded: fc.boolean(),
    });
    const scope = fc.record({
      facets: fc.array(condition, { maxLength: 2 }),
      range: fc.option(fc.tuple(fc.nat(168), fc.integer({ min: 1, max: 168 })), { nil: undefined }),
      of: fc.constantFrom('failures', 'range'),
    } as const);
    let asked = 0;
    let ofStretch = 0;
    fc.assert(
      fc.property(scope, ({ facets, range: hours, of }) => {
        const startMs = atMs - 168 * 3_600_000;
        const range = hours && {
          fromMs: startMs + hours[0] * 3_600_000,
          toMs: startMs + (hours[0] + hours[1]) * 3_600_000,
        };
        const board = new BoardModel(data, usualLayout, { facets, range }, { type: 'last', hours: 168 }, atMs);
        const finding = board.explain(of, []);
        const ask = (within: TimeRange | undefined): ((further: ListParams) => Share) | undefined => {
          const questions = board.questionsOf(finding, within);
          if (questions === undefined) return undefined;
          asked++;
          const { kinds, base, group } = questions;
          const count = (params: ListParams): number =>
            jobs.filter((job) => {
              const isOfKind = kinds.length === 0 || kinds.some((kind) => kind === job.kind);
              return isOfKind && findContradiction(job, params) === undefined;
            }).length;
          return (further) => ({
            hits: count({ ...base, ...further, ...group }),
            of: count({ ...base, ...further }),
          });
        };
        const whole = ask(undefined);
        if (whole !== undefined) assert.deepEqual(whole({}), { hits: finding.group, of: finding.compared });
        for (const { key, value, within, having, lacking, canFilter } of finding.differences) {
          const share = ask(within);
          if (share === undefined) continue;
          if (within !== undefined) ofStretch++;
          assert.deepEqual(share({}), { hits: having.hits + lacking.hits, of: having.of + lacking.of });
          if (canFilter && !facets.some((facet) => facet.key === key)) {
            assert.deepEqual(share(board.paramsOf([{ key, value, isExcluded: false }])), having);
          }
        }
      }),
      { numRuns: propertyRuns },
    );
    assert.ok(asked > 10 && ofStretch > 0, `${asked} asked, ${ofStretch} of a stretch of time`);
  });

  it('gives the largest values of a sampled field wider intervals than a value that was asked for', () => {
    const jobs = boardJobs({ seed: 5, count: 600 });
    const data = { columns: columnsOf(jobs), strata: [{ read: 600, total: 60_000 }], stratumOf: () => 0 };
    const order = sortRows(data, { key: 'created_at', isDescending: false });
    const view = new BoardView(data, { facets: [], range: undefined }, order);
    const [picked] = view.facet('custom_metadata.agent', 8)?.values ?? [];
    const [known] = view.facet('custom_metadata.agent', 100)?.values ?? [];
    assert.ok(picked && known);
    assert.equal(picked.value, known.value);
    assert.ok(picked.figure.low < known.figure.low && picked.figure.high > known.figure.high);
  });
});
