import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListEntry } from '../../../../../src/jobs/common/job.ts';
import type { ListKey } from '../../../../../src/jobs/common/listKey.ts';
import { exactCount } from '../../../../../src/jobs/node/exactCount.ts';
import { readAll } from '../../../../../src/jobs/node/list/readAll.ts';
import { JobStore } from '../../../../../src/jobs/node/store/jobStore.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { matchedThroughout, trueRows } from '../../../../support/worlds/oracles.ts';
import { seenWorlds } from '../../../../support/worlds/seenWorlds.ts';
import { World } from '../../../../support/worlds/world.ts';
import { worldSource } from './worldSource.ts';

const query = { endpoint: 'pre-recorded', params: {} } as const;
const inWorld = { kinds: ['pre-recorded'] } as const;
const key: ListKey = { kind: 'pre-recorded', status: undefined };

/** Worlds in which some jobs of a list cannot be reached, by name, with the number of jobs that must be read. */
const unreachable: Readonly<Record<string, { readonly min: number; readonly endedBy: string }>> = {
  'a page in the middle stays empty': { min: 181, endedBy: 'unproved' },
  'empty beyond an offset, next null': { min: 115, endedBy: 'stuck' },
  '403 beyond an offset': { min: 115, endedBy: 'failed' },
  '404 beyond an offset': { min: 115, endedBy: 'failed' },
  '500 beyond an offset': { min: 115, endedBy: 'failed' },
  '503 beyond an offset': { min: 96, endedBy: 'failed' },
};

const listed = Object.entries(seenWorlds).filter(([, spec]) => spec.posts === undefined && spec.made === undefined);

function idsOf(entries: readonly ListEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.type === 'job' ? [entry.id] : []));
}

for (const [name, spec] of listed) {
  const { min, endedBy: expected } = unreachable[name] ?? {};

  test(`reading all lists each job once: ${name}`, async () => {
    const world = new World(spec);
    const ids: string[] = [];
    let endedBy: string | undefined;
    try {
      for await (const batch of readAll(worldSource(world), query, { limit: 20 })) {
        ids.push(...idsOf(batch.entries));
        ({ endedBy } = batch);
      }
    } catch {
      endedBy = 'failed';
    }
    assert.equal(new Set(ids).size, ids.length);
    if (min === undefined) {
      const there = matchedThroughout(world, inWorld, 1, world.moment);
      assert.deepEqual(
        there.filter((id) => !ids.includes(id)),
        [],
      );
      assert.ok(endedBy === undefined || endedBy === 'unproved', endedBy);
    } else {
      assert.ok(ids.length >= min, String(ids.length));
      assert.equal(endedBy, expected);
    }
  });

  test(`Load More lists each job once, and a refresh removes none: ${name}`, async () => {
    const world = new World(spec);
    const options = { limit: 20, groupBy: 'none', listSource: 'byKind' } as const;
    const store = new JobStore(() => options, new FakeClock(), new KeptLog());
    store.use(worldSource(world));
    await store.load(key);
    const loaded = (): readonly string[] => idsOf(store.list(key).jobs.entries);
    let rows = loaded();
    for (let press = 0; store.list(key).hasMore && store.list(key).failure === undefined; press++) {
      await store.loadMore(key);
      const more = new Set(loaded());
      const gone = rows.filter((id) => !more.has(id));
      const still = gone.length === 0 ? [] : matchedThroughout(world, inWorld, 1, world.moment);
      assert.deepEqual(
        gone.filter((id) => still.includes(id)),
        [],
        'Load More threw rows away',
      );
      rows = [...more];
      assert.ok(press < 120, 'Load More comes to no end');
    }
    const there = matchedThroughout(world, inWorld, 1, world.moment);
    const missing = there.filter((id) => !rows.includes(id));
    if (min === undefined) assert.deepEqual(missing, []);
    else assert.ok(!store.list(key).isComplete && rows.length >= min);
    const from = world.moment;
    await store.refresh();
    const still = matchedThroughout(world, inWorld, from, world.moment);
    assert.deepEqual(
      rows.filter((id) => still.includes(id) && !loaded().includes(id)),
      [],
      'a refresh threw rows away',
    );
    store.dispose();
  });

  test(`a count is exact, or a lower bound if the list is cut off: ${name}`, async () => {
    const world = new World(spec);
    const result = await exactCount(worldSource(world), query, { clock: new FakeClock() });
    const isCutOff = spec.beyond !== undefined;
    assert.ok(result.type === (isCutOff ? 'atLeast' : 'exact'), result.type);
    const { count } = result;
    const counts = Array.from({ length: world.moment + 1 }, (_, moment) => trueRows(world, inWorld, moment));
    assert.ok(isCutOff ? count >= 100 && counts.some((rows) => rows >= count) : counts.includes(count), String(count));
  });
}
