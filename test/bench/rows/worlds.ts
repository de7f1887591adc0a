import fc from 'fast-check';
import { matchedThroughout } from '../../support/worlds/oracles.ts';
import { readability } from '../../support/worlds/readability.ts';
import { World, type WorldAnswer } from '../../support/worlds/world.ts';
import { startWorldServer } from '../../support/worlds/worldServer.ts';
import type { WorldSpec } from '../../support/worlds/worldSpec.ts';
import { worldSpecs } from '../../support/worlds/worldSpecs.ts';
import { measuredList, openStore } from '../lists/openStore.ts';
import { sdkPages } from '../lists/sdkList.ts';
import type { Fact, Row } from '../outcome.ts';

const pageSize = 20;
/** More pages than any of the lists has: a reader that gets this far is in a loop. */
const maxPages = 40;

/**
 * Worlds that a careful reader can read completely, without features that make both readers wait. The same in each run.
 */
function drawWorlds(count: number): readonly WorldSpec[] {
  const without = ['posts', 'made', 'rateLimit', 'hiccups', 'beyond', 'itemBytes', 'combined'] as const;
  return fc
    .sample(worldSpecs({ maxJobs: 300, without }), { numRuns: 4 * count, seed: 11 })
    .filter((spec) => readability(spec, { array: 'repeat' }).verdict === 'readable')
    .slice(0, count);
}

/** A world that accepts any key, because the SDK sends its own header. */
class OpenWorld extends World {
  override async handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
    body = '',
  ): Promise<WorldAnswer> {
    return super.handle(method, path, { ...headers, 'x-service-key': 'any' }, body);
  }
}

/** The ids a reader returned, and if it reported that they may be incomplete. */
interface Reading {
  readonly ids: readonly string[];
  readonly isDoubted: boolean;
}

class Tally {
  lost = 0;
  lostUnsaid = 0;
  repeated = 0;

  async read(spec: WorldSpec, reader: (baseUrl: string) => Promise<Reading>): Promise<void> {
    const world = new OpenWorld(spec);
    const server = await startWorldServer(world);
    try {
      const { ids, isDoubted } = await reader(server.origin);
      const once = new Set(ids);
      const there = matchedThroughout(world, { kinds: ['pre-recorded'], statuses: ['done'] }, 1, world.moment);
      const lost = there.filter((id) => !once.has(id)).length;
      this.lost += lost;
      if (!isDoubted) this.lostUnsaid += lost;
      this.repeated += ids.length - once.size;
    } finally {
      await server.stop();
    }
  }

  facts(name: string): readonly Fact[] {
    return [
      { what: `lost without a word by ${name}`, value: this.lostUnsaid, unit: 'jobs' },
      { what: `lost by ${name} in all`, value: this.lost, unit: 'jobs' },
      { what: `repeated by ${name}`, value: this.repeated, unit: 'jobs' },
    ];
  }
}

async function loadAll(baseUrl: string): Promise<Reading> {
  const opened = openStore(baseUrl, pageSize);
  try {
    await opened.loadAll(maxPages * pageSize);
    return { ids: opened.ids().filter((id) => id !== ''), isDoubted: !opened.store.list(measuredList).isComplete };
  } finally {
    opened.dispose();
  }
}

async function follow(peers: string, baseUrl: string): Promise<Reading> {
  const ids: string[] = [];
  let pages = 0;
  try {
    for await (const page of sdkPages(peers, baseUrl, pageSize)) {
      ids.push(...page);
      if (++pages === maxPages) return { ids, isDoubted: true };
    }
  } catch {
    return { ids, isDoubted: true };
  }
  return { ids, isDoubted: false };
}

/** Reads the same worlds, which are as unusual as the contract allows, with Load All and with the SDK. */
export const row: Row = async ({ quick, peers }) => {
  const ours = new Tally();
  const sdk = new Tally();
  const specs = drawWorlds(quick ? 40 : 400);
  for (const spec of specs) {
    await ours.read(spec, loadAll);
    await sdk.read(spec, async (baseUrl) => follow(peers, baseUrl));
  }
  return [
    {
      title: 'Odd services',
      measured: `Load All from ${specs.length} services drawn from all that the contract allows: jobs lost without a word, or repeated`,
      value: ours.lostUnsaid + ours.repeated,
      unit: 'jobs',
      atMost: 0,
      facts: [...ours.facts('Load All'), ...sdk.facts('@gladiaio/sdk')],
    },
  ];
};
