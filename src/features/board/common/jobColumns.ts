import { maxItemMembers, readItemFacts } from '../../../jobs/common/itemFacts.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { firstShortText, isTitle, labelFields, labelOfItem } from '../../../jobs/common/jobRow.ts';
import {
  flatText,
  isArray,
  isJsonObject,
  isPlainValue,
  writtenText,
  type JsonObject,
  type JsonValue,
} from '../../../base/json/json.ts';
import { boardColumns, handledKey } from './boardColumns.ts';
import { shortenValue } from './shortenValue.ts';

/** Columns whose values are stored for each row; the others are calculated. */
const storedColumns = boardColumns.filter(({ ofJob, ofItem }) => ofJob !== undefined || ofItem !== undefined);

const fixedKeys: readonly string[] = [...storedColumns.map(({ key }) => key), handledKey];

/** Objects of an item whose members become columns by path, for example `custom_metadata.customer`. */
const objectFields = ['custom_metadata', 'post_session_metadata', 'request_params'] as const;

/** Fields of an item that a board reads. */
const itemFields: readonly string[] = [
  ...new Set([...boardColumns.flatMap(({ ofItem }) => ofItem ?? []), ...objectFields, ...labelFields]),
];

/** Maximum number of columns for keys of metadata and parameters. */
export const maxKeyColumns = 250;
/** Maximum depth below the object, in levels. */
const maxDepth = 3;
/** Maximum length in characters. */
const maxKeyLength = 200;

/** JSON type of a value stored as text: `plain` is a number or a boolean. */
type ValueForm = 'text' | 'plain' | 'list';

/** Number of distinct values from which a field is checked for being nearly unique. */
const minUnique = 1000;

/** Values of one field for all rows: each distinct value once, and for each row the code of its value. */
export class ValueColumn {
  readonly key: string;
  readonly #values: (string | undefined)[] = [undefined];
  readonly #codes: number[] = [];
  readonly #codeOf = new Map<string | undefined, number>([[undefined, 0]]);
  /** By code; undefined for a value that occurs in different forms. */
  readonly #forms: (ValueForm | undefined)[] = [undefined];
  #isNumeric = true;

  constructor(key: string) {
    this.key = key;
  }

  /** Distinct values by code. Code 0 is a missing value. */
  get values(): readonly (string | undefined)[] {
    return this.#values;
  }

  /** Codes by row. Ends at the last row that has a value. */
  get codes(): readonly number[] {
    return this.#codes;
  }

  /** True if all values were numbers. */
  get isNumeric(): boolean {
    return this.#isNumeric && this.#values.length > 1;
  }

  /** True for a field such as an ID or a name, whose values hardly ever repeat. */
  get isNearlyUnique(): boolean {
    const distinct = this.#values.length - 1;
    return distinct >= minUnique && distinct * 4 > this.#codes.length;
  }

  /** Adds the value of a row after all earlier rows. */
  add(row: number, value: string, form: ValueForm): void {
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      code = this.#values.push(value) - 1;
      this.#codeOf.set(value, code);
      this.#forms.push(form);
    } else if (this.#forms[code] !== form) this.#forms[code] = undefined;
    this.#isNumeric &&= form === 'plain' && Number.isFinite(Number(value));
    while (this.#codes.length < row) this.#codes.push(0);
    this.#codes[row] = code;
  }

  /** Returns the value of a row; undefined if it is missing. */
  value(row: number): string | undefined {
    return this.#values[this.#codes[row] ?? 0];
  }

  /** Returns the code of a value, where undefined is a missing value. Returns undefined for a value that no row has. */
  codeOf(value: string | undefined): number | undefined {
    return this.#codeOf.get(value);
  }

  /** Returns the form of a value in JSON; undefined if no row has the value, or if it occurs in several forms, such as number and text. */
  formOf(value: string): ValueForm | undefined {
    return this.#forms[this.#codeOf.get(value) ?? 0];
  }
}

/** Jobs stored as columns. A row is the index at which a job was added. */
export class JobColumns {
  readonly #created: number[] = [];
  readonly #completed: number[] = [];
  readonly #values = new Map<string, ValueColumn>();
  #lacksKeys = false;
  readonly #labelKeys: readonly string[];
  readonly #labels: (string | undefined)[] = [];
  readonly #areTitles: boolean[] = [];
  /** Only of rows without a label. */
  readonly #shortTexts = new Map<number, string>();

  /** @param labelKeys metadata keys tried in order for the label, as in the list of jobs */
  constructor(labelKeys: readonly string[] = []) {
    this.#labelKeys = labelKeys;
    for (const key of fixedKeys) this.#values.set(key, new ValueColumn(key));
  }

  /** Number of rows. */
  get size(): number {
    return this.#created.length;
  }

  /** Creation times by row, milliseconds since the epoch; NaN where a job has none. */
  get created(): readonly number[] {
    return this.#created;
  }

  get completed(): readonly number[] {
    return this.#completed;
  }

  /** True if keys of metadata or parameters may have no column, because there are too many. */
  get lacksKeys(): boolean {
    return this.#lacksKeys;
  }

  /** Columns of values, in the order of their first value. */
  get values(): readonly ValueColumn[] {
    return [...this.#values.values()];
  }

  /** Returns the values of a field or of a path such as `custom_metadata.customer`; undefined for times and for a path that no job has. */
  column(key: string): ValueColumn | undefined {
    return this.#values.get(key);
  }

  /** Returns the label text from the item of a row's job; undefined if there is none. */
  label(row: number): string | undefined {
    return this.#labels[row];
  }

  /** Returns the text from the metadata of a row's job that is its label if there is no other. */
  shortText(row: number): string | undefined {
    return this.#shortTexts.get(row);
  }

  /** True if the label of a row is a title, which distinguishes it from others. */
  hasTitle(row: number): boolean {
    return this.#areTitles[row] ?? false;
  }

  /** Adds a job. @returns its row */
  add(job: Job): number {
    const row = this.#created.push(job.createdAtMs ?? NaN) - 1;
    this.#completed.push(job.completedAtMs ?? NaN);
    const item = readItemFacts(job, itemFields);
    for (const { key, ofJob, ofItem } of storedColumns) {
      const value = ofItem === undefined ? ofJob?.(job) : item[ofItem];
      if (!isPlainValue(value) || typeof value === 'boolean') continue;
      const text = writtenText(value);
      this.#set(key, row, ofItem === undefined ? text : shortenValue(text), formOf(value));
    }
    for (const field of objectFields) {
      const members = item[field];
      if (isJsonObject(members)) this.#addMembers(row, field, members, 1);
    }
    const label = labelOfItem(item, job.id, this.#labelKeys);
    const shortText = label === undefined ? firstShortText(item) : undefined;
    if (shortText !== undefined) this.#shortTexts.set(row, shortText);
    this.#labels.push(label);
    this.#areTitles.push(isTitle(label, item, job.id, this.#labelKeys));
    return row;
  }

  /** Notes which failures were handled, in place of what was noted before. */
  noteHandled(isHandled: (job: Pick<Job, 'kind' | 'id' | 'createdAtMs' | 'completedAtMs'>) => boolean): void {
    const column = new ValueColumn(handledKey);
    const timeOf = (atMs = NaN): number | undefined => (Number.isNaN(atMs) ? undefined : atMs);
    for (let row = 0; row < this.size; row++) {
      const [kind = '', id = ''] = [this.column('kind')?.value(row), this.column('id')?.value(row)];
      const [createdAtMs, completedAtMs] = [timeOf(this.#created[row]), timeOf(this.#completed[row])];
      if (isHandled({ kind, id, createdAtMs, completedAtMs })) column.add(row, 'yes', 'text');
    }
    this.#values.set(handledKey, column);
  }

  /** Returns the milliseconds from creation to completion; NaN if a time is missing or they are inconsistent. */
  processingMs(row: number): number {
    const tookMs = (this.#completed[row] ?? NaN) - (this.#created[row] ?? NaN);
    return tookMs >= 0 ? tookMs : NaN;
  }

  #addMembers(row: number, path: string, members: JsonObject, depth: number): void {
    const entries = Object.entries(members);
    // Further members are not read.
    this.#lacksKeys ||= entries.length >= maxItemMembers;
    for (const [name, value] of entries) {
      const key = `${path}.${name}`;
      if (isJsonObject(value)) {
        if (depth < maxDepth) this.#addMembers(row, key, value, depth + 1);
        else this.#lacksKeys = true;
        continue;
      }
      const text = flatText(value);
      if (text === undefined) continue;
      if (key.length <= maxKeyLength) this.#set(key, row, shortenValue(text), formOf(value));
      else this.#lacksKeys = true;
    }
  }

  #set(key: string, row: number, value: string, form: ValueForm): void {
    let column = this.#values.get(key);
    if (column === undefined) {
      if (this.#values.size >= fixedKeys.length + maxKeyColumns) {
        this.#lacksKeys = true;
        return;
      }
      column = new ValueColumn(key);
      this.#values.set(key, column);
    }
    column.add(row, value, form);
  }
}

function formOf(value: JsonValue | undefined): ValueForm {
  return typeof value === 'string' ? 'text' : isArray(value) ? 'list' : 'plain';
}
