import type { ArrayFormat, MetadataFormat } from '../../../connections/common/connection.ts';
import { isCalendarDay } from '../../../base/time.ts';
import { isPlainValue, writtenText, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import type { ListParams, ListEndpoint } from '../../common/listParams.ts';
import { ParameterError } from '../../../base/failure.ts';

/** How the connection's service expects arrays and objects in a query string. */
export interface QueryStyles {
  readonly arrayFormat: ArrayFormat;
  readonly metadataFormat: MetadataFormat;
}

/**
 * Returns the query string of a list request (contract 4.5), without the question mark. Dates are normalised:
 * date-times are sent in UTC with milliseconds. Empty lists and objects are not sent.
 * @throws ParameterError for a number out of bounds, a date that does not exist, or metadata that the style cannot
 * express.
 */
export function encodeListQuery(params: ListParams, styles: QueryStyles): string {
  const { offset, limit, date, beforeDate, afterDate, statuses = [], kinds = [], customMetadata = {} } = params;
  return [
    ...(offset === undefined ? [] : [`offset=${wholeNumber(offset, 0, 'offset', 'notAnOffset')}`]),
    ...(limit === undefined ? [] : [`limit=${wholeNumber(limit, 1, 'limit', 'notALimit')}`]),
    ...(date === undefined ? [] : [`date=${day(date)}`]),
    ...(beforeDate === undefined ? [] : [`before_date=${encodeURIComponent(instant(beforeDate, 'before_date'))}`]),
    ...(afterDate === undefined ? [] : [`after_date=${encodeURIComponent(instant(afterDate, 'after_date'))}`]),
    ...list('status', statuses, styles.arrayFormat),
    ...list('kind', kinds, styles.arrayFormat),
    ...metadata(customMetadata, styles.metadataFormat),
  ].join('&');
}

function wholeNumber(value: number, min: number, name: string, problem: 'notAnOffset' | 'notALimit'): number {
  if (!Number.isSafeInteger(value) || value < min) throw new ParameterError(name, problem);
  return value;
}

function day(value: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || !isCalendarDay(value)) throw new ParameterError('date', 'notADate');
  return value;
}

const dateTime =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

function instant(value: string, name: string): string {
  const date = dateTime.exec(value)?.[1];
  if (date === undefined || !isCalendarDay(date)) throw new ParameterError(name, 'notADateTime');
  const utc = new Date(value.toUpperCase()).toISOString();
  // A time zone can move a date near the calendar's limits out of the format's four-digit years.
  if (utc.length !== 24) throw new ParameterError(name, 'notADateTime');
  return utc;
}

function list(name: string, values: readonly string[], format: ArrayFormat): readonly string[] {
  if (values.length === 0) return [];
  const written = values.map(encodeURIComponent);
  switch (format) {
    case 'repeat':
      return written.map((value) => `${name}=${value}`);
    case 'brackets':
      return written.map((value) => `${name}%5B%5D=${value}`);
    case 'comma':
      return [`${name}=${written.join(',')}`];
  }
}

function metadata(value: JsonObject, format: MetadataFormat): readonly string[] {
  const entries = Object.entries(value);
  if (entries.length === 0) return [];
  switch (format) {
    case 'json':
      return [`custom_metadata=${encodeURIComponent(JSON.stringify(value))}`];
    case 'brackets':
      return entries.map(([key, each]) => bracketPair(key, each));
  }
}

/**
 * Returns `custom_metadata[key]=value`. Throws for values that this form cannot express, because omitting them would
 * widen the filter.
 */
function bracketPair(key: string, value: JsonValue): string {
  const parameter = `custom_metadata.${key}`;
  if (key === '') throw new ParameterError('custom_metadata', 'emptyMetadata');
  if (!isPlainValue(value)) throw new ParameterError(parameter, 'nestedMetadata');
  const text = writtenText(value);
  if (/[[\]\p{Surrogate}]/u.test(key) || /\p{Surrogate}/u.test(text)) {
    throw new ParameterError(parameter, 'unwritableMetadata');
  }
  return `custom_metadata%5B${encodeURIComponent(key)}%5D=${encodeURIComponent(text)}`;
}

/** Returns the path of a list endpoint below the base URL (contract 4.1 to 4.3). */
export function listPath(endpoint: ListEndpoint): string {
  switch (endpoint) {
    case 'pre-recorded':
      return '/v2/pre-recorded';
    case 'live':
      return '/v2/live';
    case 'combined':
      return '/v2/transcription';
  }
}
