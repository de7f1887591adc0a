import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { failureCodes } from '../../../../src/domain/failure.ts';
import {
  askedItems,
  sufferHostileAnswer,
  threadMs,
  type HostileEffect,
} from '../../../support/hostile/hostileGuard.ts';
import { hostileAnswers } from '../../../support/hostile/hostileAnswers.ts';
import { startHostileServer, type HostileRequest, type HostileServer } from '../../../support/hostile/hostileServer.ts';
import { keyForms, keyFormsIn, markedKey } from '../../../support/hostile/keyForms.ts';

/** What is promised, and what is measured is the work of this thread alone: on a slow machine it is as many times longer. */
const longestTurnMs = 200;
const mostBytes = 200e6;

/** Long enough for every answer that ends, short for those that never do. */
const timeoutMs = 2000;

/** Ends that are no surprise, for pages and for submissions. */
const ends = new Set(['page', ...failureCodes, 'accepted', 'rejected', 'unknown']);

let server: HostileServer;
const requests: HostileRequest[] = [];
before(async () => {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  Object.assign(globalThis, { gc });
  server = await startHostileServer((request) => requests.push(request));
  // The HTTP library is loaded with the first request.
  await sufferHostileAnswer(server.origin, hostileAnswers.length, 'POST', timeoutMs);
});
after(() => server.stop());

const isLong = process.env['LONG_RUNS'] !== undefined;

/** All light answers and one heavy one in ten; the long test takes all. */
const isChosen = ({ weight }: { readonly weight: string }, index: number): boolean =>
  weight === 'light' || index % 10 === 0 || isLong;

/** An answer that may come to both is tried with one, in turns; in the long test with both. */
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

/** What a usual piece of work costs here: some 40 ms on the machine on which the promise was made. */
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
