import { isJsonObject, type JsonObject, type JsonValue, type JsonPath } from '../../base/json/json.ts';
import type { Change } from './finding.ts';
import type { Setting } from '../../known/knownService.ts';
import { isEmptyValue, memberOf, findValue } from './requestFields.ts';

/**
 * Creates the changes that remove a member from a request and set other fields instead. Existing fields keep their values.
 * Missing objects are created, at the position of the member if possible.
 * @returns undefined if a field cannot be set, because a parent has another type
 */
export function makeSettingChanges(
  body: JsonObject,
  from: JsonPath,
  settings: readonly Setting[],
): readonly Change[] | undefined {
  const own = from.slice(0, -1);
  const ownName = String(from.at(-1));
  // Maps, because assigning `__proto__` would set the prototype.
  const beside = new Map<string, JsonValue>();
  const replaced: Change[] = [];
  const elsewhere = new Map<string, { readonly path: JsonPath; readonly members: Map<string, JsonValue> }>();
  for (const [path, value] of settings) {
    const depth = existingDepth(body, path, from);
    if (depth === undefined) return undefined;
    if (depth === path.length) {
      // An empty value counts as missing.
      if (isEmptyValue(findValue(body, path))) replaced.push({ type: 'replace', path, value });
      continue;
    }
    const parent = path.slice(0, depth);
    const isBeside = parent.length === own.length && parent.every((segment, index) => segment === own[index]);
    if (!isBeside && parent.length > own.length && isWithin(parent, from)) return undefined;
    const key = JSON.stringify(parent);
    const members = isBeside ? beside : (elsewhere.get(key)?.members ?? new Map<string, JsonValue>());
    if (!isBeside) elsewhere.set(key, { path: parent, members });
    const name = String(path[depth]);
    members.set(name, merge(members.get(name), nest(path.slice(depth + 1), value)));
  }
  const appended = [...elsewhere.values()].flatMap(({ path, members }) =>
    [...members].map(([name, value]): Change => ({ type: 'append', path, name, value })),
  );
  const others = [...replaced, ...appended];
  // Two insertions at the end of one object would conflict.
  if ([...elsewhere.values()].some(({ members }) => members.size > 1)) return undefined;
  const [only, another] = beside;
  if (only && !another) {
    const [name, value] = only;
    if (name === ownName) return [{ type: 'replace', path: from, value }, ...others];
    // A rename keeps the value as written, including numbers that JavaScript cannot represent.
    if (value === findValue(body, from)) return [{ type: 'rename', path: from, name }, ...others];
  }
  return beside.size === 0
    ? [{ type: 'remove', path: from }, ...appended]
    : [{ type: 'replaceMember', path: from, members: Object.fromEntries(beside) }, ...others];
}

/** Counts the segments of a path that exist after the member at `from` is removed; undefined if a parent is not an object. */
function existingDepth(body: JsonObject, path: JsonPath, from: JsonPath): number | undefined {
  let object = body;
  for (const [depth, segment] of path.entries()) {
    const isGone = depth === from.length - 1 && from.every((each, index) => each === path[index]);
    const value = isGone ? undefined : memberOf(object, String(segment));
    if (value === undefined || value === null) return value === null ? undefined : depth;
    if (depth === path.length - 1) return path.length;
    if (!isJsonObject(value)) return undefined;
    object = value;
  }
  return path.length;
}

function isWithin(path: JsonPath, outer: JsonPath): boolean {
  return outer.every((segment, index) => segment === path[index]);
}

function nest(path: JsonPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, segment) => ({ [String(segment)]: inner }), value);
}

function merge(one: JsonValue | undefined, other: JsonValue): JsonValue {
  return one !== undefined && isJsonObject(one) && isJsonObject(other) ? { ...one, ...other } : other;
}

/** Maximum number of members that are moved out of an object; requests have a few dozen fields. */
const maxMoved = 100;

/** Returns the members of an object that is moved; undefined if it has too many. */
export function movableMembers(object: JsonObject): readonly (readonly [string, JsonValue])[] | undefined {
  const members = Object.entries(object);
  return members.length > maxMoved ? undefined : members;
}

/**
 * A request that settings are added to; fields that are set keep their values. Null counts as missing, and so does anything but an object in
 * the place of one. Takes time linear in the settings.
 */
export class GrowingRequest {
  // Maps, because assigning `__proto__` would set the prototype.
  readonly #members: Map<string, JsonValue | Map<string, JsonValue>>;

  constructor(body: JsonObject) {
    this.#members = new Map(Object.entries(body));
  }

  /** Sets a member, also if it has a value. */
  set(name: string, value: JsonValue): void {
    this.#members.set(name, value);
  }

  /** Adds a setting unless it is set. @returns true if it was added */
  add([[outer, inner], value]: Setting): boolean {
    const name = String(outer);
    const member = this.#members.get(name) ?? undefined;
    if (inner === undefined) {
      if (member === undefined) this.#members.set(name, value);
      return member === undefined;
    }
    const settings =
      member instanceof Map
        ? member
        : new Map(Object.entries(member !== undefined && isJsonObject(member) ? member : {}));
    const setting = String(inner);
    if ((settings.get(setting) ?? undefined) !== undefined) return false;
    settings.set(setting, value);
    this.#members.set(name, settings);
    return true;
  }

  body(): JsonObject {
    return Object.fromEntries(
      [...this.#members].map(([name, member]) => [name, member instanceof Map ? Object.fromEntries(member) : member]),
    );
  }
}
