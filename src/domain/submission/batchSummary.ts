import { t } from '@vscode/l10n';
import { formatMoment, type Locale } from '../format.ts';
import { oneLine } from '../outsideText.ts';
import type { TextRange } from '../request/json/jsonPlaces.ts';
import type { SubmissionOutcome } from './submission.ts';
import { outcomeSentence, outcomeLabel } from './submissionText.ts';
import type { Batch, BatchItem } from './batch.ts';

/** A link in the summary. */
interface SummaryLink extends TextRange {
  readonly target: { readonly type: 'file'; readonly uri: string } | { readonly type: 'job'; readonly id: string };
}

/** A batch as a document: its counts, then one line per request. */
export interface BatchSummary {
  readonly text: string;
  readonly links: readonly SummaryLink[];
}

/** @param untried URIs of the request files that were not sent yet. */
export function batchSummary(batch: Batch, untried: readonly string[], locale: Locale): BatchSummary {
  const { plan, items } = batch;
  const head = [
    t('{0} requests to {1}, {2}', plan.total, oneLine(plan.connection), formatMoment(plan.startedAtMs, locale)),
    batchCounts(batch),
    '',
  ];
  const rows: readonly Row[] = [
    ...[...items.values()].map(rowOf),
    ...untried.map((file) => ({
      word: outcomeLabel(untriedOutcome),
      file,
      label: oneLine(fileName(file)),
      end: '',
      job: undefined,
    })),
  ];
  const width = rows.reduce((most, { word }) => Math.max(most, word.length), 0);
  const labelWidth = rows.reduce((most, { label }) => Math.max(most, label.length), 0);
  const lines: string[] = [];
  const links: SummaryLink[] = [];
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
  return { text: `${[...head, ...lines].join('\n')}\n`, links };
}

/** Number of requests per outcome: "12 accepted · 1 rejected · 27 not sent". */
export function batchCounts(batch: Batch): string {
  const counts = new Map<string, number>();
  const add = (word: string, count: number): void => void counts.set(word, (counts.get(word) ?? 0) + count);
  for (const { outcome } of batch.items.values()) add(outcomeLabel(outcome), 1);
  const untried = batch.plan.total - batch.items.size;
  if (untried > 0) add(outcomeLabel(untriedOutcome), untried);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(' · ');
}

/** In characters: longer names push the end of their own line only. */
const widestLabel = 80;

/** Longer than any id that is taken from an answer, so that the link names the job. */
const longestId = 500;

interface Row {
  readonly word: string;
  readonly file: string;
  readonly label: string;
  readonly end: string;
  readonly job: string | undefined;
}

const untriedOutcome: SubmissionOutcome = { type: 'notSent', code: 'cancelled' };

function rowOf({ outcome, file, label }: BatchItem): Row {
  const job = outcome.type === 'accepted' && outcome.id !== undefined ? oneLine(outcome.id, longestId) : undefined;
  return { word: outcomeLabel(outcome), file, label: oneLine(label), end: job ?? outcomeSentence(outcome), job };
}

function fileName(uri: string): string {
  return uri.split('/').at(-1) ?? uri;
}
