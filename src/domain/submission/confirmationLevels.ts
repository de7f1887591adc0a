import type { RuleLevels } from '../request/check.ts';

const order = ['off', 'hint', 'info', 'warning'] as const;

/**
 * The levels of rules by which a confirmation warns: those of the user. A folder, which may be anybody's, can make a rule stricter here,
 * never milder: it would silence what the user is asked about.
 * @param ofUser what the user's own settings say; `effective` with those of the folder.
 */
export function confirmationLevels(ofUser: RuleLevels, effective: RuleLevels): RuleLevels {
  const levels = new Map(ofUser);
  for (const [code, level] of effective) {
    const own = ofUser.get(code);
    const isStricter =
      own === undefined
        ? level === 'warning'
        : order.findIndex((each) => each === level) > order.findIndex((each) => each === own);
    if (isStricter) levels.set(code, level);
  }
  return levels;
}
