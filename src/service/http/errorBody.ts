import { extractWords } from '../../domain/jobs/decodePage.ts';
import { isJsonObject, parseJson } from '../../domain/json/json.ts';
import { oneLine } from '../../domain/outsideText.ts';

/** What an error body says, as far as it can be understood. */
export interface ErrorBody {
  readonly message: string | undefined;
  /** One line per complaint, with the field's name where it is told. */
  readonly fieldErrors: readonly string[];
  readonly requestId: string | undefined;
}

const maxFieldErrors = 20;

/**
 * Reads the body of an error answer. Its shape is not shown by the contract (7), so every usual one is understood: flat,
 * nested under `error`, a list, plain text or HTML. Only what is no JSON loses its tags: in JSON "<" is a word of the message.
 * @param withoutSecrets blots out what nobody may read. It sees each text as it is meant, before it is cut: escaped or cut
 *   in two, a secret would not be found.
 */
export function readErrorBody(text: string, withoutSecrets: (text: string) => string): ErrorBody {
  const body = parseJson(text);
  if (body === undefined)
    return { message: nonEmpty(extractWords(withoutSecrets(text))), fieldErrors: [], requestId: undefined };
  const told = (words: string): string => oneLine(withoutSecrets(words));
  const root = isJsonObject(body) ? body : {};
  const nested = isJsonObject(root['error']) ? root['error'] : root;
  const complaints = Array.isArray(body) ? body : fieldNames.flatMap((name) => listed(nested[name] ?? root[name]));
  const fieldErrors = complaints.flatMap((each) => complaint(each, told) ?? []).slice(0, maxFieldErrors);
  const message =
    [
      nested['message'],
      root['message'],
      nested['detail'],
      nested['title'],
      root['error'],
      nested['error'],
      nested['code'],
      body,
    ]
      .map((each) => (typeof each === 'string' ? nonEmpty(told(each)) : undefined))
      .find((each) => each !== undefined) ?? fieldErrors[0];
  const requestId = [root['request_id'], nested['request_id'], root['requestId'], nested['requestId']].find(
    (each) => typeof each === 'string',
  );
  return { message, fieldErrors, requestId: requestId === undefined ? undefined : withoutSecrets(requestId) };
}

/** Where services put complaints about single fields; `message` and `detail` only when they are lists. */
const fieldNames = ['validation_errors', 'validationErrors', 'errors', 'details', 'detail', 'message'] as const;

/** The complaints under one field: a list as it is, an object as "name: complaint". Text belongs to the message. */
function listed(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([field, message]) => ({ field, message }));
}

/** One complaint in a line: `{loc: ["body", "url"], msg: "…"}` becomes "body.url: …". */
function complaint(value: unknown, told: (words: string) => string): string | undefined {
  if (typeof value === 'string') return nonEmpty(told(value));
  if (!isJsonObject(value)) return undefined;
  const place = value['field'] ?? value['loc'] ?? value['path'] ?? value['property'];
  const words = [value['message'], value['msg'], value['reason'], value['detail']].flatMap((each) => each ?? [])[0];
  const message = typeof words === 'string' ? nonEmpty(told(words)) : undefined;
  const where = Array.isArray(place) ? place.filter((step) => typeof step !== 'object').join('.') : place;
  if (typeof where !== 'string' || where === '') return message;
  return message === undefined ? told(where) : `${told(where)}: ${message}`;
}

function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
