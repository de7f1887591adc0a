import { isFailure } from '../../domain/failure.ts';
import type { ListEntry } from '../../domain/jobs/job.ts';
import { matchesQuery, readAll } from '../list/readAll.ts';
import { CompactKeySet } from './compactKeySet.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import type { PageSource } from '../ports.ts';
import { chooseMetadataColumns, makeCsvForm } from '../../domain/jobs/csv.ts';

/** What was written and what was not. */
interface ExportTally {
  readonly written: number;
  /** Items that the service sent although they contradict the question. */
  readonly contradicting: number;
  /** Items without an id, for which CSV has no place. */
  readonly unreadable: number;
}

/** What became of an export. */
export type ExportOutcome =
  | (ExportTally & { readonly type: 'complete' })
  /** All that the service sent is written; what was seen of its list does not imply that it was everything. */
  | (ExportTally & { readonly type: 'unproved' })
  | (ExportTally & {
      readonly type: 'partial';
      /** `ended`: the service stopped sending, or its list moves faster than it can be read. */
      readonly why: 'cancelled' | 'ended' | 'failed';
      /** What was thrown, when it failed. */
      readonly error: unknown;
      /** Name of the partial file; undefined when nothing was written. */
      readonly partial: string | undefined;
    });

/** A part of what is exported. */
export interface ExportBatch {
  readonly entries: readonly ListEntry[];
  /** How many were left out because they contradict the question. */
  readonly contradicting?: number;
  readonly endedBy?: 'stuck' | 'lost' | 'unproved';
}

/** Writes entries to a target as they come, holding one batch at a time. Never throws. */
export async function writeExport(
  batches: AsyncIterable<ExportBatch> | Iterable<ExportBatch>,
  format: ExportFormat,
  target: ExportTarget,
  onProgress: (written: number) => void,
): Promise<ExportOutcome> {
  let form: FileForm | undefined;
  const tally = { written: 0, contradicting: 0, unreadable: 0 };
  const partial = async (why: 'cancelled' | 'ended' | 'failed', error?: unknown): Promise<ExportOutcome> => ({
    ...tally,
    type: 'partial',
    why,
    error,
    partial: await target.abandon(),
  });
  try {
    let text = '';
    let isFirst = true;
    let endedEarly = false;
    let isProved = true;
    for await (const { entries, contradicting = 0, endedBy } of batches) {
      let written = 0;
      if (form === undefined) {
        form = fileForm(format, entries);
        text = form.head;
      }
      for (const entry of entries) {
        const line = form.entry(entry, isFirst);
        if (line === undefined) {
          tally.unreadable++;
          continue;
        }
        text += line;
        isFirst = false;
        written++;
      }
      await target.write(text);
      text = '';
      // What the disk did not take is not written.
      tally.written += written;
      tally.contradicting += contradicting;
      endedEarly ||= endedBy === 'stuck' || endedBy === 'lost';
      isProved &&= endedBy !== 'unproved';
      onProgress(tally.written);
    }
    await target.write(form === undefined ? emptyFile(format) : text + form.tail);
    if (endedEarly) return await partial('ended');
    await target.commit();
    return { ...tally, type: isProved ? 'complete' : 'unproved' };
  } catch (error) {
    return partial(isFailure(error, 'cancelled') ? 'cancelled' : 'failed', error);
  }
}

/**
 * Reads the lists of these questions, one after the other, several pages at a time.
 * @param limit items per request.
 * @throws Failure as the source does; `cancelled` when the signal fires.
 */
export async function* exportBatches(
  source: PageSource,
  questions: readonly ListQuery[],
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<ExportBatch, void, undefined> {
  for (const question of questions) {
    // Each list has its own: what stands in the wrong list is left out there and must not be missing in its own.
    const seen = new CompactKeySet();
    for await (const batch of readAll(source, question, { limit, seen, signal })) {
      const entries = batch.entries.filter((entry) => matchesQuery(entry, question));
      yield { ...batch, entries, contradicting: batch.entries.length - entries.length };
    }
  }
}

export const exportFormats = ['json', 'ndjson', 'csv', 'csvWithParameters'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** How a file of jobs is put together. */
export interface FileForm {
  readonly head: string;
  /** The text of an entry; undefined when the form has no place for it. */
  entry(entry: ListEntry, isFirst: boolean): string | undefined;
  readonly tail: string;
}

/**
 * The form of a format. JSON and NDJSON hold every item as it was received, to the last digit of its numbers.
 * @param first the entries that come first: what they have decides on the columns of CSV.
 */
export function fileForm(format: ExportFormat, first: readonly ListEntry[]): FileForm {
  switch (format) {
    case 'json':
      return { head: '[', entry: ({ raw }, isFirst) => `${isFirst ? '' : ','}\n${raw}`, tail: '\n]\n' };
    case 'ndjson':
      return { head: '', entry: ({ raw }) => `${oneLine(raw)}\n`, tail: '' };
    case 'csv':
    case 'csvWithParameters': {
      const { head, record } = makeCsvForm({
        metadataKeys: chooseMetadataColumns(first),
        withParameters: format === 'csvWithParameters',
      });
      // An item without an id has no place among columns.
      return { head, entry: (entry) => (entry.type === 'job' ? record(entry) : undefined), tail: '' };
    }
  }
}

function emptyFile(format: ExportFormat): string {
  const { head, tail } = fileForm(format, []);
  return head + tail;
}

/** JSON has line ends between tokens only, where a space says the same. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json;
}

/** Where an export is written. Nothing stands under the final name until it is complete. */
export interface ExportTarget {
  /** @throws what the file system says, such as `ENOSPC`. */
  write(text: string): Promise<void>;
  /** Gives the file its name. @throws what the file system says. */
  commit(): Promise<void>;
  /** Leaves what was written, named as partial. @returns its name; undefined when nothing is left. Never throws. */
  abandon(): Promise<string | undefined>;
}
