import { t } from '@vscode/l10n';
import { oneLine } from '../../base/outsideText.ts';
import { minuteMs } from '../../base/time.ts';
import { readItemFacts } from './itemFacts.ts';
import { type Job, isJobStatus } from './job.ts';
import { isJsonObject, isPlainValue, writtenText, type JsonObject } from '../../base/json/json.ts';
import { formatAge, formatHours, formatNumber, formatWhen, type Locale, type TimeStyle } from '../../base/format.ts';
import type { ListKey } from './listKey.ts';
import { isPartlyFailed } from './failedAddOns.ts';

/** The content of a job's row; plain text only. */
export interface JobRow {
  readonly label: string;
  readonly description: string;
  /** The job is done, but a part of its result failed. */
  readonly isPartlyFailed: boolean;
  /** For screen readers: "job 1a2b3c4d, done, pre-recorded, 3 minutes ago". */
  readonly accessibilityLabel: string;
}

/** Inputs of rows besides their job. */
export interface RowFacts {
  /** Metadata keys tried in order for the label. */
  readonly labelKeys: readonly string[];
  /** The user's labels for error codes, by code. */
  readonly errorLabels: Readonly<Record<string, string>>;
  /** Names of jobs that were submitted from this machine, by id. */
  readonly submittedAs?: ReadonlyMap<string, string>;
  /** IDs of jobs that repeat failed ones, by the ID of the failed job. */
  readonly resubmittedAs?: ReadonlyMap<string, string>;
  /** Returns the duration of a job, if rows are sorted by it. */
  readonly lengthOf?: ((job: Job) => string | undefined) | undefined;
  /** True if lists have jobs of both kinds. Then rows show the kind of those that are not pre-recorded. */
  readonly areKindsMixed?: boolean;
  readonly nowMs: number;
  /** The time that rows show, in milliseconds since the epoch. Defaults to the time of creation. */
  readonly shownMs?: number | undefined;
  readonly locale: Locale;
  /** The reader's preferred style of times; relative by default. */
  readonly times?: TimeStyle;
}

/** Builds the row of a job. */
export function buildJobRow(job: Job, facts: RowFacts): JobRow {
  const { labelKeys, errorLabels, submittedAs, locale } = facts;
  const label = chooseJobLabel(job, labelKeys, submittedAs);
  const atMs = facts.shownMs ?? job.createdAtMs;
  const when = atMs === undefined ? undefined : formatWhen(atMs, facts.nowMs, facts.times, locale);
  const code = job.status === 'error' ? job.errorCode : undefined;
  const why = code === undefined ? undefined : describeErrorCode(code, errorLabels);
  // Next to the icon of a failed job, the number is enough, and rows are narrow.
  const shortWhy = code === undefined ? undefined : (labelOfError(code, errorLabels) ?? String(code));
  const length = facts.lengthOf?.(job);
  const kind = facts.areKindsMixed === true && job.kind !== 'pre-recorded' ? describeKind(job.kind) : undefined;
  const resubmitted = describeResubmitted(job, facts);
  const description = [kind, shortWhy, resubmitted, length, formatJobAge(job, facts)].filter(Boolean).join(' · ');
  const isPartly = isPartlyFailed(job);
  const inSentence = (text: string): string => text.toLocaleLowerCase(locale.language);
  const spoken = [
    t('job {0}', shortenId(job.id)),
    label === shortenId(job.id) ? undefined : label,
    inSentence(describeStatus(job.status).text),
    isPartly ? inSentence(t('Failed in part')) : undefined,
    inSentence(describeKind(job.kind)),
    why,
    resubmitted,
    length,
    when,
  ];
  return {
    label,
    isPartlyFailed: isPartly,
    description,
    accessibilityLabel: spoken.filter(Boolean).join(', '),
  };
}

/** Says that a failed job was submitted again; undefined if it was not from this machine. */
export function describeResubmitted(
  { id }: Pick<Job, 'id'>,
  { resubmittedAs }: Pick<RowFacts, 'resubmittedAs'>,
): string | undefined {
  return resubmittedAs?.has(id) === true ? t({ message: 'resubmitted', comment: ['one job'] }) : undefined;
}

type TextMask = (text: string) => string;
const unmasked: TextMask = (text) => text;

/** Returns the first characters of an id. */
export function shortenId(id: string): string {
  return id.slice(0, 8);
}

/**
 * Returns the label of a job: the value of the first label key in its metadata, else its file name if that is not just
 * the id, else its name when submitted, else the first short text in its metadata, else the start of its id. See
 * {@link labelOrId}.
 * @param mask masks the key, before texts are cut, which could divide it
 */
export function chooseJobLabel(
  job: Job,
  labelKeys: readonly string[],
  submittedAs?: ReadonlyMap<string, string>,
  mask: TextMask = unmasked,
): string {
  const item = readItemFacts(job, labelFields);
  const ownLabel = labelOfItem(item, job.id, labelKeys, mask);
  const label = labelOrId({
    ownLabel,
    id: job.id,
    submittedAs,
    isTitle: () => isTitle(ownLabel, item, job.id, labelKeys, mask),
    shortText: () => firstShortText(item),
  });
  return mask(label);
}

/** The fields of an item that {@link labelOfItem} reads. */
export const labelFields = ['custom_metadata', 'file'] as const;

/** True if a label is a title or a file name. Values of other keys, such as the customer, occur in many jobs. */
export function isTitle(
  ownLabel: string | undefined,
  item: JsonObject,
  id: string,
  labelKeys: readonly string[],
  mask?: TextMask,
): boolean {
  return ownLabel === labelOfItem(item, id, labelKeys.slice(0, labelKeys.indexOf('title') + 1 || 1), mask);
}

/** Returns the label in a job's item: the value of the first label key, else the file name if that is not just the id. */
export function labelOfItem(
  item: JsonObject,
  id: string,
  labelKeys: readonly string[],
  mask?: TextMask,
): string | undefined {
  const metadata = item['custom_metadata'];
  if (isJsonObject(metadata)) {
    for (const key of labelKeys) {
      const text = shownText(metadata, key, mask);
      if (text !== undefined) return text;
    }
  }
  const { file } = item;
  const name = isJsonObject(file) ? shownText(file, 'filename', mask) : undefined;
  // Some services name a file by the job's id, which is less useful than the beginning of the id.
  return name?.replace(/\.[^.]*$/u, '') === id || name === id ? undefined : name;
}

/** Maximum length of a text in metadata that becomes a label, in characters. */
const maxLabelText = 40;
/** Number of metadata keys that are searched for a label. */
const maxLabelKeys = 50;

/** Returns the first text in an item's metadata that is short and neither a number, an address nor an ID. */
export function firstShortText(item: JsonObject): string | undefined {
  const metadata = item['custom_metadata'];
  if (!isJsonObject(metadata)) return undefined;
  for (const key of Object.keys(metadata).slice(0, maxLabelKeys)) {
    const text = typeof metadata[key] === 'string' ? shownText(metadata, key) : undefined;
    if (text === undefined || text.length > maxLabelText || !/\p{L}/u.test(text)) continue;
    if (!text.includes('://') && !/^[\da-f-]{16,}$/i.test(text)) return text;
  }
  return undefined;
}

/** What the label of a job is made of. */
interface LabelParts {
  /** The label in its item, by {@link labelOfItem}. */
  readonly ownLabel: string | undefined;
  readonly id: string;
  /** Names of submitted jobs, by ID. */
  readonly submittedAs: ReadonlyMap<string, string> | undefined;
  /** True if the label is a title. Only called for jobs that were submitted from this machine. */
  readonly isTitle: () => boolean;
  /** Returns the {@link firstShortText} of its item. */
  readonly shortText: () => string | undefined;
}

/**
 * Returns the label of a job. If its item has none, uses its name when submitted, else a short text of its metadata, else
 * the start of its id. The name when submitted is also appended to a label that other jobs of its batch may share.
 */
export function labelOrId({ ownLabel, id, submittedAs, isTitle, shortText }: LabelParts): string {
  const name = submittedAs?.get(id);
  if (ownLabel === undefined) return name ?? shortText() ?? shortenId(id);
  return name === undefined || name === ownLabel || isTitle() ? ownLabel : `${ownLabel} · ${name}`;
}

/**
 * Returns the age of a job as a short text, or its time of creation by the clock. This is the only part of its row that
 * changes while the job does not.
 */
export function formatJobAge(
  { createdAtMs }: Job,
  { nowMs, shownMs = createdAtMs, locale, times }: Pick<RowFacts, 'nowMs' | 'shownMs' | 'locale' | 'times'>,
): string | undefined {
  if (shownMs === undefined) return undefined;
  return times === 'clock' ? formatWhen(shownMs, nowMs, times, locale) : formatAge(shownMs, nowMs, locale);
}

/**
 * Returns the age of a job in whole minutes. While it stays the same, {@link formatJobAge} returns the same text.
 * Undefined if that does not hold: below a minute, where seconds are shown, for times by the clock, and without a time
 * of creation.
 */
export function ageInMinutes(
  { createdAtMs }: Job,
  { nowMs, times }: Pick<RowFacts, 'nowMs' | 'times'>,
): number | undefined {
  if (createdAtMs === undefined || times === 'clock') return undefined;
  const minutes = Math.trunc((nowMs - createdAtMs) / minuteMs);
  return minutes >= 1 ? minutes : undefined;
}

/** Returns the user's label for an error code, or the number: the contract does not specify the meaning of codes (contract 7). */
export function describeErrorCode(code: number, labels: Readonly<Record<string, string>>): string {
  return labelOfError(code, labels) ?? t('error {0}', code);
}

function labelOfError(code: number, labels: Readonly<Record<string, string>>): string | undefined {
  const label = Object.hasOwn(labels, String(code)) ? labels[String(code)] : undefined;
  return label === undefined ? undefined : oneLine(label);
}

/**
 * Returns a member as one short line; undefined if it is empty, or neither a text nor a number. Removes control and
 * direction characters.
 */
export function shownText(object: JsonObject, key: string, mask: TextMask = unmasked): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  if (typeof value === 'boolean' || !isPlainValue(value)) return undefined;
  const text = oneLine(mask(writtenText(value)), 200);
  return text === '' ? undefined : text;
}

/** The basis of a count. */
export interface Counted {
  readonly jobs: { readonly entries: readonly unknown[] };
  readonly loaded: boolean;
  /** All matching jobs are known to be loaded. */
  readonly isComplete: boolean;
  readonly exact: { readonly count: number; readonly atMs: number } | undefined;
}

/**
 * Returns the number of jobs in a list: "20+" while there are or may be more, "37" when all are loaded, the exact
 * number with its time when counted.
 */
export function describeCount(list: Counted, { locale, times }: Pick<RowFacts, 'locale' | 'times'>): string {
  if (!list.loaded && list.exact === undefined) return '';
  const rows = list.jobs.entries.length;
  if (list.loaded && list.isComplete) return formatNumber(rows, locale);
  if (list.exact === undefined) return t('{0}+', formatNumber(rows, locale));
  return t('{0} at {1}', formatNumber(list.exact.count, locale), formatHours(list.exact.atMs, times, locale));
}

/** Returns a list as text: "Pre-recorded, Done", or the kind alone if it has every status. */
export function describeListKey({ kind, status }: ListKey): string {
  if (kind === undefined) return status === undefined ? t('All jobs') : describeStatus(status, 'list').text;
  const ofKind = describeKind(kind, 'list');
  return status === undefined ? ofKind : t('{0}, {1}', ofKind, describeStatus(status, 'list').text);
}

/** Selects the form of a word: for one job, or for a list of jobs, for which some languages use the plural. */
type Named = 'job' | 'list';

/** Returns the name of a status and its tone. An unknown status is shown as received. */
export function describeStatus(status: string, of: Named = 'job'): StatusText {
  if (!isJobStatus(status)) return { tone: 'unknown', text: status === '' ? t('Unknown status') : oneLine(status, 60) };
  switch (status) {
    case 'queued':
      return { tone: status, text: of === 'list' ? t('Queued') : t({ message: 'Queued', comment: ['one job'] }) };
    case 'processing':
      return {
        tone: status,
        text: of === 'list' ? t('Processing') : t({ message: 'Processing', comment: ['one job'] }),
      };
    case 'done':
      return { tone: status, text: of === 'list' ? t('Done') : t({ message: 'Done', comment: ['one job'] }) };
    case 'error':
      return { tone: status, text: of === 'list' ? t('Failed') : t({ message: 'Failed', comment: ['one job'] }) };
  }
}

/** The name of a status, and its tone. */
export interface StatusText {
  readonly tone: 'queued' | 'processing' | 'done' | 'error' | 'unknown';
  readonly text: string;
}

/** Returns the name of a kind. An unknown one is shown as received. */
export function describeKind(kind: string, of: Named = 'job'): string {
  switch (kind) {
    case 'pre-recorded':
      return of === 'list' ? t('Pre-recorded') : t({ message: 'Pre-recorded', comment: ['one job'] });
    case 'live':
      return of === 'list' ? t('Live') : t({ message: 'Live', comment: ['one job'] });
    case '':
      return t('Unknown kind');
    default:
      return oneLine(kind, 60);
  }
}
