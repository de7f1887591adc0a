import { t } from '@vscode/l10n';
import { capitalized, type Locale } from '../../../base/format.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/json.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { describeFailedNames, listFailedAddOns, nameFailedAddOns } from '../../../jobs/common/failedAddOns.ts';
import { metadataOf, readItemFacts } from '../../../jobs/common/itemFacts.ts';
import { isUnfinished, type Job } from '../../../jobs/common/job.ts';
import { describeErrorCode, describeStatus, shownText } from '../../../jobs/common/jobRow.ts';
import { withFate, type JobFate, type SubmissionOutcome } from '../../../jobs/common/submission.ts';
import { maxLeftOut, type Batch, type BatchItem, type RepeatedJob } from './batch.ts';
import { fateIn } from './batchCounts.ts';
import { describeResubmission, outcomeLabel, outcomeSentence, submittedName } from './submissionText.ts';

/** State of a row. They are in the order in which a page shows them: first what needs a decision. */
export const batchStates = [
  'error',
  'rejected',
  'partly',
  'unknown',
  'notSent',
  'sending',
  'accepted',
  'queued',
  'processing',
  'other',
  'resubmitted',
  'done',
  'leftOut',
] as const;
type BatchState = (typeof batchStates)[number];

/** One row of a batch's page: a request that was sent or is left, or a row of the list that was left out. Safe to show, but for its metadata. */
export interface BatchRow {
  readonly state: BatchState;
  /** The state in words. */
  readonly stateText: string;
  readonly title: string;
  /** Name of the audio file, followed by its host if it comes from a list. */
  readonly audio: string | undefined;
  readonly errorCode: number | undefined;
  /** Why the request or its job failed, or why the row was left out. */
  readonly reason: string | undefined;
  readonly submittedAtMs: number | undefined;
  /** Metadata of its job as the service sent them; empty if the job was not read. */
  readonly metadata: JsonObject;
  /** Id of the job as the service sent it. */
  readonly id: string | undefined;
  /** URI of the request file; undefined for a left-out row. */
  readonly file: string | undefined;
  /** Key of the request in its batch, if it was sent. */
  readonly item: string | undefined;
}

/** Inputs of rows besides their batch. */
export interface BatchFacts {
  /** Returns a job as last observed; undefined if it was not read. */
  readonly jobOf: (id: string) => Job | undefined;
  readonly titleOf: (job: Job) => string;
  /** User's labels for error codes, by code. */
  readonly errorLabels: Readonly<Record<string, string>>;
  /** Explains an error code without a label; undefined if its meaning is unknown. */
  readonly explainCode: (code: number) => string | undefined;
  readonly locale: Locale;
  /** Masks the key in the beginning of a text. Applied before a text is cut, because a part of the key is not recognized. */
  readonly mask: (text: string) => string;
}

/** A request of a batch that was not sent yet. */
export type UntriedRequest = Pick<BatchItem, 'file'> & Pick<RepeatedJob, 'label'>;

/** Maximum lengths in characters. */
const maxNameLength = 200;
const maxReasonLength = 500;
const maxFileLength = 2000;

/** Returns the batch with the final states of these jobs, which are newer than those of the ledgers. */
export function withJobs(batch: Batch, jobOf: BatchFacts['jobOf']): Batch {
  const updated = <T extends Pick<BatchItem, 'outcome'>>(sent: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map(
      [...sent].map(([key, each]) => {
        const { outcome } = each;
        const job = outcome.type === 'accepted' && outcome.id !== undefined ? jobOf(outcome.id) : undefined;
        const fate = job && fateOf(job);
        return fate === undefined || outcome.type !== 'accepted'
          ? [key, each]
          : [key, { ...each, outcome: withFate(outcome, fate) }];
      }),
    );
  return { ...batch, items: updated(batch.items), resubmitted: updated(batch.resubmitted) };
}

/** Returns how a job ended; undefined while it has not. */
export function fateOf(job: Job): JobFate | undefined {
  const { status, errorCode } = job;
  if (status === 'error') return { status, errorCode };
  if (status !== 'done') return undefined;
  const failedAddOns = nameFailedAddOns(job);
  return failedAddOns.length === 0 ? { status } : { status, failedAddOns };
}

/**
 * Returns the rows of a batch in the order of their states, then as sent.
 * @param batch from {@link withJobs}
 * @param untried the requests that were not sent yet, as far as the batch names them
 */
export function batchRows(batch: Batch, untried: readonly UntriedRequest[], facts: BatchFacts): readonly BatchRow[] {
  const rows = [
    ...[...batch.items.values()].map((item) => rowOfItem(item, batch, facts)),
    ...untried.map((each) => rowOfUntried(each, facts)),
    ...leftOutRows(batch),
  ];
  const rank = new Map(batchStates.map((state, index) => [state, index]));
  return rows.toSorted((a, b) => (rank.get(a.state) ?? 0) - (rank.get(b.state) ?? 0));
}

function rowOfItem(
  { item, label, file, outcome, sentAtMs }: BatchItem,
  { resubmitted }: Batch,
  facts: BatchFacts,
): BatchRow {
  const id = outcome.type === 'accepted' ? outcome.id : undefined;
  const job = id === undefined ? undefined : facts.jobOf(id);
  const fate = fateIn(outcome);
  const name = nameOf(label);
  const { state, stateText } = stateOf(outcome, job, facts);
  const again = id === undefined ? undefined : resubmitted.get(id)?.outcome;
  const reason = reasonOf(outcome, job, facts);
  return {
    // A partial failure keeps its state: what the job has can be saved.
    state: again !== undefined && state === 'error' ? 'resubmitted' : state,
    stateText:
      again === undefined ? stateText : fateIn(again)?.status === 'error' ? t('Failed again') : t('Resubmitted'),
    title: job === undefined ? name : oneLine(facts.titleOf(job), maxNameLength),
    // In a batch of files, the label is the name of the request file.
    audio: label === fileName(file) ? audioOf(job, facts.mask) : audioName(label),
    errorCode: fate?.errorCode,
    reason:
      again?.type === 'accepted' && again.id !== undefined
        ? oneLine(
            facts.mask([describeResubmission(facts.mask(again.id), fateIn(again)), reason ?? ''].join(' ').trim()),
            maxReasonLength,
          )
        : reason,
    submittedAtMs: sentAtMs ?? job?.createdAtMs,
    metadata: job === undefined ? {} : metadataOf(job),
    id,
    file,
    item,
  };
}

function rowOfUntried({ file, label }: UntriedRequest, { locale }: BatchFacts): BatchRow {
  return {
    state: 'notSent',
    stateText: capitalized(outcomeLabel(untried), locale),
    title: nameOf(label ?? fileName(file)),
    audio: label === undefined ? undefined : audioName(label),
    errorCode: undefined,
    reason: undefined,
    submittedAtMs: undefined,
    metadata: {},
    id: undefined,
    file,
    item: undefined,
  };
}

const untried: SubmissionOutcome = { type: 'notSent', code: 'cancelled' };

/** Returns the rows of the list that were left out before the batch was confirmed, each with the reason. */
function leftOutRows({ plan: { leftOut = [] } }: Batch): readonly BatchRow[] {
  const rowOf = (title: string, reason: string | undefined): BatchRow => ({
    state: 'leftOut',
    stateText: t('Left out'),
    title,
    audio: undefined,
    errorCode: undefined,
    reason,
    submittedAtMs: undefined,
    metadata: {},
    id: undefined,
    file: undefined,
    item: undefined,
  });
  const rows = leftOut.map(({ row, reason }) => rowOf(t('Row {0}', row), oneLine(reason, maxReasonLength)));
  return leftOut.length < maxLeftOut ? rows : [...rows, rowOf(t('Further rows are not listed.'), undefined)];
}

function stateOf(
  outcome: SubmissionOutcome,
  job: Job | undefined,
  { locale, mask }: BatchFacts,
): Pick<BatchRow, 'state' | 'stateText'> {
  const fate = fateIn(outcome);
  const unsettled = fate === undefined && job !== undefined && isUnfinished(job) ? job.status : undefined;
  const status = fate?.status ?? unsettled;
  if (fate?.failedAddOns !== undefined) return { state: 'partly', stateText: t('Failed in part') };
  if (status !== undefined) {
    const { tone, text } = describeStatus(mask(status));
    return { state: tone === 'unknown' ? 'other' : tone, stateText: text };
  }
  // An accepted request without an id may be any job of the list.
  const state = outcome.type === 'accepted' && outcome.id === undefined ? 'unknown' : outcome.type;
  return { state, stateText: capitalized(outcomeLabel(outcome), locale) };
}

function reasonOf(
  outcome: SubmissionOutcome,
  job: Job | undefined,
  { errorLabels, explainCode, mask }: BatchFacts,
): string | undefined {
  const fate = fateIn(outcome);
  if (fate === undefined) {
    const isPlain = outcome.type === 'accepted' && outcome.id !== undefined;
    return isPlain ? undefined : oneLine(mask(outcomeSentence(outcome)), maxReasonLength);
  }
  if (fate.failedAddOns !== undefined) {
    const listed = job === undefined ? [] : listFailedAddOns(job, mask);
    return oneLine(listed.length > 0 ? listed.join(' ') : describeFailedNames(fate.failedAddOns), maxReasonLength);
  }
  const { errorCode } = fate;
  if (errorCode === undefined) return undefined;
  return Object.hasOwn(errorLabels, String(errorCode))
    ? describeErrorCode(errorCode, errorLabels)
    : explainCode(errorCode);
}

/** Returns the name of a request without its host and the ending of request files. */
function nameOf(label: string): string {
  const end = label.slice(-maxFileLength);
  const name = end.slice(end.lastIndexOf('/') + 1);
  return oneLine(name, maxNameLength).replace(/\.transcription\.json$/u, '');
}

/** Puts the file name first: narrow columns cut the end off. @param label host and file name */
function audioName(label: string): string {
  const name = label.slice(label.lastIndexOf('/') + 1);
  const [host = ''] = label.split('/', 1);
  return oneLine(name === '' || name === label ? label : `${name} · ${host}`, maxNameLength);
}

function fileName(file: string): string {
  return submittedName({ file: file.slice(-maxFileLength), label: undefined });
}

function audioOf(job: Job | undefined, mask: BatchFacts['mask']): string | undefined {
  const file = job === undefined ? undefined : readItemFacts(job, ['file'])['file'];
  return isJsonObject(file) ? shownText(file, 'filename', mask) : undefined;
}
