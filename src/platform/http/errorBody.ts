import { isJsonObject, parseJson } from '../../base/json/json.ts';
import { oneLine, extractWords } from '../../base/outsideText.ts';
import type { HttpResponse } from './exchange.ts';
import type { KeyMask } from './keyMask.ts';

/** The contents of an error body, as far as they were recognised. */
export interface ErrorBody {
  readonly message: string | undefined;
  /** One line per field error, with the field's name if known. */
  readonly fieldErrors: readonly string[];
  readonly requestId: string | undefined;
}

export const maxFieldErrors = 20;

/**
 * Decodes the body of an error response. The contract (7) does not show its shape, so all usual ones are supported:
 * flat, nested under `error`, a list, plain text or HTML. Tags are removed only from bodies that are not JSON.
 * @param answer has a body that is short, or cut: see {@link HttpResponse.isCut}.
 * @param keyMask applied to each decoded text before it is truncated: it could not find the key in escaped or cut text.
 */
export function readErrorBody({ text, isCut }: Pick<HttpResponse, 'text' | 'isCut'>, keyMask: KeyMask): ErrorBody {
  const { body, unfinished } = isCut ? parseBeginning(text) : { body: parseJson(text) };
  if (body === undefined) {
    return {
      message: nonEmpty(extractWords(keyMask.applyToBeginning(text, isCut))),
      fieldErrors: [],
      requestId: undefined,
    };
  }
  const toLine = (words: string): string => oneLine(keyMask.applyToBeginning(words, words === unfinished));
  const root = isJsonObject(body) ? body : {};
  const nested = isJsonObject(root['error']) ? root['error'] : root;
  const complaints = Array.isArray(body) ? body : fieldNames.flatMap((name) => listed(nested[name] ?? root[name]));
  const fieldErrors: string[] = [];
  for (const each of complaints) {
    const line = complaint(each, toLine);
    if (line !== undefined) fieldErrors.push(line);
    if (fieldErrors.length === maxFieldErrors) break;
  }
  const { message: ownMessage, error: ownError } = root;
  const texts = [
    nested['message'],
    ownMessage,
    nested['detail'],
    nested['title'],
    ownError,
    nested['error'],
    nested['code'],
  ];
  const message = firstLine([...texts, body], toLine) ?? fieldErrors[0];
  const ids = [root['request_id'], nested['request_id'], root['requestId'], nested['requestId']];
  return { message, fieldErrors, requestId: firstLine(ids, toLine) };
}

/** Returns the first value that is a non-empty text. */
function firstLine(values: readonly unknown[], toLine: (words: string) => string): string | undefined {
  for (const value of values) {
    const line = typeof value === 'string' ? toLine(value) : '';
    if (line !== '') return line;
  }
  return undefined;
}

/** Parses the beginning of a JSON text by closing everything that is open at the cut. */
function parseBeginning(text: string): { readonly body: unknown; readonly unfinished?: unknown } {
  const open: string[] = [];
  let inText = false;
  let textStart = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      inText = !inText;
      if (inText) textStart = at;
    } else if (inText) at += character === '\\' ? 1 : 0;
    else if (character === '{' || character === '[') open.push(character === '{' ? '}' : ']');
    else if (character === '}' || character === ']') open.pop();
  }
  const closing = open.reverse().join('');
  const begun = inText ? `${text.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"` : text;
  // The cut followed a value, a name, a colon, a comma of a list, or a comma of an object.
  for (const missing of ['', ':null', 'null', '"":null']) {
    const value = parseJson(begun + missing + closing);
    if (value !== undefined) return { body: value, ...(inText && { unfinished: parseJson(begun.slice(textStart)) }) };
  }
  return { body: undefined };
}

/** Members that services use for field errors; `message` and `detail` only when they are lists. */
const fieldNames = ['validation_errors', 'validationErrors', 'errors', 'details', 'detail', 'message'] as const;

/**
 * Returns the field errors under one member: a list unchanged, an object as pairs of field and message. A text belongs
 * to the message.
 */
function listed(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([field, message]) => ({ field, message }));
}

/** Returns one field error as a line: `{loc: ["body", "url"], msg: "…"}` becomes "body.url: …". */
function complaint(value: unknown, toLine: (words: string) => string): string | undefined {
  if (typeof value === 'string') return nonEmpty(toLine(value));
  if (!isJsonObject(value)) return undefined;
  const place = value['field'] ?? value['loc'] ?? value['path'] ?? value['property'];
  const words = [value['message'], value['msg'], value['reason'], value['detail']].flatMap((each) => each ?? [])[0];
  const message = typeof words === 'string' ? nonEmpty(toLine(words)) : undefined;
  const where = Array.isArray(place) ? place.filter((step) => typeof step !== 'object').join('.') : place;
  if (typeof where !== 'string' || where === '') return message;
  return message === undefined ? toLine(where) : `${toLine(where)}: ${message}`;
}

function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
