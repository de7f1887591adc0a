import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { failureCodes } from '../../../../src/domain/failure.ts';
import {
  askedItems,
  measured,
  sufferHostileAnswer,
  threadMs,
  type HostileEffect,
} from '../../../support/hostile/hostileGuard.ts';
import { hostileAnswers } from '../../../support/hostile/hostileAnswers.ts';
import { startHostileServer, type HostileRequest, type HostileServer } from '../../../support/hostile/hostileServer.ts';
import { keyForms, keyFormsIn, markedKey } from '../../../support/hostile/keyForms.ts';

/** The guaranteed limit. CPU time of this thread is measured; on a slow machine the limit is scaled accordingly. */
const longestTurnMs = 200;
const mostBytes = 200e6;

/** Long enough for every response that ends, short for those that never do. */
const timeoutMs = 2000;

/** Expected results of pages and submissions. */
const ends = new Set(['page', ...failureCodes, 'accepted', 'rejected', 'unknown']);

let server: HostileServer;
const requests: HostileRequest[] = [];
before(async () => {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  Object.assign(globalThis, { gc });
  server = await startHostileServer((request) => requests.push(request));
  // The first request loads the HTTP library.
  await sufferHostileAnswer(server.origin, hostileAnswers.length, 'POST', timeoutMs);
});
after(() => server.stop());

const isLong = process.env['LONG_RUNS'] !== undefined;

/** All light responses and one heavy one in ten; the long test takes all. */
const isChosen = ({ weight }: { readonly weight: string }, index: number): boolean =>
  weight === 'light' || index % 10 === 0 || isLong;

/** A response to both methods is tried with one of them, alternating; the long test tries both. */
function chosenMethods(index: number): readonly ('GET' | 'POST')[] {
  if (isLong) return ['GET', 'POST'];
  return index % 2 === 0 ? ['GET'] : ['POST'];
}

suite('three hundred hostile answers', () => {
  test('none blocks, fills memory, tells the key, or is more than it was asked for', async () => {
    const slowness = Math.max(1, referenceMs() / 40);
    const wrong: string[] = [];
    let effects = 0;
    for (const [index, answer] of hostileAnswers.entries()) {
      if (!isChosen(answer, index)) continue;
      for (const method of answer.to === 'both' ? chosenMethods(index) : [answer.to]) {
        const effect = await sufferHostileAnswer(server.origin, index, method, timeoutMs);
        effects++;
        const problems = problemsOf(effect, slowness);
        if (problems.length > 0) wrong.push(`${method} ${answer.name}: ${problems.join(', ')}`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(effects >= 300, String(effects));
    const posts = requests.filter(({ method }) => method === 'POST');
    assert.ok(posts.length <= effects);
    assert.equal(({} as { readonly polluted?: unknown }).polluted, undefined);
  });
});

test('what takes too much memory, or holds the event loop, is seen', async () => {
  const held: Buffer[] = [];
  const cost = await measured(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    // Filled with data, because memory pages are only allocated when written.
    for (let piece = 0; piece < 32; piece++) held.push(Buffer.alloc(10e6, 1));
    const untilMs = threadMs() + 2 * longestTurnMs;
    while (threadMs() < untilMs) held.length = 32;
  });
  const effect = { answer: '', method: 'GET', end: 'page', entries: 0, told: [], lines: [] } as const;
  const seen = problemsOf({ ...effect, ...cost, tookMs: 0 }, 1).join(', ');
  assert.match(seen, /^a turn of \d{3,} ms, \d{3,} MB$/u);
  assert.deepEqual(problemsOf({ ...effect, longestTurnMs: 0, grownBytes: 0, tookMs: 0 }, 1), []);
});

function problemsOf(effect: HostileEffect, slowness: number): readonly string[] {
  const { told } = effect;
  const written = [...keyForms].filter(({ kind }) => kind !== 'altered').map(({ name }) => name);
  const forms = new Set(
    told
      .flatMap((text) => keyFormsIn(text, markedKey))
      .filter((form) => written.includes(form) || form.startsWith('part ')),
  );
  return [
    ...(effect.longestTurnMs > longestTurnMs * slowness ? [`a turn of ${effect.longestTurnMs.toFixed(0)} ms`] : []),
    ...(effect.grownBytes > mostBytes ? [`${(effect.grownBytes / 1e6).toFixed(0)} MB`] : []),
    ...(effect.tookMs > 4 * timeoutMs * slowness ? [`took ${effect.tookMs.toFixed(0)} ms`] : []),
    ...(ends.has(effect.end) ? [] : [`ended with ${effect.end}`]),
    ...(effect.entries > askedItems ? [`${effect.entries} entries`] : []),
    ...(effect.lines.some((line) => line.length > 1000 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(line))
      ? ['a log line that is none']
      : []),
    ...(effect.lines.length > 60 ? [`${effect.lines.length} lines of log`] : []),
    ...[...forms].map((form) => `the key: ${form}`),
  ];
}

/** CPU time of a reference task: about 40 ms on the machine for which the guarantee was made. */
function referenceMs(): number {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ id: `job-${index}`, [`field ${index}`]: index })),
  );
  const times = [1, 2, 3].map(() => {
    const startMs = threadMs();
    JSON.parse(text);
    return threadMs() - startMs;
  });
  return Math.min(...times);
}
