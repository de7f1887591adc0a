import { dateTimeMs } from './time/dateTime.ts';
import { isJobKind, isJobStatus, type Job, type JobKind, type ListEntry } from './job.ts';
import { jobItem } from './jobItem.ts';
import { jobItemShape, wholeItemShape, type JobItemFields } from './jobShape.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { memberTexts } from './jsonText/jsonText.ts';
import { readShape, type Notice } from './shape.ts';

const ignore: Notice = () => undefined;

/**
 * Reads one element of `items`, tolerantly: whatever it is, the result is a list entry that keeps `raw`.
 * @param value the parsed element.
 * @param raw its JSON text as received.
 * @param askedKind the kind of the list it came from, taken when the item does not say its own.
 */
export function decodeJob(value: unknown, raw: string, askedKind: JobKind | undefined, notice: Notice): ListEntry {
  const id = isJsonObject(value) ? usableId(value['id'], raw) : undefined;
  if (!isJsonObject(value) || id === undefined) {
    notice({ path: 'items[]', kind: 'unreadable' });
    return { type: 'unreadable', raw };
  }
  const fields = readShape(value, jobItemShapeFor(value), 'items[]', notice);
  const { status, kind } = fields;
  if (status !== undefined && !isJobStatus(status)) notice({ path: 'items[].status', kind: 'unknownValue' });
  if (kind !== undefined && !isJobKind(kind)) notice({ path: 'items[].kind', kind: 'unknownValue' });
  return {
    type: 'job',
    id: partOf(raw, id),
    kind: known(kind ?? askedKind ?? ''),
    status: known(status ?? ''),
    createdAtMs: fields.created_at === undefined ? undefined : dateTimeMs(fields.created_at),
    completedAtMs: fields.completed_at === undefined ? undefined : dateTimeMs(fields.completed_at),
    errorCode: fields.error_code,
    raw,
  };
}

/** The plain fields of a job's item (contract 2.2), read from its text on demand. */
export function jobFields(job: Pick<Job, 'raw'>): JobItemFields {
  return readShape(jobItem(job), jobItemShape, 'items[]', ignore);
}

/** Only items that carry parameters are held against their shape: a pre-recorded item has none (contract 2.2). */
function jobItemShapeFor(item: JsonObject): typeof jobItemShape {
  return Object.hasOwn(item, 'request_params') || item['kind'] === 'live' ? wholeItemShape : jobItemShape;
}

/**
 * An id must name the job: a text with something in it, or a number from a service that counts. A number that a program
 * cannot hold exactly is taken as it was written, or neighbours would become one job.
 * @param raw the text of the object that the value is the `id` of
 */
export function usableId(value: unknown, raw: string): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (typeof value !== 'number') return undefined;
  if (Number.isSafeInteger(value)) return String(value);
  return memberTexts(raw).findLast(({ key }) => key === 'id')?.text ?? String(value);
}

/** The same text as a part of another that is kept anyway, if it stands there: it then takes no memory of its own. */
function partOf(whole: string, text: string): string {
  const at = whole.indexOf(text);
  return at === -1 ? text : whole.slice(at, at + text.length);
}

/** The constant for the usual words, so that a hundred thousand jobs do not each hold a copy. */
function known(word: string): string {
  return constants.get(word) ?? word;
}

const constants = new Map(['', 'pre-recorded', 'live', 'queued', 'processing', 'done', 'error'].map((w) => [w, w]));
