import { readJobItem, type Job } from '../jobs/job.ts';
import { isTitle, labelOfItem } from '../jobs/jobRow.ts';
import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { NumberColumn, ValueColumn, type ValueForm } from './valueColumn.ts';

/** The label, the fields of contract 2.2 that have a column, and the processing time, in the order in which they are offered. */
export const fieldKeys = [
  'label',
  'created_at',
  'status',
  'kind',
  'id',
  'request_id',
  'error_code',
  'processing_time',
  'completed_at',
  'version',
] as const;

/** The objects of an item whose members become columns, by their path: `custom_metadata.customer`. */
const objectFields = ['custom_metadata', 'post_session_metadata', 'request_params'] as const;

/** Further keys are left out, and their number is told. */
const mostColumns = 250;
/** In levels below the object. */
const deepest = 3;
/** In characters. */
const longestKey = 200;
const longestValue = 200;

/**
 * Many jobs as columns: times as numbers, everything else as codes of dictionaries. A row is the place at which a job was added.
 * Takes a fraction of the memory of the jobs; their texts are kept elsewhere.
 */
export class JobColumns {
  readonly #created = new NumberColumn();
  readonly #completed = new NumberColumn();
  readonly #values = new Map<string, ValueColumn>([
    ['id', new ValueColumn('id', true)],
    ['request_id', new ValueColumn('request_id', true)],
    ...(['status', 'kind', 'error_code', 'version'] as const).map((key) => [key, new ValueColumn(key)] as const),
  ]);
  readonly #omitted = new Set<string>();
  readonly #labelKeys: readonly string[];
  /** Labels that are not the value of the first label key that has a column; `''` where there is none. */
  readonly #labels = new ValueColumn('label');
  /** Has a value where the label is no title. */
  readonly #untitled = new ValueColumn('label');
  #size = 0;

  /** @param labelKeys metadata keys tried in order for the label, as in the list of jobs */
  constructor(labelKeys: readonly string[] = []) {
    this.#labelKeys = labelKeys;
  }

  /** Number of rows. */
  get size(): number {
    return this.#size;
  }

  /** Creation times, milliseconds since the epoch; NaN where a job has none. */
  get created(): Float64Array {
    return this.#created.numbers;
  }

  get completed(): Float64Array {
    return this.#completed.numbers;
  }

  /** How many keys of metadata and parameters got no column, because there are too many. */
  get omittedKeys(): number {
    return this.#omitted.size;
  }

  /** The columns of values, in the order in which they were met. */
  get values(): readonly ValueColumn[] {
    return [...this.#values.values()];
  }

  /** The values of a field or a path such as `custom_metadata.customer`; undefined for times and for a path that no job has. */
  column(key: string): ValueColumn | undefined {
    return this.#values.get(key);
  }

  /** What the item of a row's job tells for its label; undefined where that is nothing. */
  label(row: number): string | undefined {
    const label = this.#labels.value(row) ?? this.#firstLabel(row);
    return label === '' ? undefined : label;
  }

  /** Whether the label of a row is a title, which tells it from others. */
  hasTitle(row: number): boolean {
    return this.#untitled.value(row) === undefined;
  }

  /** Adds a job. @returns its row */
  add(job: Job): number {
    const row = this.#size++;
    this.#created.push(job.createdAtMs);
    this.#completed.push(job.completedAtMs);
    this.#set('id', row, job.id);
    this.#set('status', row, job.status);
    this.#set('kind', row, job.kind);
    if (job.errorCode !== undefined) this.#set('error_code', row, String(job.errorCode));
    const item = readJobItem(job);
    for (const key of ['request_id', 'version'] as const) {
      const value = item[key];
      if (typeof value === 'string' || typeof value === 'number')
        this.#set(key, row, shorten(String(value)), formOf(value));
    }
    for (const field of objectFields) {
      const members = item[field];
      if (isJsonObject(members)) this.#addMembers(row, field, members, 1);
    }
    const label = labelOfItem(item, job.id, this.#labelKeys) ?? '';
    // Most labels are the text of a column, and kept there.
    if (label !== (this.#firstLabel(row) ?? '')) this.#labels.set(row, label);
    if (label !== '' && !isTitle(label, item, job.id, this.#labelKeys)) this.#untitled.set(row, '1');
    return row;
  }

  /** Seconds from creation to completion in milliseconds; NaN where a time is missing or they contradict each other. */
  processingMs(row: number): number {
    const tookMs = (this.completed[row] ?? NaN) - (this.created[row] ?? NaN);
    return tookMs >= 0 ? tookMs : NaN;
  }

  /** Gives back room that was kept for further rows. */
  trim(): void {
    this.#created.trim();
    this.#completed.trim();
    for (const column of this.#values.values()) column.trim();
    this.#labels.trim();
    this.#untitled.trim();
  }

  #firstLabel(row: number): string | undefined {
    for (const key of this.#labelKeys) {
      const value = this.#values.get(`custom_metadata.${key}`)?.value(row);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #addMembers(row: number, path: string, members: JsonObject, depth: number): void {
    for (const [name, value] of Object.entries(members)) {
      const key = `${path}.${name}`;
      if (isJsonObject(value)) {
        if (depth < deepest) this.#addMembers(row, key, value, depth + 1);
      } else {
        const text = textOf(value);
        if (text !== undefined && key.length <= longestKey) this.#set(key, row, text, formOf(value));
      }
    }
  }

  #set(key: string, row: number, value: string, form?: ValueForm): void {
    let column = this.#values.get(key);
    if (column === undefined) {
      if (this.#values.size >= mostColumns) {
        if (this.#omitted.size < mostColumns) this.#omitted.add(key);
        return;
      }
      column = new ValueColumn(key);
      this.#values.set(key, column);
    }
    column.set(row, value, form);
  }
}

function formOf(value: JsonValue | undefined): ValueForm {
  return typeof value === 'string' ? 'text' : isArray(value) ? 'list' : 'plain';
}

/** A plain value or a list of such as one short text; undefined for anything else. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return shorten(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!isArray(value)) return undefined;
  const parts = value.map((each) => (typeof each === 'object' ? '…' : String(each)));
  return shorten(parts.join(', '));
}

/** Long texts end in a mark of the rest, so that two that begin alike are two values. */
function shorten(text: string): string {
  if (text.length <= longestValue) return text;
  const mark = `…${hashOf(text)}`;
  return `${text.slice(0, longestValue - mark.length)}${mark}`;
}

/** Whether a value of a column may be one that was shortened, or holds what has no text. */
export function isShortened(value: string): boolean {
  return value.endsWith('…') || (value.length === longestValue && /…[\da-z]{14}$/u.test(value));
}

/** 64 bits of FNV-1a as 14 characters: tells texts apart, and hides nothing. */
function hashOf(text: string): string {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100_0000_01b3n);
  }
  return hash.toString(36).padStart(14, '0');
}
