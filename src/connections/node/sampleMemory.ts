import {
  attempt,
  flag,
  formVersion,
  jsonObject,
  list,
  number,
  optional,
  record,
  text,
  Undecodable,
  type Decoded,
} from '../../base/decode/decoder.ts';
import type { Clock } from '../../base/clock.ts';
import type { StateStore } from '../../base/stateStore.ts';
import { dayMs } from '../../base/time.ts';

const submittedJob = record({
  id: text,
  createdAt: number,
  fails: flag,
  errorCode: optional(number),
  fields: jsonObject,
  /** What its request asked for, as the sample service stores it. */
  request: optional(jsonObject),
});
type SubmittedJob = Decoded<typeof submittedJob>;

const formNumber = 1;
const form = record({
  version: formVersion(formNumber),
  /** The options with which the sample service was started. */
  kind: text,
  startedAt: number,
  submitted: list(submittedJob),
});

/** Older sample jobs would not be from today, and thousands of them would have to continue. */
const maxAgeMs = dayMs;
/** Maximum number of jobs submitted to the sample service that continue after a reload, the latest ones. */
const maxSubmitted = 50;
/** Workspace state key: each window has a sample service of its own. */
const memoryName = 'sampleJobs';

/** Options of a sample service with which its jobs continue from their state before the window was reloaded. */
export interface ContinuedSample {
  readonly startedAt: number;
  readonly submitted: readonly SubmittedJob[];
  readonly onSubmitted: (job: Partial<SubmittedJob>) => void;
}

/**
 * Stores when sample jobs began and which jobs were submitted to them. Starts again if the stored data cannot be read, also
 * if it is of a later version: sample jobs are made up, and last a day.
 * @param kind other options with which the service is started; a different kind starts again.
 */
export async function continueSample(
  memory: StateStore,
  clock: Pick<Clock, 'now'>,
  kind: string,
): Promise<ContinuedSample> {
  const nowMs = clock.now();
  const read = attempt(form, memory.get(memoryName));
  const isUsable =
    !(read instanceof Undecodable) &&
    read.kind === kind &&
    read.startedAt <= nowMs &&
    nowMs - read.startedAt < maxAgeMs;
  const startedAt = isUsable ? read.startedAt : nowMs;
  let submitted = isUsable ? read.submitted.slice(-maxSubmitted) : [];
  const write = (): PromiseLike<void> =>
    memory.update(memoryName, { version: formNumber, kind, startedAt, submitted } satisfies Decoded<typeof form>);
  if (!isUsable) await write();
  return {
    startedAt,
    submitted,
    onSubmitted: ({ id, createdAt, fails = false, errorCode, fields = {}, request }) => {
      if (id === undefined || createdAt === undefined) return;
      submitted = [...submitted, { id, createdAt, fails, errorCode, fields, request }].slice(-maxSubmitted);
      void write();
    },
  };
}
