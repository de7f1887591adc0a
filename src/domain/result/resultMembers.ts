import type { SchemaDeviation } from '../decode/readShape.ts';
import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';

/** Takes down where something is missing or unreadable. */
export type OnGap = (path: string) => void;

/** A member that is an object; something else is a gap, nothing is none. */
export function memberObject(holder: JsonObject, name: string, path: string, onGap: OnGap): JsonObject | undefined {
  const value = ownMember(holder, name);
  if (isJsonObject(value)) return value;
  if (value !== undefined && value !== null) onGap(`${path}.${name}`);
  return undefined;
}

/** The elements of a member that can be read; each that cannot, and a member that is no list, is a gap. */
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

/** What may well be absent is a gap only where it is there and of another type. */
export function tellUnreadable(onGap: OnGap): (deviation: SchemaDeviation) => void {
  return ({ kind, path }) => {
    if (kind === 'wrongType') onGap(path);
  };
}

export function tellAbsent(onGap: OnGap): (deviation: SchemaDeviation) => void {
  return ({ kind, path }) => {
    if (kind !== 'unknownField') onGap(path);
  };
}

/** Longer than any audio: what is beyond is no length of time. */
const longestSeconds = 10_000_000;

/** Seconds from outside in milliseconds; undefined when they are no length of time. */
export function toMs(seconds: number | undefined): number | undefined {
  if (seconds === undefined || !(seconds >= 0 && seconds <= longestSeconds)) return undefined;
  return Math.round(seconds * 1000);
}

/** A number from outside that counts something. */
export function countOf(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && Number.isSafeInteger(value) ? value : undefined;
}
