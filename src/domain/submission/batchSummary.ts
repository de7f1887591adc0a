import { t } from '@vscode/l10n';
import { formatMoment, type Locale } from '../format.ts';
import type { TextRange } from '../request/json/jsonPlaces.ts';
import type { SubmissionOutcome } from './submission.ts';
import { outcomeSentence, outcomeWord } from './submissionText.ts';
import type { Batch, BatchItem } from './batch.ts';

/** Where a stretch of the summary leads. */
interface SummaryLink extends TextRange {
  readonly target: { readonly type: 'file'; readonly uri: string } | { readonly type: 'job'; readonly id: string };
}

/** A batch as a document: its counts, then a line for each request that was sent. */
export interface BatchSummary {
  readonly text: string;
  readonly links: readonly SummaryLink[];
}

/** @param untried request files, by URI, whose turn has not come. */
export function batchSummary(batch: Batch, untried: readonly string[], locale: Locale): BatchSummary {
  const { plan, items } = batch;
  const head = [
    t('{0} requests to {1}, {2}', plan.total, plan.connection, formatMoment(plan.startedAtMs, locale)),
    batchCounts(batch),
    '',
  ];
  const rows: readonly Row[] = [
    ...[...items.values()].map(rowOf),
    ...untried.map((file) => ({
      word: outcomeWord(untriedOutcome),
      file,
      label: fileName(file),
      end: '',
      job: undefined,
    })),
  ];
  const width = rows.reduce((most, { word }) => Math.max(most, word.length), 0);
  const lines: string[] = [];
  const links: SummaryLink[] = [];
  let offset = head.join('\n').length + 1;
  for (const { word, file, label, end, job } of rows) {
    const begin = `${word.padEnd(width)}  `;
    const line = `${begin}${label}  ${end}`.trimEnd();
    links.push({ offset: offset + begin.length, length: label.length, target: { type: 'file', uri: file } });
    if (job !== undefined) {
      links.push({ offset: offset + line.length - job.length, length: job.length, target: { type: 'job', id: job } });
    }
    lines.push(line);
    offset += line.length + 1;
  }
  return { text: `${[...head, ...lines].join('\n')}\n`, links };
}

/** How many requests of a batch came to what: "12 accepted · 1 rejected · 27 not sent". */
export function batchCounts(batch: Batch): string {
  const counts = new Map<string, number>();
  const add = (word: string, count: number): void => void counts.set(word, (counts.get(word) ?? 0) + count);
  for (const { outcome } of batch.items.values()) add(outcomeWord(outcome), 1);
  const untried = batch.plan.total - batch.items.size;
  if (untried > 0) add(outcomeWord(untriedOutcome), untried);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(' · ');
}

interface Row {
  readonly word: string;
  readonly file: string;
  readonly label: string;
  readonly end: string;
  readonly job: string | undefined;
}

const untriedOutcome: SubmissionOutcome = { type: 'notSent', code: 'cancelled' };

function rowOf({ outcome, file, label }: BatchItem): Row {
  const job = outcome.type === 'accepted' ? outcome.id : undefined;
  return { word: outcomeWord(outcome), file, label, end: job ?? outcomeSentence(outcome), job };
}

function fileName(uri: string): string {
  return uri.split('/').at(-1) ?? uri;
}
