import type { HostileAnswer, HostilePromise } from './hostileAnswer.ts';
import { keyAttacks } from './keyAttacks.ts';
import { roadAttacks } from './roadAttacks.ts';
import { shapeAttacks } from './shapeAttacks.ts';
import { sizeAttacks } from './sizeAttacks.ts';
import { wordAttacks } from './wordAttacks.ts';

/**
 * All hostile responses: too large, of unexpected shape, misusing HTTP, with markup and control characters, or
 * containing the key. `attacks` names the guarantee most at risk; all guarantees hold for all of them.
 */
export const hostileAnswers: readonly HostileAnswer[] = [
  ...sizeAttacks(),
  ...shapeAttacks(),
  ...roadAttacks(),
  ...wordAttacks(),
  ...keyAttacks(),
];

/** Returns the responses that mainly attack a guarantee. */
export function hostileAnswersFor(attacks: HostilePromise): readonly HostileAnswer[] {
  return hostileAnswers.filter((answer) => answer.attacks === attacks);
}
