import { distance } from 'fastest-levenshtein';
import { isArray, isJsonObject, type JsonObject, type JsonValue, type JsonPath } from '../../base/json/json.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';
import { maxFieldLength, snakeCase } from './requestFields.ts';
import { requestField, type SchemaField } from './schemaFields.ts';

/** A member that the schema does not describe. */
export interface UnknownField {
  readonly path: JsonPath;
  readonly name: string;
  readonly value: JsonValue;
  /** Described member of the same object that was probably intended. */
  readonly meant: MeantField | undefined;
  /** True if neither the object nor an earlier unknown field has that name. */
  readonly isFree: boolean;
}

export interface MeantField {
  readonly name: string;
  readonly field: SchemaField;
}

/** Maximum number of names looked up per object: more unknown names are not typing errors. */
const suggestionLimit = 50;

/** Maximum number of unknown fields: nobody reads the findings about more, and each is compared with many names. */
const maxUnknown = 12_500;

/** Returns the first unknown fields of a request, in request order. */
export const findUnknownFields = rememberPerObject((body: JsonObject): readonly UnknownField[] => {
  const list: UnknownField[] = [];
  collect(body, requestField, [], list);
  return list;
});

/** True if a request has unknown fields at its top level or in the given object: they may contradict the object's known fields. */
export function hasUnknownFields(body: JsonObject, config: string): boolean {
  const fields = findUnknownFields(body);
  return (
    fields.length === maxUnknown || fields.some(({ path: [outer, ...inner] }) => inner.length === 0 || outer === config)
  );
}

function collect(value: unknown, { members, elements }: SchemaField, path: JsonPath, list: UnknownField[]): void {
  if (list.length >= maxUnknown) return;
  if (isArray(value)) {
    if (!elements?.members) return;
    for (const [index, element] of value.entries()) {
      if (isJsonObject(element) && hasUnknown(element, elements)) collect(element, elements, [...path, index], list);
    }
    return;
  }
  if (!members || !isJsonObject(value)) return;
  /** Names that earlier unknown fields are renamed to. */
  const taken = new Set<string>();
  let lookups = 0;
  // Faster than `Object.entries` for an object with a hundred thousand members.
  for (const name in value) {
    if (list.length >= maxUnknown) return;
    const member = value[name];
    // For the compiler: each name has a value.
    if (member === undefined) continue;
    const known = members.get(name);
    if (known) {
      if (typeof member === 'object') collect(member, known, [...path, name], list);
      continue;
    }
    const meant = lookups++ < suggestionLimit ? closest(name, members) : undefined;
    const isFree = meant !== undefined && !Object.hasOwn(value, meant.name) && !taken.has(meant.name);
    if (isFree) taken.add(meant.name);
    list.push({ path: [...path, name], name, value: member, meant, isFree });
  }
}

/** True if an element has an unknown member. Fast, because a vocabulary may have ten thousand entries, nearly all valid. */
function hasUnknown(element: JsonObject, { members }: SchemaField): boolean {
  for (const name in element) if (!members?.has(name)) return true;
  return false;
}

function closest(name: string, candidates: ReadonlyMap<string, SchemaField>): MeantField | undefined {
  if (name.length > maxFieldLength) return undefined;
  const plain = snakeCase(name);
  let min = plain.length < 5 ? 2 : 3;
  let best: MeantField | undefined;
  for (const [candidate, field] of candidates) {
    if (Math.abs(candidate.length - plain.length) >= min) continue;
    const steps = distance(plain, candidate);
    if (steps >= min) continue;
    best = { name: candidate, field };
    min = steps;
  }
  return best;
}
