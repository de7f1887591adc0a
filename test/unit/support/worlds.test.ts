import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { listPath, readByOffset, type OffsetReading } from '../../support/worlds/offsetReaders.ts';
import {
  everMatched,
  matchedThroughout,
  postsReceived,
  requestsReceived,
  trueCount,
  trueCounts,
  trueRows,
  unreadableThroughout,
} from '../../support/worlds/oracles.ts';
import { readability } from '../../support/worlds/readability.ts';
import { readByOverlap } from '../../support/worlds/overlapReader.ts';
import { BrokenConnection, World } from '../../support/worlds/world.ts';
import type { WorldQuery } from '../../support/worlds/worldQuery.ts';
import { seenWorldExamples, seenWorlds } from '../../support/worlds/seenWorlds.ts';
import { startWorldServer } from '../../support/worlds/worldServer.ts';
import { rightService, type ChangeKnob, type WorldSpec } from '../../support/worlds/worldSpec.ts';
import { worldSpecs } from '../../support/worlds/worldSpecs.ts';

const key = { 'x-service-key': 'key' };
const preRecorded: WorldQuery = { kinds: ['pre-recorded'] };
const leaving: ChangeKnob = {
  what: 'leave',
  per: 'request',
  every: 1,
  count: 1,
  where: 'start',
  datedByMs: 0,
  times: null,
};

/** The number of jobs that a reading lost, and of those listed again. */
function lossOf(world: World, query: WorldQuery, { ids, from, to }: OffsetReading): { lost: number; repeated: number } {
  const listed = new Set(ids);
  const lost = matchedThroughout(world, query, from, to).filter((id) => !listed.has(id));
  return { lost: lost.length, repeated: ids.length - listed.size };
}

async function readingOf(spec: WorldSpec, query = preRecorded): Promise<{ lost: number; repeated: number }> {
  const world = new World(spec);
  return lossOf(world, query, await readByOffset(world, query, { limit: 10 }));
}

async function pageOf(world: World, path: string): Promise<{ items: Record<string, unknown>[]; next: unknown }> {
  const answer = await world.handle('GET', path, key);
  assert.equal(answer.status, 200, answer.body);
  return JSON.parse(answer.body) as { items: Record<string, unknown>[]; next: unknown };
}

suite('worlds: a right service', () => {
  test('is read right by the simplest reader', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.nat(90), async (limit, count) => {
        const world = new World({
          jobs: { count, liveEvery: 3, spacingMs: 1000, tied: 2, newestAgeMs: 0, statuses: 'mixed' },
        });
        const reading = await readByOffset(world, preRecorded, { limit });
        assert.deepEqual(lossOf(world, preRecorded, reading), { lost: 0, repeated: 0 });
        assert.equal(reading.ids.length, trueCount(world, preRecorded, world.moment));
        assert.equal(reading.ended, 'null');
      }),
      // Fewer: it tests the model, not the product, and draws only two numbers.
      { numRuns: 60 },
    );
  });

  test('gives pages, items and URLs as the contract shows them', async () => {
    const world = new World();
    const page = await pageOf(world, '/v2/pre-recorded?status=done&status=error&offset=2&limit=3');
    assert.equal(page.next, 'http://world.example/v2/transcription?status=done&status=error&offset=5&limit=3');
    assert.equal(page.items.length, 3);
    for (const item of page.items) {
      assert.match(String(item['id']), /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u);
      assert.match(String(item['request_id']), /^G-\d+$/u);
      assert.match(String(item['created_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
      assert.ok(['done', 'error'].includes(String(item['status'])));
    }
  });

  test('understands every encoding, dates and metadata', async () => {
    const world = new World();
    const forms = [
      'status=done&status=error',
      'status=done,error',
      'status[]=done&status[]=error',
      'status[0]=done&status[1]=error',
    ];
    const counts = [];
    for (const form of [...forms, `status=${encodeURIComponent('["done","error"]')}`]) {
      counts.push((await pageOf(world, `/v2/pre-recorded?limit=100&${form}`)).items.length);
    }
    const expected = trueCount(world, { ...preRecorded, statuses: ['done', 'error'] }, world.moment);
    assert.deepEqual(new Set(counts), new Set([expected]));
    const half = '2026-03-14T14:53:26.535Z';
    const before = (await pageOf(world, listPath({ before: half }, 0, 100))).items.length;
    const after = (await pageOf(world, listPath({ after: half }, 0, 100))).items.length;
    assert.deepEqual([before, after], [14, 15]);
    assert.equal((await pageOf(world, listPath({ metadata: { team: 'north' } }, 0, 100))).items.length, 15);
    assert.equal((await pageOf(world, '/v2/pre-recorded?limit=100&custom_metadata[team]=south')).items.length, 15);
  });

  test('wants its key, its paths and whole numbers', async () => {
    const world = new World();
    const status = async (path: string, headers = {}): Promise<number> =>
      (await world.handle('GET', path, headers)).status;
    assert.equal(await status('/v2/live'), 401);
    assert.equal(await status('/v2/nothing', key), 404);
    assert.equal(await status('/v2/live?limit=0', key), 400);
    assert.equal(await status('/v2/live?offset=-1', key), 400);
    assert.equal(requestsReceived(world, 'GET').length, 4);
  });
});

suite('worlds: changes for ever', () => {
  const many: ChangeKnob = { ...leaving, what: 'arrive', count: 40 };

  test('end when the world rests, so that a reader that follows it comes to an end', async () => {
    const world = new World({ changes: [many, { ...many, what: 'progress', per: 'ms', every: 30 }], latencyMs: 5000 });
    let before = -1;
    let requests = 0;
    for (; before !== world.momentAt(Number.POSITIVE_INFINITY) && requests < 1000; requests++) {
      before = world.momentAt(Number.POSITIVE_INFINITY);
      await pageOf(world, listPath({}, 0, 1));
    }
    assert(requests > 1 && requests < 1000, String(requests));
  });
});

suite('worlds: where jobs are lost or repeated', () => {
  const spread: WorldSpec['jobs'] = {
    count: 60,
    liveEvery: 0,
    spacingMs: 1000,
    tied: 1,
    newestAgeMs: 0,
    statuses: 'done',
  };
  const cases: readonly (readonly [string, WorldSpec, 'lost' | 'repeated', WorldQuery?])[] = [
    ['jobs leave from the part that was read', { jobs: spread, changes: [leaving] }, 'lost'],
    ['jobs arrive', { jobs: spread, changes: [{ ...leaving, what: 'arrive' }] }, 'repeated'],
    ['ties are shuffled', { jobs: { ...spread, tied: 30 }, ties: 'shuffled' }, 'lost'],
    ['next is null too early', { jobs: spread, next: { more: 'url', end: 'null', late: 'no', nullFrom: 20 } }, 'lost'],
    [
      'the page is cut before the filter and the short one is the last',
      { cut: 'beforeFilterShortIsEnd' },
      'lost',
      { statuses: ['queued', 'error'] },
    ],
    ['a page in the middle stays empty', { jobs: spread, emptyPages: { from: 20, to: 30, times: null } }, 'lost'],
    [
      'the list is empty beyond an offset',
      { jobs: spread, beyond: { at: 30, answer: 'empty', counts: 'end' } },
      'lost',
    ],
    [
      'offsets are refused from somewhere on',
      { jobs: spread, beyond: { at: 30, answer: 403, counts: 'offset' } },
      'lost',
    ],
    [
      'the same page comes again and again',
      { jobs: spread, beyond: { at: 30, answer: 'stuck', counts: 'offset' } },
      'repeated',
    ],
    ['limits above a maximum are refused', { jobs: spread, limit: { max: 5, above: 422, default: 5 } }, 'lost'],
    [
      'jobs move when they complete',
      {
        jobs: { ...spread, statuses: 'queued' },
        order: 'completedFirst',
        changes: [{ ...leaving, what: 'progress', where: 'end', count: 9 }],
      },
      'lost',
    ],
    ['replicas lag behind', { jobs: spread, replicaLagsMs: [0, 100], changes: [{ ...leaving, count: 3 }] }, 'lost'],
    ['jobs stand in two rows', { jobs: spread, repeats: { every: 4, stale: true } }, 'repeated'],
  ];
  for (const [name, spec, what, query = preRecorded] of cases) {
    test(name, async () => {
      const loss = await readingOf(spec, query);
      assert.ok(loss[what] > 0, JSON.stringify(loss));
      assert.equal(JSON.stringify(spec), JSON.stringify(JSON.parse(JSON.stringify(spec))));
    });
  }

  test('a capped limit loses jobs for a reader that goes on by what it asked for', async () => {
    const spec: WorldSpec = { jobs: spread, limit: { max: 3, above: 'capped', default: 3 } };
    const world = new World(spec);
    const byLimit = await readByOffset(world, preRecorded, { limit: 10, advanceBy: 'limit' });
    assert.ok(lossOf(world, preRecorded, byLimit).lost > 0);
    assert.deepEqual(await readingOf(spec), { lost: 0, repeated: 0 });
  });

  test('a pin from a Date header that is behind hides jobs, one from created_at does not', async () => {
    const world = new World({ jobs: spread, dateHeader: { offsetsMs: [-10_000], coarseMs: 1000 } });
    const { headers, body } = await world.handle('GET', listPath(preRecorded, 0, 20), key);
    const query = { ...preRecorded, before: new Date(headers['date'] ?? '').toISOString() };
    assert.ok(trueCount(world, query, world.moment) < 60 - 5);
    const [newest] = (JSON.parse(body) as { items: { created_at: string }[] }).items;
    const pinned = { ...preRecorded, before: new Date(Date.parse(newest?.created_at ?? '') + 1).toISOString() };
    assert.equal(trueCount(world, pinned, world.moment), 60);
  });
});

suite('worlds: oracles', () => {
  test('tell what stayed, what came and what left', async () => {
    const changes: readonly ChangeKnob[] = [
      { ...leaving, count: 2, times: 1 },
      { ...leaving, what: 'arrive', count: 3, times: 1 },
    ];
    const world = new World({ changes });
    const from = world.moment;
    await pageOf(world, listPath(preRecorded, 0, 10));
    const between = world.moment;
    assert.equal(trueCount(world, preRecorded, between), 30);
    await pageOf(world, listPath(preRecorded, 10, 10));
    assert.equal(trueCount(world, preRecorded, world.moment), 31);
    assert.equal(trueCount(world, preRecorded, between), 30);
    // Changes happen one by one: two jobs leave, then three arrive.
    assert.deepEqual(
      [...trueCounts(world, preRecorded, from, world.moment)].toSorted((left, right) => left - right),
      [28, 29, 30, 31],
    );
    assert.equal(matchedThroughout(world, preRecorded, from, world.moment).length, 28);
    assert.equal(everMatched(world, preRecorded, from, world.moment).length, 33);
  });

  test('count unreadable items and second rows apart', async () => {
    const world = new World({
      unreadable: { every: 3, as: 'null', identical: true },
      repeats: { every: 5, stale: false },
    });
    assert.equal(matchedThroughout(world, preRecorded, 0, 0).length, 20);
    assert.equal(unreadableThroughout(world, preRecorded, 0, 0), 10);
    assert.equal(trueCount(world, preRecorded, 0), 30);
    assert.equal(trueRows(world, preRecorded, 0), 36);
    const { items } = await pageOf(world, listPath(preRecorded, 0, 100));
    assert.equal(items.filter((item) => item === null).length, 12);
  });
});

suite('worlds: POST', () => {
  const submit = async (world: World): Promise<number | 'broken'> => {
    const body = '{"audio_url":"https://example.com/a.wav","custom_metadata":{"tag":"x"}}';
    return world.handle('POST', '/v2/pre-recorded', key, body).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof BrokenConnection ? 'broken' : Promise.reject(error as Error)),
    );
  };

  test('may be processed whatever is answered', async () => {
    const posts = [
      { processed: true, answer: 201, body: 'id' },
      { processed: true, answer: 503, body: 'refusal' },
      { processed: true, answer: 'breaks', body: 'empty' },
      { processed: true, answer: 'cut', body: 'id' },
      { processed: false, answer: 422, body: 'refusal' },
      { processed: true, answer: 302, body: 'empty' },
    ] as const;
    const world = new World({ posts });
    const answers = [];
    for (const _ of posts) answers.push(await submit(world));
    assert.deepEqual(answers, [201, 503, 'broken', 'broken', 422, 302]);
    assert.deepEqual(
      postsReceived(world).map(({ jobId }) => jobId !== undefined),
      [true, true, true, true, false, true],
    );
    assert.equal(trueCount(world, { metadata: { tag: 'x' } }, world.moment), 5);
  });

  test('jobs appear late, dated otherwise and without traits', async () => {
    const world = new World({
      absent: 'missing',
      made: { afterMs: 5000, datedByMs: -600_000, showsCreatedAt: false, showsMetadata: false, showsRequest: true },
    });
    await submit(world);
    const [post] = postsReceived(world);
    const ids = (): readonly string[] => everMatched(world, preRecorded, world.moment, world.moment);
    assert.ok(!ids().includes(post?.jobId ?? ''));
    world.advance(5000);
    assert.ok(ids().includes(post?.jobId ?? ''));
    const { items } = await pageOf(world, listPath(preRecorded, 0, 100));
    const item = items.find(({ id }) => id === post?.jobId);
    assert.ok(item !== undefined && items.indexOf(item) > 5);
    assert.ok(!('created_at' in item) && !('custom_metadata' in item));
    assert.equal((item['request_params'] as Record<string, unknown>)['audio_url'], 'https://example.com/a.wav');
  });
});

suite('worlds: drawn at random', () => {
  test('answer the same to the same requests', async () => {
    const requests = fc.array(fc.record({ offset: fc.nat(200), limit: fc.integer({ min: 1, max: 120 }) }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(worldSpecs(), requests, async (spec, asked) => {
        const traces = [];
        for (const world of [new World(spec), new World(JSON.parse(JSON.stringify(spec)) as WorldSpec)]) {
          const trace: unknown[] = [];
          for (const { offset, limit } of asked) {
            const answer = await world
              .handle('GET', listPath(preRecorded, offset, limit), key)
              .catch((error: unknown) => error);
            trace.push(answer);
            if (answer instanceof BrokenConnection || (answer as { status: number }).status !== 200) continue;
          }
          traces.push([trace, world.moment, matchedThroughout(world, preRecorded, 0, world.moment)]);
        }
        assert.deepEqual(traces[0], traces[1]);
      }),
      { numRuns: propertyRuns },
    );
  });

  test('list nothing that did not match, unless a filter is not understood', async () => {
    const query: WorldQuery = { kinds: ['pre-recorded'], statuses: ['done', 'queued'] };
    const specs = worldSpecs({ without: ['arrays', 'hiccups'] });
    await fc.assert(
      fc.asyncProperty(specs, fc.integer({ min: 1, max: 50 }), async (spec, limit) => {
        const world = new World(spec);
        const { ids, from, to } = await readByOffset(world, query, { limit, maxRequests: 40 });
        const allowed = new Set(everMatched(world, query, from, to));
        if (spec.repeats?.stale !== true)
          assert.deepEqual(
            ids.filter((id) => !allowed.has(id)),
            [],
          );
      }),
      { numRuns: propertyRuns },
    );
  });

  test('are lost to a simple reader often, and never where nothing is odd but dates and headers', async () => {
    let lossy = 0;
    const worlds = fc.sample(worldSpecs({ without: ['hiccups'] }), { numRuns: 200, seed: 11 });
    for (const spec of worlds) {
      if ((await readingOf(spec)).lost > 0) lossy += 1;
    }
    assert.ok(lossy > 25, `${lossy} of 200`);
    const harmless = [
      'dateHeader',
      'beforeDate',
      'afterDate',
      'onDate',
      'clientOffsetMs',
      'createdAt',
      'absent',
      'made',
      'posts',
    ];
    for (const spec of worlds) {
      const calm = Object.fromEntries(Object.entries(spec).filter(([name]) => harmless.includes(name)));
      assert.deepEqual(await readingOf(calm), { lost: 0, repeated: 0 }, JSON.stringify(calm));
    }
  });
});

suite('worlds: how they are drawn', () => {
  test('every knob is drawn, and all stay plain JSON', () => {
    const specs = fc.sample(worldSpecs(), { numRuns: 1000, seed: 5 });
    const drawn = new Set(specs.flatMap((spec) => Object.keys(spec)));
    assert.deepEqual([...drawn].toSorted(), Object.keys(rightService).toSorted());
    for (const spec of [...specs, ...Object.values(seenWorlds)])
      assert.deepEqual(JSON.parse(JSON.stringify(spec)), spec);
  });

  test('shrink to the right service, and to the one knob that matters', () => {
    const shrunk = (isValid: (spec: WorldSpec) => boolean): WorldSpec | undefined =>
      fc.check(fc.property(worldSpecs(), isValid), { seed: 3, numRuns: 1000 }).counterexample?.[0];
    assert.deepEqual(
      shrunk(() => false),
      {},
    );
    assert.deepEqual(
      shrunk(({ dateHeader }) => dateHeader === undefined),
      { dateHeader: 'missing' },
    );
    const leavings = shrunk(({ changes = [] }) => changes.every(({ what }) => what !== 'leave'));
    assert.deepEqual(Object.keys(leavings ?? {}), ['changes']);
    assert.equal(leavings?.changes?.length, 1);
  });

  test('leave out what is asked to be left out', () => {
    const specs = fc.sample(worldSpecs({ without: ['hiccups', 'ties'], maxJobs: 7, calm: 1 }), {
      numRuns: 300,
      seed: 5,
    });
    assert.ok(specs.every((spec) => !('hiccups' in spec) && !('ties' in spec) && (spec.jobs?.count ?? 0) <= 7));
    assert.ok(specs.some((spec) => 'limit' in spec));
  });
});

suite('worlds: readability', () => {
  test('names what nobody can read, what breaks the contract, and what can be read', () => {
    assert.deepEqual(readability({}), { verdict: 'readable', reasons: [] });
    const tied = { count: 60, liveEvery: 0, spacingMs: 0, tied: 1, newestAgeMs: 0, statuses: 'done' } as const;
    assert.equal(readability({ ties: 'shuffled', jobs: tied }).verdict, 'impossible');
    assert.equal(readability({ ties: 'shuffled' }).verdict, 'readable');
    assert.equal(readability({ cut: 'beforeFilterShortIsEnd' }).verdict, 'impossible');
    assert.equal(
      readability({ order: 'completedLast', changes: [{ ...leaving, what: 'progress' }] }).verdict,
      'impossible',
    );
    assert.equal(readability({ changes: [leaving] }).verdict, 'readable');
    assert.equal(readability({ next: { more: 'url', end: 'null', late: 'no', nullFrom: 3 } }).verdict, 'serviceFault');
    assert.equal(readability({ arrays: { understands: ['json'], otherwise: 'first' } }).verdict, 'readable');
    const misread = readability({ arrays: { understands: ['json'], otherwise: 'first' } }, { array: 'repeat' });
    assert.equal(misread.verdict, 'serviceFault');
    const repeats = { every: 1, stale: true };
    const ignored = { understands: [], otherwise: 'ignored' } as const;
    assert.equal(readability({ repeats, arrays: ignored }, { array: 'repeat' }).verdict, 'serviceFault');
    assert.equal(readability({ repeats, arrays: ignored }).verdict, 'readable');
    assert.equal(readability({ repeats }, { array: 'repeat' }).verdict, 'readable');
    assert.match(misread.reasons.map(({ why }) => why).join(), /taken for one or for none/u);
  });

  test('has a point in docs/limits.md for each reason, and a world for each point but those that no world has', () => {
    const ignored = { understands: [], otherwise: 'ignored' } as const;
    const first = { understands: [], otherwise: 'first' } as const;
    const everything = readability(
      {
        order: 'completedLast',
        ties: 'shuffled',
        changes: [{ ...leaving, what: 'progress' }],
        cut: 'beforeFilterShortIsEnd',
        next: { ...rightService.next, nullFrom: 3 },
        beyond: { at: 20, answer: 'empty', counts: 'end' },
        arrays: first,
        metadata: first,
        repeats: { every: 1, stale: true },
      },
      { array: 'repeat', metadata: 'json' },
    );
    const points = readFileSync('docs/limits.md', 'utf8').split(/^- /mu).length - 1;
    const inNoWorld = [5, 6, 7];
    assert.deepEqual(
      [...new Set(everything.reasons.map(({ point }) => point)), ...inNoWorld].toSorted((a, b) => a - b),
      Array.from({ length: points }, (_, index) => index + 1),
    );
    assert.equal(everything.reasons.length, 8, 'a reason without a point, or a point without its world');
    assert.equal(
      readability({ repeats: { every: 1, stale: true }, arrays: ignored }, { array: 'repeat' }).reasons[0]?.point,
      9,
    );
  });
});

suite('worlds: a reader that compares pages', () => {
  test('loses nothing where it sees nothing odd, in every world that is called readable', async () => {
    let complete = 0;
    const examples = seenWorldExamples.map(([spec]): [WorldSpec, number] => [spec, 20]);
    const query: WorldQuery = { kinds: ['pre-recorded'], statuses: ['done', 'queued', 'processing', 'error'] };
    await fc.assert(
      fc.asyncProperty(worldSpecs({ maxJobs: 130 }), fc.integer({ min: 2, max: 40 }), async (spec, limit) => {
        if (readability(spec, { array: 'repeat' }).verdict !== 'readable') return;
        const world = new World(spec);
        const reading = await readByOverlap(world, query, { limit });
        if (!reading.isComplete) return;
        complete += 1;
        const listed = new Set(reading.ids);
        const lost = matchedThroughout(world, query, reading.from, reading.to).filter((id) => !listed.has(id));
        assert.deepEqual(lost, []);
      }),
      { examples, numRuns: propertyRuns },
    );
    assert.ok(complete > propertyRuns / 10, `${complete} complete`);
  });
});

suite('worlds: a reader that compares pages is deceived', () => {
  const tied = { ...rightService.jobs, count: 12, tied: 6 };
  const queued = { ...rightService.jobs, count: 40, statuses: 'queued' } as const;
  const overlay: Readonly<Record<string, (seed: number) => WorldSpec>> = {
    'by shuffled ties': (seed) => ({ seed, jobs: tied, ties: 'shuffled' }),
    'where completion moves a job and another leaves': (seed) => ({
      seed,
      order: 'completedFirst',
      changes: [
        { ...leaving, what: 'progress', where: 'any' },
        { ...leaving, where: 'any' },
      ],
    }),
    'where a change moves a job and another leaves': (seed) => ({
      seed,
      jobs: queued,
      order: 'changed',
      changes: [
        { ...leaving, what: 'flip', where: 'any' },
        { ...leaving, where: 'any' },
      ],
    }),
    'by a short page that is called the last': (seed) => ({ seed, cut: 'beforeFilterShortIsEnd' }),
    'by a null that comes too early': (seed) => ({ seed, next: { ...rightService.next, nullFrom: 20 } }),
    'by a list that ends at an offset': (seed) => ({ seed, beyond: { at: 20, answer: 'empty', counts: 'end' } }),
  };
  for (const [name, make] of Object.entries(overlay)) {
    test(name, async () => {
      const query: WorldQuery = { ...preRecorded, statuses: ['queued', 'processing', 'done'] };
      const limit = 9;
      let deceived = 0;
      for (let seed = 1; seed <= 200 && deceived === 0; seed++) {
        assert.notEqual(readability(make(seed)).verdict, 'readable');
        const world = new World(make(seed));
        const { ids, from, to, isComplete } = await readByOverlap(world, query, { limit });
        const listed = new Set(ids);
        if (isComplete && matchedThroughout(world, query, from, to).some((id) => !listed.has(id))) deceived += 1;
      }
      assert.equal(deceived, 1);
    });
  }
});

suite('worlds: over HTTP', () => {
  test('answers as in memory, with the Date of the world or none', async (t) => {
    const server = await startWorldServer(
      new World({ dateHeader: 'missing', posts: [{ processed: true, answer: 'breaks', body: 'empty' }] }),
    );
    t.after(() => server.stop());
    const path = listPath(preRecorded, 0, 5);
    const answer = await fetch(`${server.origin}${path}`, { headers: key });
    assert.equal(answer.headers.get('date'), null);
    const twin = new World({ dateHeader: 'missing' });
    twin.origin = server.origin;
    assert.equal(await answer.text(), (await twin.handle('GET', path, key)).body);
    await assert.rejects(fetch(`${server.origin}/v2/pre-recorded`, { method: 'POST', headers: key, body: '{}' }));
    assert.equal(postsReceived(server.world).length, 1);
  });

  test('gives odd statuses and half answers', async (t) => {
    const server = await startWorldServer(
      new World({
        posts: [
          { processed: true, answer: 799, body: 'id' },
          { processed: true, answer: 'cut', body: 'id' },
        ],
      }),
    );
    t.after(() => server.stop());
    const post = { method: 'POST', headers: key, body: '{}' };
    assert.equal((await fetch(`${server.origin}/v2/pre-recorded`, post)).status, 799);
    const cut = await fetch(`${server.origin}/v2/pre-recorded`, post);
    assert.equal(cut.status, 201);
    await assert.rejects(cut.text());
  });
});
