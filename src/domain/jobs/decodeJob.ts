import { dateTimeMs } from '../time.ts';
import { isJobKind, isJobStatus, type Job, type JobKind, type ListEntry, jobItem } from './job.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { memberTexts } from '../json/jsonText.ts';
import { readShape, type OnDeviation, type Read } from '../decode/shape.ts';

const ignore: OnDeviation = () => undefined;

/**
 * Reads one element of `items`, tolerantly: whatever it is, the result is a list entry that keeps `raw`.
 * @param value the parsed element.
 * @param raw its JSON text as received.
 * @param askedKind the kind of the list it came from, taken when the item does not say its own.
 */
export function decodeJob(value: unknown, raw: string, askedKind: JobKind | undefined, notice: OnDeviation): ListEntry {
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

/** The nine switches of contract 6, in its order. */
export const messageSwitches = {
  receive_partial_transcripts: 'boolean',
  receive_final_transcripts: 'boolean',
  receive_speech_events: 'boolean',
  receive_pre_processing_events: 'boolean',
  receive_realtime_processing_events: 'boolean',
  receive_post_processing_events: 'boolean',
  receive_acknowledgments: 'boolean',
  receive_errors: 'boolean',
  receive_lifecycle_events: 'boolean',
} as const;
export type MessageSwitch = keyof typeof messageSwitches;

/** The parameters a live session was opened with (contract 2.3). */
export const requestParamsShape = {
  encoding: 'string',
  bit_depth: 'integer',
  sample_rate: 'integer',
  channels: 'integer',
  model: 'string',
  endpointing: 'number',
  maximum_duration_without_endpointing: 'number',
  language_config: { languages: 'strings', code_switching: 'boolean' },
  pre_processing: { audio_enhancer: 'boolean', speech_threshold: 'number' },
  realtime_processing: {
    custom_vocabulary: 'boolean',
    custom_spelling: 'boolean',
    translation: 'boolean',
    named_entity_recognition: 'boolean',
    sentiment_analysis: 'boolean',
  },
  post_processing: {
    summarization: 'boolean',
    summarization_config: { type: 'string' },
    chapterization: 'boolean',
  },
  messages_config: messageSwitches,
  callback: 'boolean',
  callback_config: { url: 'string', ...messageSwitches },
} as const;

/** The fields of a job item (contract 2.2) but for `request_params`, which only some items have. */
export const jobItemShape = {
  id: 'string',
  request_id: 'string',
  version: 'integer',
  status: 'string',
  created_at: 'string',
  completed_at: 'string',
  kind: 'string',
  custom_metadata: 'object',
  post_session_metadata: 'object',
  error_code: 'integer',
} as const;
export type JobItemFields = Read<typeof jobItemShape>;

/** The same with `request_params`: all that the contract says of an item. */
export const wholeItemShape = { ...jobItemShape, request_params: requestParamsShape } as const;
