import { mapKeywords } from './mapSchemaTexts.ts';

/** Keywords whose value is a schema or a list of schemas to open. Not `not` and `if`: a condition with an open set has another meaning. */
const openedKeywords = new Set(['items', 'additionalProperties', 'anyOf', 'allOf', 'oneOf']);

/** Suggests true and false, but accepts every value. */
const anyBoolean = [{ enum: [true, false] }, {}];

/**
 * Returns the request schema for the editor's JSON service, without types and with open sets of values: the extension itself reports
 * wrong ones, with fixes, and the JSON service would report them again. Suggestions do not change.
 */
export function makeEditorSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(makeEditorSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = withOpenSet(schema);
  const members: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest) as readonly (readonly [string, unknown])[]) {
    if (openedKeywords.has(keyword)) members[keyword] = makeEditorSchema(value);
    else if (!mapKeywords.has(keyword) || typeof value !== 'object' || value === null) members[keyword] = value;
    else {
      const named = Object.entries(value).map(([name, each]) => [name, makeEditorSchema(each)] as const);
      members[keyword] = Object.fromEntries(keyword === 'properties' ? inOrder(named) : named);
    }
  }
  return {
    ...members,
    ...(type === 'boolean' && { anyOf: anyBoolean }),
    // Without a type, the JSON service would insert the name without a value.
    ...(type === 'string' && !hasSuggestion(rest) && { defaultSnippets: [{ body: '$1' }] }),
  };
}

/** Makes the editor suggest fields in the order of the schema, not by name: described fields come first in the schema. */
function inOrder(fields: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  return fields.map(([name, schema], place) => [
    name,
    typeof schema === 'object' && schema !== null
      ? { ...schema, suggestSortText: String(place).padStart(3, '0') }
      : schema,
  ]);
}

interface SchemaMembers {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly markdownEnumDescriptions?: unknown;
  readonly anyOf?: unknown;
}

/** Returns a schema that suggests the values of its closed set, but accepts every value. */
function withOpenSet(schema: SchemaMembers): SchemaMembers {
  // A schema without a type is an alternative of a set that is already open.
  if (schema.enum === undefined || schema.type === undefined) return schema;
  const { enum: values, markdownEnumDescriptions, ...rest } = schema;
  return {
    ...rest,
    anyOf: [{ enum: values, ...(markdownEnumDescriptions !== undefined && { markdownEnumDescriptions }) }, {}],
  };
}

function hasSuggestion(schema: object): boolean {
  return ['enum', 'anyOf', 'examples', 'default', 'defaultSnippets'].some((keyword) => keyword in schema);
}
