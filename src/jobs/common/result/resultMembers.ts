import type { SchemaDeviation } from '../../../base/decode/readShape.ts';
import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/json.ts';

/** Called with the path of a missing or unreadable part. */
export type OnGap = (path: string) => void;

/** Reads a field that must be an object if it is present. Any other value is a gap. */
export function memberObject(holder: JsonObject, name: string, path: string, onGap: OnGap): JsonObject | undefined {
  const value = ownMember(holder, name);
  if (isJsonObject(value)) return value;
  if (value !== undefined && value !== null) onGap(`${path}.${name}`);
  return undefined;
}

/** Returns the readable elements of a list field. Each unreadable element, or a value that is not a list, is a gap. */
export function memberList<T>(
  holder: JsonObject,
  name: string,
  path: string,
  onGap: OnGap,
  read: (value: JsonObject, path: string, onGap: OnGap) => T | undefined,
): readonly T[] {
  const value = ownMember(holder, name);
  if (value === undefined || value === null) return [];
  if (!isArray(value)) {
    onGap(`${path}.${name}`);
    return [];
  }
  return value.flatMap((each) => {
    if (isJsonObject(each)) return read(each, `${path}.${name}[]`, onGap) ?? [];
    onGap(`${path}.${name}[]`);
    return [];
  });
}

export function ownMember(holder: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** Reports gaps of optional fields: a wrong type is a gap, absence is not. */
export function reportWrongTypes(onGap: OnGap): (deviation: SchemaDeviation) => void {
  return ({ kind, path }) => {
    if (kind === 'wrongType') onGap(path);
  };
}

export function reportGaps(onGap: OnGap): (deviation: SchemaDeviation) => void {
  return ({ kind, path }) => {
    if (kind !== 'unknownField') onGap(path);
  };
}

/** Longer than any audio. Larger values are invalid. */
const maxSeconds = 10_000_000;

/** Converts a duration in seconds from the service to milliseconds; undefined for an invalid one. */
export function toMs(seconds: number | undefined): number | undefined {
  if (seconds === undefined || !(seconds >= 0 && seconds <= maxSeconds)) return undefined;
  return Math.round(seconds * 1000);
}

/** Reads a count from the service; undefined if it is invalid. */
export function countOf(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && Number.isSafeInteger(value) ? value : undefined;
}
