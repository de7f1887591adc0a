import { creationWindow, matchConfidence, type MatchConfidence } from '../../domain/submission/matchConfidence.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { readAll } from '../list/readAll.ts';
import { type PageSource, digest } from '../ports.ts';
import type { Clock } from '../clock.ts';

/** A job that a submission may have made. */
export interface JobMatch {
  readonly job: Job;
  readonly confidence: MatchConfidence;
}

/** What a look at the service's list has brought. */
export interface JobMatches {
  /** The likeliest first. */
  readonly candidates: readonly JobMatch[];
  /** Everything that the service lists of that time was looked at. */
  readonly complete: boolean;
}

const pageLimit = 100;
/** A list of the few minutes in question that is longer than this is not what was asked for. */
const mostItems = 2000;
const order: readonly MatchConfidence[] = ['tag', 'audio', 'time'];

/**
 * Looks in the service's list for the job that a submission made. Sends GETs only: one for the service's clock, and those that read
 * the minutes around the submission.
 * @param others jobs that belong to other submissions; only a tag makes one of them a candidate.
 * @throws Failure as the source does.
 */
export async function listJobMatches(
  source: PageSource,
  submission: Submission,
  others: ReadonlySet<string>,
  clock: Pick<Clock, 'now'>,
  signal: AbortSignal,
): Promise<JobMatches> {
  const { serviceDateMs = clock.now() } = await source.listJobs('pre-recorded', { limit: 1 }, signal);
  const window = creationWindow(submission, serviceDateMs - clock.now());
  const params = {
    afterDate: new Date(window.fromMs).toISOString(),
    beforeDate: new Date(window.untilMs).toISOString(),
  };
  const candidates: JobMatch[] = [];
  let items = 0;
  const question = { endpoint: 'pre-recorded', params } as const;
  for await (const batch of readAll(source, question, { limit: pageLimit, concurrency: 1, signal })) {
    for (const job of batch.entries) {
      if (job.type !== 'job') continue;
      const like = matchConfidence(submission, job, window, digest);
      if (like === 'tag') return { candidates: [{ job, confidence: like }], complete: true };
      if (like !== undefined && !others.has(job.id)) candidates.push({ job, confidence: like });
    }
    items += batch.entries.length;
    if (batch.endedBy !== undefined || items >= mostItems) return { candidates: sorted(candidates), complete: false };
  }
  return { candidates: sorted(candidates), complete: true };
}

function sorted(candidates: readonly JobMatch[]): readonly JobMatch[] {
  return candidates.toSorted((a, b) => order.indexOf(a.confidence) - order.indexOf(b.confidence));
}
