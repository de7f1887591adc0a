/** What people read of a schema, and of the snippets in it. */
const textKeywords = new Set([
  'title',
  'description',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'errorMessage',
  'patternErrorMessage',
  'deprecationMessage',
]);
const snippetTexts = new Set(['label', 'description', 'markdownDescription']);

/** Keywords whose value is a schema or a list of them, and those whose value has a schema for each name. */
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
const mapKeywords = new Set(['properties', 'patternProperties', 'definitions']);

/** A JSON schema with each text that people read replaced. Values stay as they are: examples, defaults, enums, what snippets insert. */
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

/** The texts themselves, each once, in the order of the schema. */
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
