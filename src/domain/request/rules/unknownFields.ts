import { distance } from 'fastest-levenshtein';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { isArray } from '../json/isArray.ts';
import type { JsonPath } from '../json/jsonPlaces.ts';
import { requestField, type KnownField } from '../knownFields.ts';

/** A member that the schema does not describe. */
export interface UnknownField {
  readonly path: JsonPath;
  readonly name: string;
  readonly value: unknown;
  /** The described member of the same object that was probably meant. */
  readonly meant: MeantField | undefined;
  /** Neither the object nor an earlier unknown field has that name. */
  readonly isFree: boolean;
}

export interface MeantField {
  readonly name: string;
  readonly field: KnownField;
}

/** Names looked up per object: who writes more unknown ones has not slipped on the keys. */
const suggestionLimit = 50;

const found = new WeakMap<JsonObject, readonly UnknownField[]>();

/** The unknown fields of a request, in its order. Looked for once per request. */
export function unknownFields(body: JsonObject): readonly UnknownField[] {
  let fields = found.get(body);
  if (!fields) {
    const list: UnknownField[] = [];
    collect(body, requestField, [], list);
    found.set(body, list);
    fields = list;
  }
  return fields;
}

function collect(value: unknown, { members, elements }: KnownField, path: JsonPath, list: UnknownField[]): void {
  if (isArray(value)) {
    if (!elements?.members) return;
    for (const [index, element] of value.entries()) {
      if (isJsonObject(element) && hasUnknown(element, elements)) collect(element, elements, [...path, index], list);
    }
    return;
  }
  if (!members || !isJsonObject(value)) return;
  const taken = new Set(Object.keys(value));
  let lookups = 0;
  for (const [name, member] of Object.entries(value)) {
    const known = members.get(name);
    if (known) {
      collect(member, known, [...path, name], list);
      continue;
    }
    const meant = lookups++ < suggestionLimit ? closest(name, members) : undefined;
    const isFree = meant !== undefined && !taken.has(meant.name);
    if (isFree) taken.add(meant.name);
    list.push({ path: [...path, name], name, value: member, meant, isFree });
  }
}

/** A quick look, because a vocabulary may have ten thousand entries and nearly all are in order. */
function hasUnknown(element: JsonObject, { members }: KnownField): boolean {
  for (const name in element) if (!members?.has(name)) return true;
  return false;
}

function closest(name: string, candidates: ReadonlyMap<string, KnownField>): MeantField | undefined {
  const plain = snakeCase(name);
  let least = plain.length < 5 ? 2 : 3;
  let best: MeantField | undefined;
  for (const [candidate, field] of candidates) {
    if (Math.abs(candidate.length - plain.length) >= least) continue;
    const steps = distance(plain, candidate);
    if (steps >= least) continue;
    best = { name: candidate, field };
    least = steps;
  }
  return best;
}

/** `audioUrl`, `audio-url` and `Audio URL` as this interface would write them. */
function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[\s.-]+/gu, '_')
    .toLowerCase()
    .replaceAll('isation', 'ization');
}
