import { t } from '@vscode/l10n';
import { oneLine } from '../outsideText.ts';
import { type Job, readJobItem, isJobStatus } from './job.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { formatDistance, type Locale, formatNumber } from '../format.ts';
import type { ListKey } from './listKey.ts';
import type { ViewStatus } from '../jobView/jobView.ts';

/** What a job's row says. Plain text, all of it. */
export interface JobRow {
  readonly label: string;
  readonly description: string;
  /** For screen readers: "job 1a2b3c4d, done, pre-recorded, 3 minutes ago". */
  readonly accessibilityLabel: string;
}

/** What rows depend on besides their job. */
export interface RowFacts {
  /** Metadata keys tried in order for the label. */
  readonly labelKeys: readonly string[];
  /** The user's words for error codes, by code. */
  readonly errorLabels: Readonly<Record<string, string>>;
  readonly nowMs: number;
  readonly locale: Locale;
}

/** What a job's row says now. */
export function buildJobRow(job: Job, facts: RowFacts): JobRow {
  const { labelKeys, errorLabels, locale } = facts;
  const label = chooseJobLabel(job, labelKeys);
  const when = formatJobAge(job, facts);
  const why =
    job.status === 'error' && job.errorCode !== undefined ? describeErrorCode(job.errorCode, errorLabels) : undefined;
  const named = label === shortenId(job.id) ? [] : [label];
  const inSentence = (text: string): string => text.toLocaleLowerCase(locale.language);
  const spoken = [
    t('job {0}', shortenId(job.id)),
    ...named,
    inSentence(describeStatus(job.status).text),
    inSentence(describeKind(job.kind)),
    why,
    when,
  ];
  return {
    label,
    description: [why, when].filter((part) => part !== undefined).join(' · '),
    accessibilityLabel: spoken.filter((part) => part !== undefined).join(', '),
  };
}

/** The first characters of an id, enough to tell jobs apart at a glance. */
export function shortenId(id: string): string {
  return id.slice(0, 8);
}

/** What a job is called: the first label key its metadata has, else the name of its file, else the beginning of its id. */
export function chooseJobLabel(job: Job, labelKeys: readonly string[]): string {
  const item = readJobItem(job);
  const metadata = item['custom_metadata'];
  if (isJsonObject(metadata)) {
    for (const key of labelKeys) {
      const text = shownText(metadata, key);
      if (text !== undefined) return text;
    }
  }
  const { file } = item;
  return (isJsonObject(file) ? shownText(file, 'filename') : undefined) ?? shortenId(job.id);
}

/** How long ago a job was created, in words: the one thing in its row that changes while the job stays as it is. */
export function formatJobAge(
  { createdAtMs }: Job,
  { nowMs, locale }: Pick<RowFacts, 'nowMs' | 'locale'>,
): string | undefined {
  return createdAtMs === undefined ? undefined : formatDistance(createdAtMs, nowMs, locale);
}

/** An error code in the user's words, or as a number: the contract does not say what codes mean (contract 7). */
export function describeErrorCode(code: number, labels: Readonly<Record<string, string>>): string {
  const label = Object.hasOwn(labels, String(code)) ? labels[String(code)] : undefined;
  return label ?? t('error {0}', code);
}

/** A value as one short line, if it is one that can be shown so. Control and direction characters would disturb the row. */
function shownText(object: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = oneLine(String(value), 200);
  return text === '' ? undefined : text;
}

/** What a count is told from. */
export interface Counted {
  readonly jobs: { readonly entries: readonly unknown[] };
  readonly loaded: boolean;
  /** What was seen implies that every job that matches has come. */
  readonly isComplete: boolean;
  readonly exact: { readonly count: number; readonly atMs: number } | undefined;
}

/** How many jobs a list has, honestly: "20+" while there is more or may be, "37" when that is certainly all, the exact number with its time when counted. */
export function describeCount(list: Counted, { locale }: { readonly locale: Locale }): string {
  if (!list.loaded && list.exact === undefined) return '';
  const rows = list.jobs.entries.length;
  if (list.loaded && list.isComplete) return formatNumber(rows, locale);
  if (list.exact === undefined) return t('{0}+', formatNumber(rows, locale));
  const at = new Intl.DateTimeFormat(locale.language, { timeStyle: 'short', timeZone: locale.timeZone });
  return t('{0} at {1}', formatNumber(list.exact.count, locale), at.format(list.exact.atMs));
}

/** A list in words: "Pre-recorded, Done", or the kind alone when it holds every status. */
export function describeListKey({ kind, status }: ListKey): string {
  return status === undefined ? describeKind(kind) : t('{0}, {1}', describeKind(kind), describeStatus(status).text);
}

/** A job's status in words and the tone to show it in; a status that we do not know is shown as received. */
export function describeStatus(status: string): ViewStatus {
  if (!isJobStatus(status)) return { tone: 'unknown', text: status === '' ? t('Unknown status') : oneLine(status, 60) };
  switch (status) {
    case 'queued':
      return { tone: status, text: t('Queued') };
    case 'processing':
      return { tone: status, text: t('Processing') };
    case 'done':
      return { tone: status, text: t('Done') };
    case 'error':
      return { tone: status, text: t('Failed') };
  }
}

/** A job's kind in words; a kind that we do not know is shown as received. */
export function describeKind(kind: string): string {
  switch (kind) {
    case 'pre-recorded':
      return t('Pre-recorded');
    case 'live':
      return t('Live');
    case '':
      return t('Unknown kind');
    default:
      return oneLine(kind, 60);
  }
}
