import { isFailure } from '../../../base/failure.ts';
import type { Job, ListEntry } from '../../common/job.ts';
import { matchesQuery, readAll } from '../list/readAll.ts';
import { endOfPart } from '../../../base/json/jsonText.ts';
import type { KeyMask } from '../../../platform/http/keyMask.ts';
import { maskEntry } from './maskEntry.ts';
import type { ListQuery } from '../../common/listParams.ts';
import { chooseMetadataColumns, formatCsvRecord, hasFigures, makeCsvForm } from '../../common/csv.ts';
import type { ListReader } from '../list/listReader.ts';

/** Counts of written and omitted items. */
interface ExportTally {
  readonly written: number;
  /** Items that do not match the request. */
  readonly contradicting: number;
  /** Items without an id, which CSV cannot represent. */
  readonly unreadable: number;
  /** Items that were not received because they exceed the maximum response size. */
  readonly tooLarge: number;
  /** IDs of the jobs that were written without results, as in their rows, because the results could not be read again. */
  readonly withoutResult?: readonly string[];
}

/** Result of an export. */
export type ExportOutcome =
  | (ExportTally & { readonly type: 'complete' })
  /** Everything received is written, but the responses do not prove that the list is complete, or some items are incomplete. */
  | (ExportTally & { readonly type: 'unproved' })
  | (ExportTally & {
      readonly type: 'partial';
      /** `ended`: the service stopped sending items, or its list changes faster than it can be read. */
      readonly why: 'cancelled' | 'ended' | 'failed';
      /** The error, if it failed. */
      readonly error: unknown;
      /** Name of the partial file; undefined when nothing was written. */
      readonly partial: string | undefined;
    });

/** A part of the exported entries. */
export interface ExportBatch {
  readonly entries: readonly ListEntry[];
  /** Number of items omitted because they do not match the request. */
  readonly contradicting?: number;
  readonly endedBy?: 'stuck' | 'lost' | 'unproved';
}

/** The data to export. */
export interface Exportable {
  /** Description for the user. */
  readonly text: string;
  /** The filter that was applied, as text. */
  readonly filter?: string;
  /** Part of the suggested file name. */
  readonly slug: string;
  /** The columns in which the jobs are shown, which the user may choose instead of those of the formats. */
  readonly table?: ShownTable;
  /** Iterating may throw Failure. */
  readonly batches: (
    source: ListReader,
    limit: number,
    signal: AbortSignal,
  ) => AsyncIterable<ExportBatch> | Iterable<ExportBatch>;
}

/** Columns of jobs as they are shown. */
export interface ShownTable {
  readonly titles: readonly string[];
  /** Returns the texts of a job, one per title. */
  readonly cellsOf: (job: Job) => readonly string[];
}

/** Number of characters to write at once, and to read of a large item. */
const writtenCharacters = 1024 * 1024;

/** Options of {@link writeExport}. */
export interface ExportOptions {
  /** Masks keys that a service repeats in its items. */
  readonly keyMask: KeyMask;
  /** Reads the complete item of a row. @throws Failure; `jobNotFound` or `resultGone` if the service no longer has it */
  readonly readWhole?: (job: Job) => Promise<Job>;
  readonly onProgress?: (written: number) => void;
}

/** Writes entries to a target as they are received, holding one batch at a time. Never throws. */
export async function writeExport(
  batches: AsyncIterable<ExportBatch> | Iterable<ExportBatch>,
  format: ExportFormat | ShownTable,
  target: ExportTarget,
  options: ExportOptions,
): Promise<ExportOutcome> {
  const writer = new EntryWriter(format, target, options);
  const partial = async (why: 'cancelled' | 'ended' | 'failed', error?: unknown): Promise<ExportOutcome> => ({
    ...writer.tally(),
    type: 'partial',
    why,
    error,
    partial: await target.abandon(),
  });
  try {
    let endedEarly = false;
    let isProved = true;
    for await (const { entries, contradicting = 0, endedBy } of batches) {
      await writer.write(entries, contradicting);
      endedEarly ||= endedBy === 'stuck' || endedBy === 'lost';
      isProved &&= endedBy !== 'unproved';
      options.onProgress?.(writer.tally().written);
    }
    await writer.end();
    if (endedEarly) return await partial('ended');
    await target.commit();
    const tally = writer.tally();
    const isComplete = isProved && tally.tooLarge === 0 && tally.withoutResult === undefined;
    return { ...tally, type: isComplete ? 'complete' : 'unproved' };
  } catch (error) {
    return partial(isFailure(error, 'cancelled') ? 'cancelled' : 'failed', error);
  }
}

/** Writes entries in one format, and counts them. Its methods throw Failure, or the file system's error. */
class EntryWriter {
  readonly #format: ExportFormat | ShownTable;
  readonly #target: ExportTarget;
  readonly #options: ExportOptions;
  readonly #tally = { written: 0, contradicting: 0, unreadable: 0, tooLarge: 0 };
  readonly #withoutResult: string[] = [];
  #form: FileForm | undefined;

  constructor(format: ExportFormat | ShownTable, target: ExportTarget, options: ExportOptions) {
    this.#format = format;
    this.#target = target;
    this.#options = options;
  }

  tally(): ExportTally {
    const withoutResult = this.#withoutResult;
    return { ...this.#tally, ...(withoutResult.length > 0 && { withoutResult }) };
  }

  /** @param contradicting number of entries omitted before */
  async write(entries: readonly ListEntry[], contradicting: number): Promise<void> {
    let text = '';
    if (this.#form === undefined) {
      const mask = (entry: ListEntry) => maskEntry(entry, this.#options.keyMask);
      this.#form = fileForm(
        this.#format,
        this.#options.keyMask,
        isTable(this.#format) ? await Promise.all(entries.map(mask)) : [],
      );
      text = this.#form.head;
    }
    let written = 0;
    for (const entry of entries) {
      const parts = await this.#partsOf(entry, this.#form, this.#tally.written + written === 0);
      if (parts === undefined) continue;
      for (const part of parts) {
        text += part;
        if (text.length < writtenCharacters) continue;
        await this.#target.write(text);
        text = '';
      }
      written++;
    }
    await this.#target.write(text);
    // Text that the disk did not accept is not counted.
    this.#tally.written += written;
    this.#tally.contradicting += contradicting;
  }

  async end(): Promise<void> {
    await this.#target.write(
      this.#form === undefined ? emptyFile(this.#format, this.#options.keyMask) : this.#form.tail,
    );
  }

  /** Returns the text of an entry, in parts; undefined if the file cannot have it. */
  async #partsOf(received: ListEntry, form: FileForm, isFirst: boolean): Promise<Iterable<string> | undefined> {
    if (received.type === 'unreadable' && received.isTooLarge === true) {
      this.#tally.tooLarge++;
      return undefined;
    }
    const { keyMask, readWhole } = this.#options;
    const isCut = received.type === 'job' && received.cutFields !== undefined;
    const whole = form.hasResults || isCut ? await wholeEntry(received, readWhole) : received;
    if (whole === undefined && received.type === 'job') this.#withoutResult.push(received.id);
    const parts = form.entry(await maskEntry(whole ?? received, keyMask), isFirst);
    if (parts === undefined) this.#tally.unreadable++;
    return parts;
  }
}

/**
 * Returns an entry as received. Reads it again if it is a row without its result; returns undefined if that no longer
 * exists. @throws Failure
 */
async function wholeEntry(entry: ListEntry, readWhole: ExportOptions['readWhole']): Promise<ListEntry | undefined> {
  if (entry.type === 'unreadable' || entry.omitted === undefined) return entry;
  try {
    return await readWhole?.(entry);
  } catch (error) {
    if (isFailure(error, 'jobNotFound') || isFailure(error, 'resultGone')) return undefined;
    throw error;
  }
}

/**
 * Reads the lists of these queries one after another, several pages at a time.
 * @param limit items per request.
 * @throws Failure from the source; `cancelled` when the signal fires.
 */
export async function* exportBatches(
  source: ListReader,
  questions: readonly ListQuery[],
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<ExportBatch, void, undefined> {
  for (const question of questions) {
    for await (const batch of readAll(source, question, { limit, signal })) {
      const entries = batch.entries.filter((entry) => matchesQuery(entry, question));
      yield { ...batch, entries, contradicting: batch.entries.length - entries.length };
    }
  }
}

export const exportFormats = ['json', 'ndjson', 'csv', 'csvWithParameters'] as const;
export type ExportFormat = (typeof exportFormats)[number];

function isTable(format: ExportFormat | ShownTable): boolean {
  return format === 'csv' || format === 'csvWithParameters';
}

/** Serialises a file of jobs. */
interface FileForm {
  readonly head: string;
  /** True if entries are written with their results. */
  readonly hasResults: boolean;
  /** Returns the text of an entry, in parts; undefined if the format cannot represent it. */
  entry(entry: ListEntry, isFirst: boolean): Iterable<string> | undefined;
  readonly tail: string;
}

/**
 * Returns the serialiser of a format. JSON and NDJSON keep every item as received, including all digits of its numbers.
 * @param first the first entries, whose fields determine the columns of CSV.
 */
function fileForm(format: ExportFormat | ShownTable, keyMask: KeyMask, first: readonly ListEntry[]): FileForm {
  if (typeof format === 'object') {
    const { titles, cellsOf } = format;
    const recordOf = (texts: readonly string[]): string => formatCsvRecord(texts.map((text) => keyMask.apply(text)));
    return tableForm(`\ufeff${recordOf(titles)}`, (job) => recordOf(cellsOf(job)));
  }
  switch (format) {
    case 'json':
      return {
        head: '[',
        hasResults: true,
        entry: (entry, isFirst) => surrounded(isFirst ? '\n' : ',\n', partsOf(entry), ''),
        tail: '\n]\n',
      };
    case 'ndjson':
      return {
        head: '',
        hasResults: true,
        entry: (entry) => surrounded('', partsOf(entry, oneLine), '\n'),
        tail: '',
      };
    case 'csv':
    case 'csvWithParameters': {
      const { head, record } = makeCsvForm({
        metadataKeys: chooseMetadataColumns(first),
        withParameters: format === 'csvWithParameters',
        withFigures: hasFigures(first),
      });
      return tableForm(head, record);
    }
  }
}

/** CSV cannot represent an item without an id. */
function tableForm(head: string, record: (job: Job) => string): FileForm {
  return {
    head,
    hasResults: false,
    entry: (entry) => (entry.type === 'job' ? [record(entry)] : undefined),
    tail: '',
  };
}

function* surrounded(before: string, parts: Iterable<string>, after: string): Generator<string> {
  yield before;
  yield* parts;
  yield after;
}

/** Yields an item's text as received, in parts that end between characters. */
function* partsOf({ raw, whole }: ListEntry, change = (part: string): string => part): Generator<string> {
  const text = whole?.text ?? raw;
  for (let at = 0; at < text.length;) {
    const end = endOfPart(text, at, writtenCharacters);
    yield change(text.slice(at, end));
    at = end;
  }
}

function emptyFile(format: ExportFormat | ShownTable, keyMask: KeyMask): string {
  const { head, tail } = fileForm(format, keyMask, []);
  return head + tail;
}

/** Puts JSON on one line. Its line breaks occur only between tokens, where a space is equivalent. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json;
}

/** Destination of an export. The final name exists only once the file is complete. */
export interface ExportTarget {
  /** @throws the file system's error, such as `ENOSPC`. */
  write(text: string): Promise<void>;
  /** Renames the file to its final name. @throws the file system's error. */
  commit(): Promise<void>;
  /**
   * Keeps the partial file under a name that marks it as partial. @returns that name; undefined when there is no file. Never
   * throws.
   */
  abandon(): Promise<string | undefined>;
}
