import { failureCodes } from '../../../../../src/base/failure.ts';
import {
  askedItems,
  maxTurnMs,
  measureSlowness,
  sufferHostileAnswer,
  type HostileEffect,
} from '../../../../support/hostile/hostileGuard.ts';
import { hostileAnswers } from '../../../../support/hostile/hostileAnswers.ts';
import type { HostileAnswer } from '../../../../support/hostile/hostileAnswer.ts';
import { keyFormsIn, markedKey } from '../../../../support/hostile/keyForms.ts';

const maxBytes = 200e6;

/** Timeouts: `light` suffices for every light response that ends, `heavy` for every one; both are short for endless ones. */
const timeoutsMs = { light: 500, heavy: 2000 };

/** Expected results of pages and submissions. */
const ends = new Set(['page', ...failureCodes, 'accepted', 'rejected', 'unknown']);

/**
 * Requests hostile responses of a service one after another.
 * @param methods selects the methods with which to request a response
 */
export async function sufferAnswers(
  origin: string,
  methods: (answer: HostileAnswer, index: number) => readonly ('GET' | 'POST')[],
): Promise<{ readonly effects: number; readonly wrong: readonly string[] }> {
  const slowness = measureSlowness();
  // The first request loads the HTTP library.
  await sufferHostileAnswer(origin, hostileAnswers.length, 'POST', timeoutsMs.heavy);
  const wrong: string[] = [];
  let effects = 0;
  for (const [index, answer] of hostileAnswers.entries()) {
    const timeoutMs = timeoutsMs[answer.weight];
    for (const method of methods(answer, index)) {
      const effect = await sufferHostileAnswer(origin, index, method, timeoutMs);
      effects++;
      const problems = hostileProblems(effect, slowness);
      const isLate = effect.tookMs > 4 * timeoutMs * slowness;
      if (isLate) wrong.push(`${method} ${answer.name}: took ${effect.tookMs.toFixed(0)} ms`);
      if (problems.length > 0) wrong.push(`${method} ${answer.name}: ${problems.join(', ')}`);
    }
  }
  return { effects, wrong };
}

/** Returns the guarantees that an effect violates. */
export function hostileProblems(effect: HostileEffect, slowness: number): readonly string[] {
  const { shown } = effect;
  const forms = new Set(shown.flatMap((text) => keyFormsIn(text, markedKey)));
  return [
    ...(effect.longestTurnMs > maxTurnMs * slowness ? [`a turn of ${effect.longestTurnMs.toFixed(0)} ms`] : []),
    ...(effect.grownBytes > maxBytes ? [`${(effect.grownBytes / 1e6).toFixed(0)} MB`] : []),
    ...(ends.has(effect.end) ? [] : [`ended with ${effect.end}`]),
    ...(effect.entries > askedItems ? [`${effect.entries} entries`] : []),
    ...(effect.lines.some((line) => line.length > 1000 || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(line))
      ? ['a log line that is none']
      : []),
    ...(effect.lines.length > 60 ? [`${effect.lines.length} lines of log`] : []),
    ...[...forms].map((form) => `the key: ${form}`),
  ];
}
