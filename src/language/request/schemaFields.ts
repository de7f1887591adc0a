import schema from '../../../media/schemas/request.schema.json' with { type: 'json' };
import {
  isJsonObject,
  toNumber,
  type JsonObject,
  type JsonValue,
  isArray,
  type JsonPath,
} from '../../base/json/json.ts';
import { t } from '@vscode/l10n';
import { arrayIn, memberOf, objectIn } from './requestFields.ts';

/** The part of a value's schema that rules need. */
export interface SchemaField {
  /** Allowed JSON types. */
  readonly types: readonly string[];
  /** Members by name; undefined if any name is allowed, as in `custom_metadata`. */
  readonly members: ReadonlyMap<string, SchemaField> | undefined;
  readonly elements: SchemaField | undefined;
  /** Names of required members. */
  readonly required: ReadonlySet<unknown>;
}

/** Schema of the whole request. The schema is the only list of fields. */
export const requestField: SchemaField = readField(schema);

/** True if a value and everything in it have the types of the schema. */
export function hasKnownTypes(value: unknown, field: SchemaField): boolean {
  const { types, members, elements } = field;
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return false;
  if (isArray(value)) return elements === undefined || value.every((element) => hasKnownTypes(element, elements));
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([name, member]) => {
    const known = members?.get(name);
    return known === undefined || hasKnownTypes(member, known);
  });
}

/** Fields of contract 2.4; all others come from one public service. */
const contractPaths = new Set([
  '',
  'audio_url',
  'language_config',
  'language_config.languages',
  'language_config.code_switching',
  'custom_vocabulary',
  'diarization',
  'diarization_config',
  'diarization_config.min_speakers',
  'diarization_config.max_speakers',
  'diarization_config.number_of_speakers',
  'summarization',
  'named_entity_recognition',
  'sentences',
  'subtitles',
  'subtitles_config',
  'subtitles_config.formats',
  'subtitles_config.maximum_characters_per_row',
  'subtitles_config.maximum_rows_per_caption',
  'subtitles_config.style',
  'translation',
]);

/** True if contract 2.4 defines the type of a value. */
export function isInContract(path: JsonPath): boolean {
  return path[0] === 'custom_vocabulary_config' || contractPaths.has(path.slice(0, 2).join('.'));
}

/** Returns the field at a path; undefined if the schema does not describe it. */
export function findField(path: JsonPath): SchemaField | undefined {
  let field: SchemaField | undefined = requestField;
  for (const segment of path) {
    field = typeof segment === 'number' ? field?.elements : field?.members?.get(segment);
  }
  return field;
}

/** Returns the members of an object that the schema describes. A request may have tens of thousands of others. */
export function describedMembers(object: JsonObject, { members }: SchemaField): JsonObject {
  const names = [...(members?.keys() ?? [])].filter((name) => Object.hasOwn(object, name));
  return Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
}

/** Returns a localised description of schema types: `true or false`. @param types one or several, as reported by ajv */
export function describeTypes(types: unknown): string {
  const wanted = (isArray(types) ? types : [types]).filter((type) => type !== 'null');
  const names: Readonly<Record<string, string>> = {
    boolean: t('true or false'),
    string: t('a string'),
    number: t('a number'),
    integer: t('a whole number'),
    array: t('a list'),
    object: t('an object'),
  };
  return wanted.map((type) => names[String(type)] ?? String(type)).join(t(' or '));
}

/** True if a value has a JSON type of the schema. */
export function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return isArray(value);
    case 'integer':
      return Number.isInteger(toNumber(value));
    case 'number':
      return toNumber(value) !== undefined;
    default:
      return typeof value === type;
  }
}

function readField(description: JsonObject): SchemaField {
  const type = memberOf(description, 'type');
  const types = [...(arrayIn(description, 'type') ?? [type])].filter((each) => typeof each === 'string');
  const properties = objectIn(description, 'properties');
  const items = objectIn(description, 'items');
  return {
    types,
    members: properties && new Map(Object.entries(properties).map(([name, each]) => [name, readValue(each)])),
    elements: items && readField(items),
    required: new Set(arrayIn(description, 'required')),
  };
}

function readValue(description: JsonValue): SchemaField {
  return readField(isJsonObject(description) ? description : {});
}
