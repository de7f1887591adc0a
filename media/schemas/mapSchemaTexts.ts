/** Keywords of a schema and of its snippets whose values are shown to users. */
const textKeywords = new Set([
  'title',
  'description',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'errorMessage',
  'patternErrorMessage',
  'deprecationMessage',
  'completionDetail',
]);
const snippetTexts = new Set(['label', 'description', 'markdownDescription']);

/** Keywords whose value is a schema or a list of schemas. */
const schemaKeywords = new Set([
  'items',
  'additionalProperties',
  'anyOf',
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
]);
/** Keywords whose value is an object of schemas. */
export const mapKeywords = new Set(['properties', 'patternProperties', 'definitions']);

/** Replaces the texts of a JSON schema that are shown to users. Does not change values: examples, defaults, enums, snippet bodies. */
export function mapSchemaTexts(schema: unknown, replace: (text: string) => string): unknown {
  const ofText = (value: unknown): unknown => (typeof value === 'string' ? replace(value) : value);
  const ofSnippet = (snippet: unknown): unknown =>
    mapMembers(snippet, (name, value) => (snippetTexts.has(name) ? ofText(value) : value));
  const ofSchema = (value: unknown): unknown =>
    mapMembers(value, (keyword, each) => {
      if (textKeywords.has(keyword)) return mapEach(each, ofText);
      if (keyword === 'defaultSnippets') return mapEach(each, ofSnippet);
      if (schemaKeywords.has(keyword)) return mapEach(each, ofSchema);
      return mapKeywords.has(keyword) ? mapMembers(each, (_, member) => ofSchema(member)) : each;
    });
  return ofSchema(schema);
}

/** Returns the texts that are shown to users, in schema order, without duplicates. */
export function schemaTexts(schema: unknown): readonly string[] {
  const texts = new Set<string>();
  mapSchemaTexts(schema, (text) => {
    texts.add(text);
    return text;
  });
  return [...texts];
}

function mapEach(value: unknown, map: (each: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(map) : map(value);
}

function mapMembers(value: unknown, map: (name: string, member: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(name, member)]));
}
