import schema from '../../../media/schemas/request.schema.json' with { type: 'json' };
import { isJsonObject, type JsonObject, type JsonValue, isArray } from '../json/json.ts';
import { arrayIn, memberOf, objectIn } from './requestFields.ts';

/** What the request schema says of a value, as far as rules need it. */
export interface SchemaField {
  /** JSON types that it may have. */
  readonly types: readonly string[];
  /** Names of its members; undefined when they are free, as in `custom_metadata`. */
  readonly members: ReadonlyMap<string, SchemaField> | undefined;
  readonly elements: SchemaField | undefined;
}

/** The request itself. The schema is the one place where fields are listed. */
export const requestField: SchemaField = readField(schema);

/** Whether a value, with everything in it, has the types that the schema wants. */
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

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return isArray(value);
    case 'integer':
      return Number.isInteger(value);
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
  };
}

function readValue(description: JsonValue): SchemaField {
  return readField(isJsonObject(description) ? description : {});
}
