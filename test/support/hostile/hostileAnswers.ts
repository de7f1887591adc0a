import type { HostileAnswer, HostilePromise } from './hostileAnswer.ts';
import { keyAttacks } from './keyAttacks.ts';
import { roadAttacks } from './roadAttacks.ts';
import { shapeAttacks } from './shapeAttacks.ts';
import { sizeAttacks } from './sizeAttacks.ts';
import { wordAttacks } from './wordAttacks.ts';

/**
 * All hostile answers: too large, of odd shape, misusing HTTP, with words that are more than words, and with the key. What they
 * attack is what fails first; all promises hold for all of them.
 */
export const hostileAnswers: readonly HostileAnswer[] = [
  ...sizeAttacks(),
  ...shapeAttacks(),
  ...roadAttacks(),
  ...wordAttacks(),
  ...keyAttacks(),
];

/** Those that attack a promise, or all light ones. */
export function hostileAnswersFor(attacks: HostilePromise): readonly HostileAnswer[] {
  return hostileAnswers.filter((answer) => answer.attacks === attacks);
}
