import { t } from '@vscode/l10n';
import { formatMoment, type Locale } from '../../../base/format.ts';
import { describeErrorCode } from '../../../jobs/common/jobRow.ts';
import { oneLine } from '../../../base/outsideText.ts';
import type { TextRange } from '../../../language/requestLanguage.ts';
import type { SubmissionOutcome } from '../../../jobs/common/submission.ts';
import { outcomeSentence, outcomeLabel, submittedName } from './submissionText.ts';
import { maxLeftOut, type Batch, type BatchItem, type BatchPlan, type RepeatedJob } from './batch.ts';

/** A link in the summary. */
interface SummaryLink extends TextRange {
  readonly target:
    | { readonly type: 'file'; readonly uri: string }
    | { readonly type: 'job'; readonly id: string }
    | { readonly type: 'action'; readonly action: BatchAction };
}

/** A request of a batch that was not sent yet, with the URI of its file. */
type UntriedRequest = Pick<BatchItem, 'file'> & Pick<RepeatedJob, 'label'>;

/** Actions that a batch's report offers. */
export type BatchAction = 'check' | 'resubmit';

/** A batch as a document: its counts, then one line per request. */
export interface BatchSummary {
  readonly text: string;
  readonly links: readonly SummaryLink[];
}

/** @param untried the requests that were not sent yet; requests without a label are named after their file. */
export function batchSummary(batch: Batch, untried: readonly UntriedRequest[], locale: Locale): BatchSummary {
  const { plan, items } = batch;
  const head = [
    t('{0} requests to {1}, {2}', plan.total, oneLine(plan.connection), formatMoment(plan.startedAtMs, locale)),
    batchFates(batch),
    '',
  ];
  const isFollowed = hasFates(batch);
  const rows: readonly Row[] = [
    ...[...items.values()].map((item) => rowOf(item, isFollowed)),
    ...untried.map(({ file, label }) => ({
      word: outcomeLabel(untriedOutcome),
      file,
      label: oneLine(label ?? fileName(file)),
      end: '',
      job: undefined,
    })),
  ];
  const width = rows.reduce((max, { word }) => Math.max(max, word.length), 0);
  const labelWidth = rows.reduce((max, { label }) => Math.max(max, label.length), 0);
  const lines: string[] = [];
  const links: SummaryLink[] = [];
  const offers = actionsOf(batch);
  if (offers.length > 0) {
    let start = head.join('\n').length;
    for (const [action, label] of offers) {
      links.push({ offset: start, length: label.length, target: { type: 'action', action } });
      start += label.length + between.length;
    }
    head.splice(2, 0, offers.map(([, label]) => label).join(between));
  }
  let offset = head.join('\n').length + 1;
  for (const { word, file, label, end, job } of rows) {
    const begin = `${word.padEnd(width)}  `;
    const line = `${begin}${label.padEnd(Math.min(labelWidth, widestLabel))}  ${end}`.trimEnd();
    links.push({ offset: offset + begin.length, length: label.length, target: { type: 'file', uri: file } });
    if (job !== undefined) {
      links.push({ offset: offset + line.length - job.length, length: job.length, target: { type: 'job', id: job } });
    }
    lines.push(line);
    offset += line.length + 1;
  }
  return { text: `${[...head, ...lines, ...leftOutLines(plan)].join('\n')}\n`, links };
}

/** Lists the rows of the list that were left out before the batch was confirmed, each with the reason. */
function leftOutLines({ leftOut = [] }: BatchPlan): readonly string[] {
  if (leftOut.length === 0) return [];
  const rows = leftOut.map(({ row, reason }) => t('Row {0}: {1}', row, oneLine(reason)));
  const more = leftOut.length < maxLeftOut ? [] : [t('Further rows are not listed.')];
  return ['', t('Left out of the list:'), ...rows, ...more];
}

/** Formats the number of requests per outcome: "12 accepted · 1 rejected · 27 not sent". */
export function batchCounts(batch: Batch): string {
  return countText(batch, outcomeLabel);
}

/**
 * Formats the same counts with the final states of jobs, if at least one is known: "18 done · 2 failed · 3 accepted · 1 rejected". A job
 * without a known final state stays accepted: it may or may not still run.
 */
export function batchFates(batch: Batch): string {
  const isFollowed = hasFates(batch);
  return countText(batch, (outcome, count) => fateLabel(outcome, isFollowed, count), [t('done'), t('failed')]);
}

/** @param first words that come first; the others follow in the order of the batch */
function countText(
  batch: Batch,
  labelOf: (outcome: SubmissionOutcome, count?: number) => string,
  first: readonly string[] = [],
): string {
  const counts = new Map(first.map((word) => [word, { count: 0, outcome: untriedOutcome }]));
  const add = (outcome: SubmissionOutcome, more: number): void => {
    const word = labelOf(outcome);
    counts.set(word, { count: (counts.get(word)?.count ?? 0) + more, outcome });
  };
  for (const { outcome } of batch.items.values()) add(outcome, 1);
  const untried = batch.plan.total - batch.items.size;
  if (untried > 0) add(untriedOutcome, untried);
  const shown = [...counts.values()].filter(({ count }) => count > 0);
  return shown.map(({ count, outcome }) => `${count} ${labelOf(outcome, count)}`).join(' · ');
}

/** In characters: a longer name shifts only the end of its own line. */
const widestLabel = 80;

/** Longer than any id that is taken from a response, so that the link names the job. */
const maxIdLength = 500;

interface Row {
  readonly word: string;
  readonly file: string;
  readonly label: string;
  readonly end: string;
  readonly job: string | undefined;
}

const untriedOutcome: SubmissionOutcome = { type: 'notSent', code: 'cancelled' };

function rowOf({ outcome, file, label }: BatchItem, isFollowed: boolean): Row {
  const job = outcome.type === 'accepted' && outcome.id !== undefined ? oneLine(outcome.id, maxIdLength) : undefined;
  const code = outcome.type === 'accepted' ? outcome.fate?.errorCode : undefined;
  const why = code === undefined ? '' : `${describeErrorCode(code, {})}  `;
  const end = job === undefined ? outcomeSentence(outcome) : `${why}${job}`;
  return { word: fateLabel(outcome, isFollowed), file, label: oneLine(label), end, job };
}

/**
 * Formats an outcome, or the final state of its job, in a few words.
 * @param isFollowed true if the final state of any job of the batch is known
 */
export function fateLabel(outcome: SubmissionOutcome, isFollowed = true, count = 1): string {
  if (outcome.type !== 'accepted' || outcome.id === undefined || !isFollowed) return outcomeLabel(outcome, count);
  switch (outcome.fate?.status) {
    case 'done':
      return count === 1 ? t('done') : t({ message: 'done', comment: ['several'] });
    case 'error':
      return t('failed');
    case undefined:
      return outcomeLabel(outcome, count);
  }
}

function hasFates({ items }: Batch): boolean {
  return [...items.values()].some(({ outcome }) => outcome.type === 'accepted' && outcome.fate !== undefined);
}

/** Returns the ids of a batch's failed jobs, and of its jobs whose final state is unknown. */
export function jobsOfBatch({ items }: Batch): {
  readonly failed: readonly string[];
  readonly open: readonly string[];
} {
  const failed: string[] = [];
  const open: string[] = [];
  for (const { outcome } of items.values()) {
    if (outcome.type !== 'accepted' || outcome.id === undefined) continue;
    if (outcome.fate === undefined) open.push(outcome.id);
    else if (outcome.fate.status === 'error') failed.push(outcome.id);
  }
  return { failed, open };
}

const between = '   ';

function actionsOf(batch: Batch): readonly (readonly [BatchAction, string])[] {
  const { failed, open } = jobsOfBatch(batch);
  return [
    ...(failed.length > 0 ? [['resubmit', t('Resubmit {0} Failed…', failed.length)] as const] : []),
    ...(open.length > 0 ? [['check', t('Check {0} Jobs', open.length)] as const] : []),
  ];
}

/** Returns the file name of a batch's source: its list, its template, or its first file. */
export function batchSource({ plan: { source, total } }: Batch): string {
  switch (source.type) {
    case 'list':
      return fileName(source.list ?? source.template);
    case 'files': {
      const first = fileName(source.files[0] ?? '');
      return total > 1 ? t('{0} and {1} more', first, total - 1) : first;
    }
    case 'resubmit':
      return t('resubmitted jobs');
  }
}

function fileName(file: string): string {
  return submittedName({ file, label: undefined });
}
