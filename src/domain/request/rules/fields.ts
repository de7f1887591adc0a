import { t } from '@vscode/l10n';
import { type JsonObject, isJsonObject, isArray } from '../../json/json.ts';
import type { Fix, Rule, RuleContext } from '../finding.ts';
import type { JsonPath } from '../json/jsonPlaces.ts';
import { hasKnownTypes, requestField, type SchemaField } from '../schemaFields.ts';
import { namePlace, valuePlace, type RequestFile } from '../requestFile.ts';
import { objectIn } from '../requestFields.ts';
import { notHttp } from './audioUrl.ts';
import { isKnownName } from './serviceNames.ts';
import { impossibleCount, speakerContradiction } from './diarization.ts';
import { impossibleSize } from './subtitles.ts';
import { distance } from 'fastest-levenshtein';

/** The rules about fields that cannot exist; all check the first two levels only. */
const graveRules: readonly Rule[] = [notHttp, speakerContradiction, impossibleCount, impossibleSize];

const misspelt: Rule = {
  code: 'fields/misspelt',
  severity: 'warning',
  explain: () => t('A field that is called nearly like a described one. A service ignores it or refuses the request.'),
  *check(request, context) {
    for (const field of findUnknownFields(request.body)) {
      const { meant } = field;
      if (!meant || isKnownName(field.path, context.knowledge)) continue;
      const path = field.path;
      const renames = field.isFree && isHarmless(request, field, meant, context);
      yield {
        message: t('"{0}" is not a described field. Did you mean "{1}"?', field.name, meant.name),
        place: namePlace(...path),
        ...(renames && { fixes: [renaming(path, meant.name)] }),
      };
    }
  },
};

const unknown: Rule = {
  code: 'fields/unknown',
  severity: 'hint',
  explain: () =>
    t('A field that is not described. It is sent as it is; a service may ignore it or refuse the request.'),
  *check({ body }, { knowledge }) {
    for (const { path, name, meant } of findUnknownFields(body)) {
      if (meant || isKnownName(path, knowledge)) continue;
      const home = homes.get(name);
      yield {
        message:
          home === undefined
            ? t('"{0}" is not a described field.', name)
            : t('"{0}" is not described here, but within {1}.', name, home),
        place: namePlace(...path),
      };
    }
  },
};

const nullValue: Rule = {
  code: 'fields/null',
  severity: 'warning',
  explain: () => t('null where a field may be left out. A service may refuse it; leaving the field out says the same.'),
  *check({ body }) {
    for (const path of findNulls(body, requestField, [])) {
      yield {
        message: t('null says no more than leaving {0} out, and a service may refuse it.', String(path.at(-1))),
        place: valuePlace(...path),
        fixes: [{ title: t('Remove {0}', String(path.at(-1))), changes: [{ type: 'remove', path }], safe: true }],
      };
    }
  },
};

export const fieldRules: readonly Rule[] = [misspelt, unknown, nullValue];

/** Paths of described members that are null. Elements of lists and required members are left to the schema. */
function* findNulls(value: unknown, field: SchemaField, path: JsonPath): Generator<JsonPath, void, undefined> {
  if (isArray(value)) {
    if (!field.elements?.members) return;
    for (const [index, element] of value.entries()) {
      if (isJsonObject(element)) yield* findNulls(element, field.elements, [...path, index]);
    }
    return;
  }
  if (!field.members || !isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const known = field.members.get(name);
    if (member === null) {
      const isSaidElsewhere = path.length === 0 && name === 'audio_url';
      if (known && !isSaidElsewhere && !field.required.has(name)) yield [...path, name];
    } else if (known && typeof member === 'object') yield* findNulls(member, known, [...path, name]);
  }
}

/** Objects of the request by member names that only they have. Names that occur in several objects are omitted. */
const homes = new Map(
  [...(requestField.members ?? [])].flatMap(([home, { members }]) =>
    [...(members?.keys() ?? [])].filter(isDescribedOnce).map((name) => [name, home] as const),
  ),
);

function isDescribedOnce(name: string): boolean {
  return countOf(name, requestField) === 1;
}

/** Number of objects that have a described member of this name. */
function countOf(name: string, { members, elements }: SchemaField): number {
  const within = [...(members?.values() ?? []), ...(elements === undefined ? [] : [elements])];
  return within.reduce((sum, field) => sum + countOf(name, field), members?.has(name) === true ? 1 : 0);
}

function renaming(path: JsonPath, name: string): Fix {
  return { title: t('Change to "{0}"', name), changes: [{ type: 'rename', path, name }], safe: false };
}

/** Whether renaming the field causes no type error and no additional finding of a severe rule. */
function isHarmless(
  request: RequestFile,
  { path, value }: UnknownField,
  meant: MeantField,
  context: RuleContext,
): boolean {
  if (!hasKnownTypes(value, meant.field)) return false;
  const after = { ...request, body: renamed(request.body, path, meant.name) };
  return graveRules.every((rule) => count(rule.check(after, context)) <= count(rule.check(request, context)));
}

function renamed(body: JsonObject, path: JsonPath, name: string): JsonObject {
  const [outer = '', inner] = path.map(String);
  if (path.length > 2) return body;
  if (inner === undefined) return moved(body, outer, name);
  return { ...body, [outer]: moved(objectIn(body, outer) ?? {}, inner, name) };
}

function moved(object: JsonObject, from: string, to: string): JsonObject {
  const { [from]: value, ...rest } = object;
  return value === undefined ? object : { ...rest, [to]: value };
}

function count(hits: Iterable<unknown>): number {
  return [...hits].length;
}

/** A member that the schema does not describe. */
export interface UnknownField {
  readonly path: JsonPath;
  readonly name: string;
  readonly value: unknown;
  /** The described member of the same object that was probably intended. */
  readonly meant: MeantField | undefined;
  /** Neither the object nor an earlier unknown field has that name. */
  readonly isFree: boolean;
}

export interface MeantField {
  readonly name: string;
  readonly field: SchemaField;
}

/** Maximum number of names looked up per object: more unknown ones are not typing errors. */
const suggestionLimit = 50;

const found = new WeakMap<JsonObject, readonly UnknownField[]>();

/** The unknown fields of a request, in its order. Cached per request. */
export function findUnknownFields(body: JsonObject): readonly UnknownField[] {
  let fields = found.get(body);
  if (!fields) {
    const list: UnknownField[] = [];
    collect(body, requestField, [], list);
    found.set(body, list);
    fields = list;
  }
  return fields;
}

function collect(value: unknown, { members, elements }: SchemaField, path: JsonPath, list: UnknownField[]): void {
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

/** A fast check, because a vocabulary may have ten thousand entries and nearly all are valid. */
function hasUnknown(element: JsonObject, { members }: SchemaField): boolean {
  for (const name in element) if (!members?.has(name)) return true;
  return false;
}

function closest(name: string, candidates: ReadonlyMap<string, SchemaField>): MeantField | undefined {
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

/** Converts `audioUrl`, `audio-url` and `Audio URL` to snake case. */
function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[\s.-]+/gu, '_')
    .toLowerCase()
    .replaceAll('isation', 'ization');
}
