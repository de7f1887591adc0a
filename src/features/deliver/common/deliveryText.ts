import { t } from '@vscode/l10n';
import { formatNumber, type Locale } from '../../../base/format.ts';
import { oneLine } from '../../../base/outsideText.ts';
import type { Delivery } from './delivery.ts';

/** Deliveries that are reported together. */
export interface DeliverySummary {
  /** Number of files, and of jobs that have some. */
  readonly files: number;
  readonly jobs: number;
  /** Number of files with a number in their names. */
  readonly numbered: number;
  /** Sentences about files, and the labels of their jobs. */
  readonly remarks: ReadonlyMap<string, readonly string[]>;
  /** Labels of jobs that the service lists without a result. */
  readonly withoutResult: readonly string[];
  /** Labels of jobs that failed. */
  readonly failed: readonly string[];
  readonly abandoned: number;
}

/** Summarizes deliveries that have ended. */
export function summarizeDeliveries(deliveries: readonly Delivery[]): DeliverySummary {
  const remarks = new Map<string, readonly string[]>();
  const withoutResult: string[] = [];
  const failed: string[] = [];
  let [files, jobs, numbered, abandoned] = [0, 0, 0, 0];
  for (const delivery of deliveries) {
    const { ended } = delivery;
    const label = labelOf(delivery);
    if (ended?.end.type === 'noResult') withoutResult.push(label);
    if (ended?.end.type === 'failed') failed.push(label);
    if (ended?.end.type === 'abandoned' || (delivery.postponed && ended === undefined)) abandoned++;
    if (ended?.end.type !== 'saved') continue;
    // The last name of a file counts.
    const names = new Map(delivery.files.map((file) => [`${file.format} ${file.language}`, file]));
    files += names.size;
    numbered += [...names.values()].filter(({ isNumbered = false }) => isNumbered).length;
    if (names.size > 0) jobs++;
    for (const each of ended.end.remarks) remarks.set(each, [...(remarks.get(each) ?? []), label]);
  }
  return { files, jobs, numbered, remarks, withoutResult, failed, abandoned };
}

/** In characters. */
const maxRemarkLength = 500;

/** Maximum number of jobs, and of remarks, that a message names. */
const maxNamed = 3;

/** Formats the message about deliveries. @param folder name of the folder */
export function deliveryText(summary: DeliverySummary, folder: string, locale: Locale): string {
  const { files, jobs, numbered, remarks, withoutResult, failed, abandoned } = summary;
  const number = (value: number): string => formatNumber(value, locale);
  const list = (names: readonly string[]): string => {
    const shown = names.slice(0, maxNamed).join(', ');
    return names.length > maxNamed ? t('{0} and {1} more', shown, number(names.length - maxNamed)) : shown;
  };
  const sentences = [
    files === 0 ? undefined : savedText(files, jobs, folder, number),
    numbered === 0 ? undefined : t('With a number, because there are other files of that name: {0}.', number(numbered)),
    ...[...remarks].slice(0, maxNamed).map(([remark, labels]) => t('{0}: {1}', list(labels), remark)),
    remarks.size > maxNamed ? t('Further remarks: {0}.', number(remarks.size - maxNamed)) : undefined,
    withoutResult.length === 0 ? undefined : t('The service sent no result for {0}.', list(withoutResult)),
    failed.length === 0 ? undefined : t('Failed: {0}.', list(failed)),
    abandoned === 0 ? undefined : t('Not finished and no longer watched: {0}.', number(abandoned)),
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

/**
 * Formats where files of the jobs of a batch were saved, what is missing in them, and of how many jobs none are saved yet or at all; empty if
 * none were wanted or saved. Failed jobs have no files.
 * @param byUser URIs of the folders of files that the user saved, by `deliveryKey`
 * @param nameOf returns the name of a folder
 */
export function batchFilesText(
  deliveries: ReadonlyMap<string, Delivery>,
  byUser: ReadonlyMap<string, string>,
  nameOf: (folder: string) => string,
  locale: Locale,
): string {
  const folders = new Map<string, number>();
  let [open, missing] = [0, 0];
  const remarked: Delivery[] = [];
  for (const job of new Set([...deliveries.keys(), ...byUser.keys()])) {
    const delivery = deliveries.get(job);
    const folder = savedFolder(delivery) ?? byUser.get(job);
    const end = delivery?.ended?.end.type;
    if (folder !== undefined) folders.set(folder, (folders.get(folder) ?? 0) + 1);
    if (delivery !== undefined && remarksOf(delivery).length > 0) remarked.push(delivery);
    if (folder !== undefined) continue;
    if (end === undefined) open++;
    else if (end !== 'failed') missing++;
  }
  const number = (value: number): string => formatNumber(value, locale);
  const saved = [...folders].map(([folder, jobs]) =>
    jobs === 1
      ? t('Files of 1 job saved in {0}', nameOf(folder))
      : t('Files of {0} jobs saved in {1}', number(jobs), nameOf(folder)),
  );
  const [remark, ...others] = new Set(remarked.flatMap(remarksOf));
  const [only, ...further] = remarked.map(labelOf);
  const remarks = (): string => {
    if (others.length > 0) return t('{0} of them with something missing or different', number(remarked.length));
    const text = oneLine(remark ?? '', maxRemarkLength);
    return further.length === 0
      ? t('{0}: {1}', oneLine(only ?? ''), text)
      : t('{0} of them: {1}', number(remarked.length), text);
  };
  return [
    ...saved,
    ...(remark === undefined ? [] : [remarks()]),
    ...(open > 0 ? [t('Not saved yet: {0}', number(open))] : []),
    ...(missing > 0 ? [t('Not saved: {0}', number(missing))] : []),
  ].join(' · ');
}

function labelOf({ wanted, ended }: Delivery): string {
  return ended?.label ?? wanted?.label ?? '';
}

/** Returns what is missing in the saved files of a job, or differs. */
function remarksOf(delivery: Delivery): readonly string[] {
  return savedFolder(delivery) !== undefined && delivery.ended?.end.type === 'saved' ? delivery.ended.end.remarks : [];
}

/** Returns the URI of the folder with the files of a delivery; undefined if it has none. */
function savedFolder(delivery: Delivery | undefined): string | undefined {
  const isSaved = delivery?.ended?.end.type === 'saved' && delivery.files.length > 0;
  return isSaved ? delivery.wanted?.plan.folder : undefined;
}

function savedText(files: number, jobs: number, folder: string, number: (value: number) => string): string {
  if (files === 1) return t('1 file is saved in {0}.', folder);
  return jobs === 1
    ? t('{0} files are saved in {1}.', number(files), folder)
    : t('{0} files of {1} jobs are saved in {2}.', number(files), number(jobs), folder);
}
