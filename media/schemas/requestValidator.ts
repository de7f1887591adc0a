// Compiles the request schema to code at build time with ajv, so that nothing is compiled at run time.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';

const moduleName = 'request-validator:';

/** Keywords that only the editor's JSON service uses; removed, so that their texts are not bundled twice. */
const editorKeywords = new Set([
  'markdownDescription',
  'completionDetail',
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
    // 1e400 is a valid number in JSON, although it is Infinity in JavaScript.
    strictNumbers: false,
    code: { source: true, esm: true },
  });
  const code = standalone.default(ajv, ajv.compile(schema));
  // A schema with alternatives would also remove errors, by the length of the list.
  if (!code.includes(pushCall) || code.includes('vErrors.length'))
    throw new Error('The code of ajv adds its errors in another way than expected.');
  return `${code.replaceAll(pushCall, 'pushError(vErrors, ')}\n${boundedErrors}`;
}

/** The code with which ajv adds an error to others. It has no limit, and a text of 1 MB may have half a million errors, whose objects take most of the time. */
const pushCall = 'vErrors.push(';

const boundedErrors = `
let max = Infinity;
let counts = new Map();
const pushError = (errors, error) => {
  const count = counts.get(error.keyword) ?? 0;
  if (count >= max) return;
  counts.set(error.keyword, count + 1);
  errors.push(error);
};
export const schemaErrors = (value, maxOfKeyword = Infinity) => {
  max = maxOfKeyword;
  counts = new Map();
  return validate(value) ? [] : validate.errors;
};`;

/** Allows null for the optional members of an object schema. It has the same meaning as omitting them, and a rule reports it. */
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

/** Resolves `request-validator:` to the compiled validator. */
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
