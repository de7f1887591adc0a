import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countWindows } from '../../../../src/service/survey/countWindows.ts';
import { countRequests } from '../../../../src/service/survey/survey.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { trueRows } from '../../../support/worlds/oracles.ts';
import { readability } from '../../../support/worlds/readability.ts';
import { World } from '../../../support/worlds/world.ts';
import type { WorldSpec } from '../../../support/worlds/worldSpec.ts';
import { worldSpecs } from '../../../support/worlds/worldSpecs.ts';
import { isEndless, worldSource } from '../../../unit/service/list/worldSource.ts';

const specs = worldSpecs({
  mostJobs: 60,
  without: ['posts', 'made', 'metadata', 'arrays', 'onDate', 'combined', 'itemBytes'],
});
const most = 400;

/** Pages that are cut before they are filtered hold fewer jobs than places; that nothing is lost on the way must be seen. */
function isCountable(spec: WorldSpec): boolean {
  return readability(spec).verdict === 'readable' && (spec.cut ?? 'afterFilter') === 'afterFilter';
}

test('property: whatever the service, each range of time has a number of jobs that was true, or none', async () => {
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(specs, async (spec) => {
      if (!isCountable(spec)) return;
      const world = new World(spec);
      const toMs = world.now() + 1000;
      const fromMs = Math.min(...world.jobs.map(({ createdAt }) => createdAt), toMs - 3_600_000) - 1000;
      const after = new Date(fromMs).toISOString();
      const source = countRequests(worldSource(world));
      const windows = await countWindows(
        source,
        [{ endpoint: 'pre-recorded', params: { afterDate: after } }],
        { fromMs, toMs },
        undefined,
        { clock: new FakeClock(), signal: undefined, most, onProgress: () => undefined },
      );
      assert.ok(!isEndless(world));
      assert.ok(source.requests <= most, `${source.requests} requests`);
      for (const window of windows) {
        if (window.count === undefined) continue;
        counted++;
        const query = {
          kinds: ['pre-recorded'] as const,
          after: new Date(window.fromMs).toISOString(),
          ...(window.toMs !== undefined && { before: new Date(window.toMs).toISOString() }),
        };
        let { moment } = world;
        while (moment >= 0 && trueRows(world, query, moment) !== window.count) moment--;
        assert.ok(moment >= 0, `${window.count} from ${query.after} to ${query.before ?? 'now'} was never right`);
      }
    }),
    { numRuns: propertyRuns },
  );
  assert.ok(counted > 0, 'some ranges were counted');
});
