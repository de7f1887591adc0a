import type { Random } from '../../../src/sample/random.ts';
import { filter, loadMore, refresh, scroll, toggle } from './browseActions.ts';
import { closeAll, openBeside, openJob } from './jobActions.ts';
import type { Action } from './action.ts';
import { useBoard } from './boardAction.ts';
import { submitBatch, useBatch } from './batchActions.ts';
import { handleFailures, resubmit, searchTranscript } from './dayActions.ts';
import { saveTranscript } from './saveAction.ts';
import { submitRequest } from './submitAction.ts';
import { staying } from '../connection.ts';

/** The possible actions with their relative frequencies. */
export type ActionPlan = readonly (readonly [name: string, share: number, action: Action])[];

/** The actions of users with the product, all of which leave the connection unchanged. */
export const actionPlan: ActionPlan = (
  [
    ['refresh', 4, refresh],
    ['load more', 6, loadMore],
    ['open or close a group', 4, toggle],
    ['scroll', 4, scroll],
    ['filter', 3, filter],
    ['open a job', 6, openJob],
    ['open beside or as JSON', 2, openBeside],
    ['use the board', 2, useBoard],
    ['search a transcript', 3, searchTranscript],
    ['save a transcript', 2, saveTranscript],
    ['handle failures', 2, handleFailures],
    ['resubmit', 2, resubmit],
    ['close all', 1, closeAll],
    ['submit', 3, submitRequest],
    ['submit a batch', 2, submitBatch],
    ['use a batch', 2, useBatch],
  ] satisfies ActionPlan
).map(([name, share, action]) => [name, share, staying(action)]);

/** Picks an action at random, in proportion to its share. */
export function pickAction(plan: ActionPlan, random: Random): readonly [name: string, action: Action] {
  let left = random.next() * plan.reduce((sum, [, share]) => sum + share, 0);
  const picked = plan.find(([, share]) => (left -= share) < 0) ?? plan[0];
  if (picked === undefined) throw new RangeError('an empty plan');
  return [picked[0], picked[2]];
}
