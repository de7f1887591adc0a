// The request schema in other languages: made at build time from the one schema and the texts in `l10n/schema.l10n.*.json`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { makeEditorSchema } from './editorSchema.ts';
import { mapSchemaTexts } from './mapSchemaTexts.ts';

/** A French text, say, by its English one. */
export type SchemaTexts = Readonly<Record<string, string>>;

/** The schema with its texts in another language; one without a translation stays as it is. What is valid does not change. */
export function translatedSchema(schema: unknown, texts: SchemaTexts): unknown {
  return mapSchemaTexts(schema, (text) => texts[text] ?? text);
}

/** Makes the request schema as the editor gets it: of the schema itself, and of `l10n/schema.l10n.LOCALE.json` in that language. */
export const translatedSchemaPlugin: Plugin = {
  name: 'translated-schema',
  setup(build) {
    const schemaFile = fileURLToPath(new URL('request.schema.json', import.meta.url));
    build.onLoad({ filter: /request\.schema\.json$/ }, () => ({
      contents: JSON.stringify(makeEditorSchema(readJson(schemaFile))),
      loader: 'copy',
    }));
    build.onLoad({ filter: /schema\.l10n\.[\w-]+\.json$/ }, ({ path }) => ({
      contents: JSON.stringify(makeEditorSchema(translatedSchema(readJson(schemaFile), readTexts(path)))),
      loader: 'copy',
      watchFiles: [schemaFile],
    }));
  },
};

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readTexts(file: string): SchemaTexts {
  const texts = readJson(file);
  if (typeof texts !== 'object' || texts === null) throw new TypeError(`${file} holds no texts by their English ones`);
  return Object.fromEntries(Object.entries(texts).map(([english, text]) => [english, String(text)]));
}
