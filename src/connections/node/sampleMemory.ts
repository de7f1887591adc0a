import {
  attempt,
  flag,
  formVersion,
  jsonObject,
  list,
  number,
  record,
  text,
  Undecodable,
  type Decoded,
} from '../../base/decode/decoder.ts';
import type { Clock } from '../../base/clock.ts';
import type { StateStore } from '../../base/stateStore.ts';

const submittedJob = record({ id: text, createdAt: number, fails: flag, fields: jsonObject });
type SubmittedJob = Decoded<typeof submittedJob>;

const formNumber = 1;
const form = record({
  version: formVersion(formNumber),
  /** What the sample service was started with. */
  kind: text,
  startedAt: number,
  submitted: list(submittedJob),
});

/** Older sample jobs would no longer be of today, and there would be thousands of them to go on with. */
const longestMs = 24 * 60 * 60 * 1000;
/** Jobs that were submitted to the sample service go on after a reload, the latest of them. */
const maxSubmitted = 50;
/** Workspace state key: each window has a sample service of its own. */
const memoryName = 'sampleJobs';

/** The part of a sample service's options that lets its jobs go on where they were before the window was reloaded. */
export interface ContinuedSample {
  readonly startedAt: number;
  readonly submitted: readonly SubmittedJob[];
  readonly onSubmitted: (job: Partial<SubmittedJob>) => void;
}

/**
 * Remembers when sample jobs began and what was submitted to them. Whatever cannot be read begins anew.
 * @param kind what else the service is started with: another one begins anew.
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
    nowMs - read.startedAt < longestMs;
  const startedAt = isUsable ? read.startedAt : nowMs;
  let submitted = isUsable ? read.submitted.slice(-maxSubmitted) : [];
  const write = (): PromiseLike<void> =>
    memory.update(memoryName, { version: formNumber, kind, startedAt, submitted } satisfies Decoded<typeof form>);
  if (!isUsable) await write();
  return {
    startedAt,
    submitted,
    onSubmitted: ({ id, createdAt, fails = false, fields = {} }) => {
      if (id === undefined || createdAt === undefined) return;
      submitted = [...submitted, { id, createdAt, fails, fields }].slice(-maxSubmitted);
      void write();
    },
  };
}
