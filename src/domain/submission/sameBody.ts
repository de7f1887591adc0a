import { mayHaveJob, type Submission } from './submission.ts';

/** After a day, sending the same again is a new wish and no slip. */
export const rememberedMs = 24 * 3_600_000;

/** The newest submission of the same body for which a job may exist; undefined when there is none of the last day. */
export function sameBodySent(
  submissions: readonly Submission[],
  bodyHash: string,
  nowMs: number,
): Submission | undefined {
  return submissions
    .filter((each) => each.bodyHash === bodyHash && mayHaveJob(each) && nowMs - each.sentAtMs < rememberedMs)
    .toSorted((a, b) => b.sentAtMs - a.sentAtMs)[0];
}
