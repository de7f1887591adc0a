// The request schema as plain code: compiled by ajv at build time, so that nothing is compiled where it runs.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';

const moduleName = 'request-validator:';

/** What only the editor's JSON service reads; left out, so that its texts are not in the code a second time. */
const editorKeywords = new Set([
  'markdownDescription',
  'markdownEnumDescriptions',
  'defaultSnippets',
  'deprecationMessage',
  'doNotSuggest',
  'examples',
]);

/** Source of an ES module that exports `schemaErrors`, the `SchemaCheck` of the request schema in a file. */
export function requestValidatorSource(schemaFile: string): string {
  const text = readFileSync(schemaFile, 'utf8');
  const schema: unknown = JSON.parse(text, (key, value: unknown) => {
    if (editorKeywords.has(key)) return undefined;
    return withNullableMembers(value);
  });
  if (typeof schema !== 'object' || schema === null) throw new TypeError(`${schemaFile} holds no object`);
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    // 1e400 is a number in the text that is sent, even where it overflows here.
    strictNumbers: false,
    code: { source: true, esm: true },
  });
  const code = standalone.default(ajv, ajv.compile(schema));
  return `${code}\nexport const schemaErrors = (value) => (validate(value) ? [] : validate.errors);`;
}

/** An object schema whose optional members may be null: that says no more than leaving them out, and a rule tells so. */
function withNullableMembers(schema: unknown): unknown {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return schema;
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  const properties = Object.entries(schema['properties']).map(([name, member]) => [
    name,
    isRecord(member) && member['type'] !== undefined && !required.includes(name)
      ? { ...member, type: [member['type'], 'null'].flat() }
      : member,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as unknown };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Resolves `request-validator:` to that module. */
export const requestValidatorPlugin: Plugin = {
  name: 'request-validator',
  setup(build) {
    const schemaFile = fileURLToPath(new URL('request.schema.json', import.meta.url));
    build.onResolve({ filter: /^request-validator:$/ }, ({ path }) => ({ path, namespace: moduleName }));
    build.onLoad({ filter: /.*/, namespace: moduleName }, () => ({
      contents: requestValidatorSource(schemaFile),
      watchFiles: [schemaFile],
    }));
  },
};
