// Translates the request schema at build time with the texts in `l10n/schema.l10n.*.json`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { makeEditorSchema } from './editorSchema.ts';
import { mapSchemaTexts } from './mapSchemaTexts.ts';

/** Translated texts by their English text. */
export type SchemaTexts = Readonly<Record<string, string>>;

/** Returns the schema with translated texts; texts without a translation remain English. Validation does not change. */
export function translatedSchema(schema: unknown, texts: SchemaTexts): unknown {
  return mapSchemaTexts(schema, (text) => texts[text] ?? text);
}

/** Builds the request schema for the editor, in English and for each `l10n/schema.l10n.LOCALE.json`. */
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
