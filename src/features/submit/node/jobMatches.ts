import { hourMs } from '../../../base/time.ts';
import {
  creationWindow,
  isCertainlyOther,
  matchConfidence,
  type AudioMatch,
  type MatchConfidence,
  type TimeWindow,
} from '../common/matchConfidence.ts';
import type { Job } from '../../../jobs/common/job.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { readAll } from '../../../jobs/node/list/readAll.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';

/** A job that a submission may have created. */
export interface JobMatch {
  readonly job: Job;
  readonly confidence: MatchConfidence;
}

/** Result of searching the service's list. */
export interface JobMatches {
  /** Most likely first. */
  readonly candidates: readonly JobMatch[];
  /** All jobs that the service lists for that time were checked. */
  readonly complete: boolean;
  /** The whole list was read, and each of its jobs certainly belongs to another submission. */
  readonly isCertainlyNone: boolean;
  /** Number of jobs that the service listed for that time. */
  readonly listed: number;
  /** The time range searched. */
  readonly window: TimeWindow;
  /** The range uses the service's clock; the local clock when the service does not send its time. */
  readonly isServiceClock: boolean;
}

/** Dependencies of the search besides the submission. */
export interface JobMatchDeps {
  readonly source: ListReader;
  readonly clock: Pick<Clock, 'now'>;
  readonly isAudio: AudioMatch;
  /** Jobs that belong to other submissions; only a tag makes one of them a candidate. */
  readonly others: ReadonlySet<string>;
}

const pageLimit = 100;
/** Max number of items to read; a longer list for these few minutes shows that the service ignored the dates. */
const maxItems = 2000;
/** Max error of job dates seen in services, in milliseconds. */
const misdatedMs = hourMs;
const order: readonly MatchConfidence[] = ['tag', 'audio', 'time'];

/**
 * Searches the service's list for the job that a submission created. Sends GETs only: one for the service's clock, then queries for the
 * minutes around the submission. If these show neither tag nor audio, reads the list from its beginning, because the service may date jobs
 * in another way, or not at all.
 * @throws Failure from the source.
 */
export async function listJobMatches(
  deps: JobMatchDeps,
  submission: Submission,
  signal: AbortSignal,
): Promise<JobMatches> {
  const { source, clock } = deps;
  const { serviceDateMs } = await source.readPage('pre-recorded', { limit: 1 }, signal);
  const window = creationWindow(submission, (serviceDateMs ?? clock.now()) - clock.now());
  const params = {
    afterDate: new Date(window.fromMs).toISOString(),
    beforeDate: new Date(window.untilMs).toISOString(),
  };
  const near = await look(deps, submission, window, params, signal);
  const facts = { listed: near.jobs, window, isServiceClock: serviceDateMs !== undefined };
  if (near.candidates.some(({ confidence }) => confidence !== 'time')) {
    return { ...facts, ...near, candidates: sorted(near.candidates), isCertainlyNone: false };
  }
  const wide = { fromMs: window.fromMs - misdatedMs, untilMs: window.untilMs + misdatedMs };
  const far = await look(deps, submission, wide, {}, signal);
  const surer = far.candidates.filter(({ confidence }) => confidence !== 'time');
  return {
    ...facts,
    candidates: sorted([...surer, ...near.candidates]),
    complete: near.complete,
    isCertainlyNone: near.complete && far.complete && near.allOther && far.allOther,
  };
}

interface Look {
  readonly candidates: readonly JobMatch[];
  readonly complete: boolean;
  readonly jobs: number;
  /** Each of the jobs certainly belongs to another submission. */
  readonly allOther: boolean;
}

async function look(
  { source, isAudio, others }: JobMatchDeps,
  submission: Submission,
  window: TimeWindow,
  params: { readonly afterDate?: string; readonly beforeDate?: string },
  signal: AbortSignal,
): Promise<Look> {
  const candidates: JobMatch[] = [];
  let jobs = 0;
  let items = 0;
  let allOther = true;
  const query = { endpoint: 'pre-recorded', params } as const;
  for await (const batch of readAll(source, query, { limit: pageLimit, concurrency: 1, signal })) {
    for (const job of batch.entries) {
      if (job.type !== 'job') {
        allOther = false;
        continue;
      }
      jobs++;
      const confidence = matchConfidence(submission, job, window, isAudio);
      if (confidence === 'tag') return { candidates: [{ job, confidence }], complete: true, jobs, allOther: false };
      allOther &&= others.has(job.id) || isCertainlyOther(submission, job, window, isAudio);
      if (confidence !== undefined && !others.has(job.id)) candidates.push({ job, confidence });
    }
    items += batch.entries.length;
    if (batch.endedBy !== undefined || items >= maxItems) return { candidates, complete: false, jobs, allOther };
  }
  return { candidates, complete: true, jobs, allOther };
}

function sorted(candidates: readonly JobMatch[]): readonly JobMatch[] {
  return candidates.toSorted((a, b) => order.indexOf(a.confidence) - order.indexOf(b.confidence));
}
