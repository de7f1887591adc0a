import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { isArray } from './json/isArray.ts';

/** The own member of an object, undefined when it has none: `toString` is not one. */
export function memberOf(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The member if it has the type; undefined otherwise. Wrong types are the schema's business, not a rule's. */
export function stringIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(object: JsonObject | undefined, name: string): number | undefined {
  const value = memberOf(object, name);
  return typeof value === 'number' ? value : undefined;
}

/** A whole number; the schema has words for others. */
export function integerIn(object: JsonObject | undefined, name: string): number | undefined {
  const value = numberIn(object, name);
  return Number.isInteger(value) ? value : undefined;
}

export function booleanIn(object: JsonObject | undefined, name: string): boolean | undefined {
  const value = memberOf(object, name);
  return typeof value === 'boolean' ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = memberOf(object, name);
  return isJsonObject(value) ? value : undefined;
}

export function arrayIn(object: JsonObject | undefined, name: string): readonly unknown[] | undefined {
  const value = memberOf(object, name);
  return isArray(value) ? value : undefined;
}
