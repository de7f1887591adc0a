import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { maxTurnMs, measured, threadMs } from '../../../../support/hostile/hostileGuard.ts';
import {
  startHostileServer,
  type HostileRequest,
  type HostileServer,
} from '../../../../support/hostile/hostileServer.ts';
import { hostileProblems, sufferAnswers } from './hostileSuffering.ts';
import { exposeGarbageCollection } from '../../../../support/hostile/exposeGarbageCollection.ts';

let server: HostileServer;
const requests: HostileRequest[] = [];
before(async () => {
  exposeGarbageCollection();
  server = await startHostileServer((request) => requests.push(request));
});
after(() => server.stop());

suite('three hundred hostile responses', () => {
  test('none blocks, fills memory, reveals the key, or returns more items than requested', async () => {
    // All light responses, large items, and one in twenty of the other heavy ones, each with one method; a release tries the others.
    const { effects, wrong } = await sufferAnswers(server.origin, ({ name, to, weight }, index) => {
      if (name.startsWith('a large item')) return ['GET'];
      if (weight === 'heavy' && index % 20 !== 0) return [];
      if (to !== 'both') return [to];
      return index % 2 === 0 ? ['GET'] : ['POST'];
    });
    assert.deepEqual(wrong, []);
    assert.ok(effects >= 300, String(effects));
    const posts = requests.filter(({ method }) => method === 'POST');
    assert.ok(posts.length <= effects);
    assert.equal(({} as { readonly polluted?: unknown }).polluted, undefined);
  });
});

test('too much memory and a blocked event loop are detected', async () => {
  const held: Buffer[] = [];
  const cost = await measured(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    // Filled with data, because memory pages are only allocated when written.
    for (let piece = 0; piece < 32; piece++) held.push(Buffer.alloc(10e6, 1));
    const untilMs = threadMs() + 2 * maxTurnMs;
    while (threadMs() < untilMs) held.length = 32;
  });
  const effect = { answer: '', method: 'GET', end: 'page', entries: 0, shown: [], lines: [] } as const;
  const seen = hostileProblems({ ...effect, ...cost, tookMs: 0 }, 1).join(', ');
  assert.match(seen, /^a turn of \d{3,} ms, \d{3,} MB$/u);
  assert.deepEqual(hostileProblems({ ...effect, longestTurnMs: 0, grownBytes: 0, tookMs: 0 }, 1), []);
});
