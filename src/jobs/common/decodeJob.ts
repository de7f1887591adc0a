import { parseDateTimeMs } from '../../base/time.ts';
import { readItemFacts } from './itemFacts.ts';
import { isJobKind, isJobStatus, type Job, type JobKind, type ListEntry } from './job.ts';
import { isJsonObject, type JsonObject } from '../../base/json/json.ts';
import { ownText, readMembers } from '../../base/json/jsonText.ts';
import { isPlainLine } from '../../base/outsideText.ts';
import { flag, integer, jsonObject, list, number, text } from '../../base/decode/decoder.ts';
import {
  checkShape,
  readShape,
  type OnDeviation,
  type Read,
  type SchemaDeviation,
} from '../../base/decode/readShape.ts';

/**
 * Decodes one element of `items`. Never rejects: any value gives a list entry that keeps `raw`.
 * @param value the parsed element.
 * @param raw its JSON text as received.
 * @param requestedKind the kind of the requested list, used when the item has none.
 */
export function decodeJob(
  value: unknown,
  raw: string,
  requestedKind: JobKind | undefined,
  onDeviation: OnDeviation,
): ListEntry {
  const id = isJsonObject(value) ? readUsableId(value['id'], raw) : undefined;
  if (!isJsonObject(value) || id === undefined) {
    onDeviation({ path: 'items[]', kind: 'unreadable' });
    return { type: 'unreadable', raw };
  }
  checkShape(value, jobItemShapeFor(value, value['kind'] ?? requestedKind), 'items[]', (deviation) => {
    if (!isUsual(deviation, value)) onDeviation(deviation);
  });
  const status = readText(value['status']);
  const kind = readText(value['kind']);
  if (status !== undefined && !isJobStatus(status)) onDeviation({ path: 'items[].status', kind: 'unknownValue' });
  if (kind !== undefined && !isJobKind(kind)) onDeviation({ path: 'items[].kind', kind: 'unknownValue' });
  return {
    type: 'job',
    id,
    kind: known(kind ?? requestedKind ?? ''),
    status: known(status ?? ''),
    createdAtMs: readTimeMs(value['created_at']),
    completedAtMs: readTimeMs(value['completed_at']),
    errorCode: readErrorCode(value['error_code']),
    raw,
  };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readTimeMs(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDateTimeMs(value) : undefined;
}

// A larger code is shown as written, and has no label.
function readErrorCode(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/**
 * True if an empty field is expected: no metadata, no echo of a request, no completion of an unfinished job, no error
 * of a job that did not fail. The contract does not specify which fields may be null (2.2).
 */
function isUsual({ path, kind }: SchemaDeviation, { status, kind: of }: JsonObject): boolean {
  if (kind !== 'null' && kind !== 'missing') return false;
  switch (path) {
    case 'items[].custom_metadata':
    case 'items[].post_session_metadata':
      return true;
    case 'items[].request_params':
      return of === 'pre-recorded';
    case 'items[].completed_at':
      return status === 'queued' || status === 'processing';
    case 'items[].error_code':
      return status !== 'error';
    default:
      return false;
  }
}

/** Returns the plain fields of a job's item (contract 2.2) within the budget of an item, read from its text on demand. */
export function readJobFields(job: Pick<Job, 'raw'>): JobItemFields {
  return readShape(readItemFacts(job, jobItemNames), jobItemShape, 'items[]', () => undefined);
}

/**
 * Returns the item shape for a kind. The parameters of contract 2.3 belong to live sessions. Pre-recorded items have
 * none (contract 2.2); if some services send them, they echo the request, whose fields are checked elsewhere.
 */
function jobItemShapeFor(item: JsonObject, kind: unknown): typeof jobItemShape {
  if (kind === 'live') return wholeItemShape;
  if (!Object.hasOwn(item, 'request_params')) return jobItemShape;
  return kind === 'pre-recorded' ? echoingItemShape : wholeItemShape;
}

/** In characters. */
export const maxIdLength = 500;

/**
 * Validates an id: a non-empty single-line string, or a number. A number that a double cannot represent exactly is read
 * from the text, because otherwise different jobs would have the same id.
 * @param raw the text of the object whose `id` is the value
 */
export function readUsableId(value: unknown, raw: string): string | undefined {
  if (typeof value === 'string') return isPlainLine(value, maxIdLength) && value.trim() !== '' ? value : undefined;
  if (typeof value !== 'number') return undefined;
  if (Number.isSafeInteger(value)) return String(value);
  const written = readMembers(raw).findLast(({ key }) => key === 'id')?.text ?? String(value);
  return written.length > maxIdLength ? undefined : ownText(written);
}

/** Returns a shared constant for the usual words, so that jobs do not each hold a copy. */
function known(word: string): string {
  return constants.get(word) ?? word;
}

const constants = new Map(['', 'pre-recorded', 'live', 'queued', 'processing', 'done', 'error'].map((w) => [w, w]));

/** The nine switches of contract 6, in its order. */
export const messageSwitches = {
  receive_partial_transcripts: flag,
  receive_final_transcripts: flag,
  receive_speech_events: flag,
  receive_pre_processing_events: flag,
  receive_realtime_processing_events: flag,
  receive_post_processing_events: flag,
  receive_acknowledgments: flag,
  receive_errors: flag,
  receive_lifecycle_events: flag,
} as const;
export type MessageSwitch = keyof typeof messageSwitches;

/** The parameters a live session was opened with (contract 2.3). */
export const requestParamsShape = {
  encoding: text,
  bit_depth: integer(),
  sample_rate: integer(),
  channels: integer(),
  model: text,
  endpointing: number,
  maximum_duration_without_endpointing: number,
  language_config: { languages: list(text), code_switching: flag },
  pre_processing: { audio_enhancer: flag, speech_threshold: number },
  realtime_processing: {
    custom_vocabulary: flag,
    custom_spelling: flag,
    translation: flag,
    named_entity_recognition: flag,
    sentiment_analysis: flag,
  },
  post_processing: {
    summarization: flag,
    summarization_config: { type: text },
    chapterization: flag,
  },
  messages_config: messageSwitches,
  callback: flag,
  callback_config: { url: text, ...messageSwitches },
} as const;

/** The fields of a job item (contract 2.2) except `request_params`, which only some items have. */
export const jobItemShape = {
  id: text,
  request_id: text,
  version: integer(),
  status: text,
  created_at: text,
  completed_at: text,
  kind: text,
  custom_metadata: jsonObject,
  post_session_metadata: jsonObject,
  // A larger code is shown as written, and has no label.
  error_code: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
} as const;
const jobItemNames = Object.keys(jobItemShape);
export type JobItemFields = Read<typeof jobItemShape>;

/** The same with `request_params`: the complete item shape of the contract. */
export const wholeItemShape = { ...jobItemShape, request_params: requestParamsShape } as const;

/** The same for a pre-recorded job whose service echoes its request. */
const echoingItemShape = { ...jobItemShape, request_params: jsonObject } as const;
