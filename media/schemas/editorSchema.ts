/** Keywords whose value is a schema or a list of them, and those whose value has a schema for each name. */
const schemaKeywords = new Set(['items', 'additionalProperties', 'anyOf', 'allOf', 'oneOf']);
const mapKeywords = new Set(['properties', 'patternProperties', 'definitions']);

/** Suggests true and false and takes everything. */
const anyBoolean = [{ enum: [true, false] }, {}];

/**
 * The request schema as the editor's JSON service gets it: without types, because the extension reports wrong ones itself, as errors
 * with fixes; the JSON service would report them a second time, as warnings. What is suggested stays the same.
 */
export function makeEditorSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(makeEditorSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = schema as { readonly type?: unknown };
  const members: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest) as readonly (readonly [string, unknown])[]) {
    if (schemaKeywords.has(keyword)) members[keyword] = makeEditorSchema(value);
    else if (!mapKeywords.has(keyword) || typeof value !== 'object' || value === null) members[keyword] = value;
    else {
      members[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, makeEditorSchema(each)]),
      );
    }
  }
  return {
    ...members,
    ...(type === 'boolean' && { anyOf: anyBoolean }),
    // Without a type the JSON service would suggest a name without a value.
    ...(type === 'string' && !hasSuggestion(rest) && { defaultSnippets: [{ body: '$1' }] }),
  };
}

function hasSuggestion(schema: object): boolean {
  return ['enum', 'anyOf', 'examples', 'default', 'defaultSnippets'].some((keyword) => keyword in schema);
}
