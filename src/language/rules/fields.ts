import { t } from '@vscode/l10n';
import { type JsonObject, type JsonValue, isJsonObject, isArray, type JsonPath } from '../../base/json/json.ts';
import type { Fix, Rule, RuleContext } from '../request/finding.ts';
import { findNodes } from '../json/jsonTree.ts';
import { describedMembers, findField, hasKnownTypes, requestField, type SchemaField } from '../request/schemaFields.ts';
import { fitValue } from '../request/typeFixes.ts';
import { namePlace, valuePlace, type RequestFile } from '../request/requestFile.ts';
import { objectIn } from '../request/requestFields.ts';
import { notHttp } from './audioUrl.ts';
import { isKnownName } from './serviceNames.ts';
import { impossibleCount, speakerContradiction } from './diarization.ts';
import { impossibleSize } from './subtitles.ts';
import { findUnknownFields, type MeantField, type UnknownField } from '../request/unknownFields.ts';

/** Rules about impossible values, by the only member of a request that they read. They read no deeper than the first two levels. */
const graveRules: readonly (readonly [member: string, rule: Rule])[] = [
  ['audio_url', notHttp],
  ['diarization_config', speakerContradiction],
  ['diarization_config', impossibleCount],
  ['subtitles_config', impossibleSize],
];

const misspelt: Rule = {
  code: 'fields/misspelt',
  severity: 'warning',
  source: 'contract 2.4',
  explain: () => t('A field whose name resembles a known one. A service may ignore it or refuse the request.'),
  *check(request, context) {
    for (const field of findUnknownFields(request.body)) {
      const { meant } = field;
      if (!meant || isKnownName(field.path, context.knowledge)) continue;
      const path = field.path;
      const fitted = fitValue([...path.slice(0, -1), meant.name], field.value);
      const changes =
        field.isFree && isHarmless(request, field, meant, fitted, context)
          ? renaming(path, meant.name, field.value, fitted)
          : undefined;
      yield {
        message: t('Unknown field "{0}". Did you mean "{1}"?', field.name, meant.name),
        place: namePlace(...path),
        ...(changes && { fixes: [changes] }),
      };
    }
  },
};

const unknown: Rule = {
  code: 'fields/unknown',
  severity: 'hint',
  source: 'contract 2.4',
  explain: () => t('An unknown field. It is sent unchanged; a service may ignore it or refuse the request.'),
  *check({ body }, { knowledge }) {
    for (const { path, name, meant } of findUnknownFields(body)) {
      if (meant || isKnownName(path, knowledge)) continue;
      const home = homes.get(name);
      yield {
        message: home === undefined ? t('Unknown field "{0}".', name) : t('"{0}" belongs inside {1}.', name, home),
        place: namePlace(...path),
      };
    }
  },
};

const nullValue: Rule = {
  code: 'fields/null',
  severity: 'warning',
  source: 'contract 2.4',
  explain: () => t('A field that is null. A service may refuse it; leave the field out instead.'),
  *check(request) {
    const { body, text } = request;
    // Fast path: large requests have thousands of values but rarely a null.
    if (!text.includes('null')) return;
    for (const path of findNulls(body, requestField, [])) {
      yield {
        message: t('A service may refuse null. Leave {0} out instead.', String(path.at(-1))),
        place: valuePlace(...path),
        fixes: [
          {
            title: t('Remove {0}', String(path.at(-1))),
            changes: [{ type: 'remove', path }],
            safe: true,
            // The fix would also remove the values of duplicate members.
            isChoice: findNodes(request, path).length > 1,
          },
        ],
      };
    }
  },
};

export const fieldRules: readonly Rule[] = [misspelt, unknown, nullValue];

/** Finds the paths of described members that are null. The schema reports null elements of lists and null required members. */
function* findNulls(value: unknown, field: SchemaField, path: JsonPath): Generator<JsonPath, void, undefined> {
  if (isArray(value)) {
    if (!field.elements?.members) return;
    for (const [index, element] of value.entries()) {
      if (isJsonObject(element) && mayHoldNull(element)) yield* findNulls(element, field.elements, [...path, index]);
    }
    return;
  }
  if (!field.members || !isJsonObject(value)) return;
  for (const name in value) {
    const member = value[name];
    const known = field.members.get(name);
    if (member === null) {
      const isSaidElsewhere = path.length === 0 && name === 'audio_url';
      if (known && !isSaidElsewhere && !field.required.has(name)) yield [...path, name];
    } else if (known && typeof member === 'object') yield* findNulls(member, known, [...path, name]);
  }
}

/** True if an element may contain a null. Fast, because a vocabulary may have ten thousand entries and rarely a null. */
function mayHoldNull(element: JsonObject): boolean {
  for (const name in element) {
    const member = element[name];
    if (member === null || isJsonObject(member)) return true;
  }
  return false;
}

const timesDescribed = countMembers(requestField);
/** Objects of the request by the names of their members. Omits names that occur in several objects. */
const homes = new Map(
  [...(requestField.members ?? [])].flatMap(([home, { members }]) =>
    [...(members?.keys() ?? [])].filter(isDescribedOnce).map((name) => [name, home] as const),
  ),
);

function isDescribedOnce(name: string): boolean {
  return timesDescribed.get(name) === 1;
}

/** Counts the objects that have a described member, by its name. */
function countMembers({ members, elements }: SchemaField, counts = new Map<string, number>()): Map<string, number> {
  for (const [name, member] of members ?? []) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    countMembers(member, counts);
  }
  if (elements !== undefined) countMembers(elements, counts);
  return counts;
}

/** @param fitted the value in the type of the field */
function renaming(path: JsonPath, name: string, value: JsonValue, fitted: JsonValue | undefined): Fix {
  const changes: Fix['changes'] =
    fitted === undefined || fitted === value
      ? [{ type: 'rename', path, name }]
      : [{ type: 'replaceMember', path, members: { [name]: fitted } }];
  return { title: t('Change to "{0}"', name), changes, safe: false };
}

/** True if renaming the field causes neither a type error nor an additional finding of a severe rule. */
function isHarmless(
  request: RequestFile,
  { path, value }: UnknownField,
  meant: MeantField,
  fitted: JsonValue | undefined,
  context: RuleContext,
): boolean {
  if (!hasKnownTypes(fitted ?? value, meant.field)) return false;
  const member = path.length === 1 ? meant.name : path[0];
  const rules = graveRules.filter(([about]) => about === member);
  if (rules.length === 0 || path.length > 2) return true;
  const after = { ...request, body: renamed(request.body, path, meant.name, fitted ?? value) };
  return rules.every(([, rule]) => count(rule.check(after, context)) <= count(rule.check(request, context)));
}

/** Returns the part of a request with a renamed field that {@link graveRules} read: a request may have tens of thousands of other fields. */
function renamed(body: JsonObject, [outer = '', inner]: JsonPath, name: string, value: JsonValue): JsonObject {
  if (inner === undefined) return { [name]: value };
  const field = findField([outer]);
  const described = field && describedMembers(objectIn(body, String(outer)) ?? {}, field);
  return { [outer]: { ...described, [name]: value } };
}

function count(hits: Iterable<unknown>): number {
  return [...hits].length;
}
