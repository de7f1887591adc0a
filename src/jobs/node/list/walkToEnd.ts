import { isWhole } from './endProof.ts';
import { type ListWalk, type WalkDeps } from './listWalk.ts';
import { stepWalk, type WalkStep } from './stepWalk.ts';
import { PagesAhead } from './pagesAhead.ts';

/** Max consecutive steps without progress: a list that moves as fast as it is read has no end. */
const maxVainSteps = 20;

interface WalkToEnd {
  /** Items per request. */
  readonly limit: number;
  /** Distance between the offsets of two pages: the number of items that the service really returns. */
  readonly stride: number;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  /** Adds the entries of a step to the known ones. Returns the number of different items read so far. */
  readonly add: (step: WalkStep) => number;
  /** Runs a step or a proof, and repeats it if that may help. Runs it once by default. */
  readonly insist?: <T>(read: () => Promise<T>) => Promise<T>;
  /** The first step, if it was made already. */
  readonly first?: WalkStep;
}

/**
 * Reads a list to its end, several pages at a time. Adds each step before yielding it. The walk is only complete if
 * nothing contradicts that.
 * @throws Failure from the service
 */
export async function* walkToEnd(
  begun: ListWalk,
  walked: WalkDeps,
  { limit, stride, concurrency, signal, add, insist = (read) => read(), first }: WalkToEnd,
): AsyncGenerator<WalkStep, void, undefined> {
  const ahead = new PagesAhead(walked.fetchPage, stride, concurrency, signal);
  const readAhead: WalkDeps = { ...walked, fetchPage: ahead.page.bind(ahead), fetchApart: walked.fetchPage };
  const beyond = ahead.beyond.bind(ahead);
  let walk = begun;
  let step = first;
  let furthest = begun.received;
  let vain = 0;
  try {
    while (step !== undefined || walk.hasMore) {
      const before = walk;
      step ??= await insist(() => stepWalk(before, readAhead, limit));
      const count = add(step);
      const { walk: after } = step;
      const isDoubted =
        after.isComplete && !(await insist(() => isWhole({ walk: after, walked: readAhead, count, limit, beyond })));
      walk = isDoubted ? { ...after, isComplete: false } : after;
      vain = walk.received > furthest ? 0 : vain + 1;
      furthest = Math.max(furthest, walk.received);
      const isLost = step.isLost || (walk.hasMore && vain >= maxVainSteps);
      yield { ...step, walk: isLost ? { ...walk, moved: true } : walk, isLost };
      if (isLost) return;
      step = undefined;
    }
  } finally {
    ahead.stop();
  }
}
