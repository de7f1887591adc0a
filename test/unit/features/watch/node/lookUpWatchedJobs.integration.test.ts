import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isFailure } from '../../../../../src/base/failure.ts';
import type { WatchedJob } from '../../../../../src/features/watch/common/watchPlan.ts';
import { lookUpWatchedJobs } from '../../../../../src/features/watch/node/jobWatcher.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { matchedThroughout } from '../../../../support/worlds/oracles.ts';
import { readability } from '../../../../support/worlds/readability.ts';
import { World } from '../../../../support/worlds/world.ts';
import { worldSpecs } from '../../../../support/worlds/worldSpecs.ts';
import { worldSource } from '../../../jobs/node/list/worldSource.ts';

const specs = worldSpecs({
  maxJobs: 260,
  without: ['posts', 'made', 'metadata', 'arrays', 'onDate', 'combined', 'itemBytes'],
});

function watch(id: string): WatchedJob {
  const connection = { connection: 'World', origin: 'http://world.example' };
  return { ...connection, kind: 'pre-recorded', id, label: id, sinceMs: 0, createdAtMs: undefined, misses: 0 };
}

test('property: whatever the service, a watch misses no job that it reports as absent', async () => {
  await fc.assert(
    fc.asyncProperty(specs, fc.nat(260), async (spec, place) => {
      if (readability(spec).verdict !== 'readable') return;
      const world = new World(spec);
      const id = world.jobs[place]?.id ?? 'none';
      const question = { kind: 'pre-recorded', params: {}, jobs: [watch(id)] } as const;
      const look = await lookUpWatchedJobs(worldSource(world), question, new AbortController().signal).catch(
        (error: unknown) => {
          assert.ok(isFailure(error), String(error));
        },
      );
      if (look === undefined || look.absence !== 'proved') return;
      const there = matchedThroughout(world, { kinds: ['pre-recorded'] }, 1, world.moment);
      assert.ok(look.found.has(id) || !there.includes(id));
    }),
    { numRuns: propertyRuns },
  );
});
