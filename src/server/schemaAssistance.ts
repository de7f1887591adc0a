import { getLanguageService, type CompletionItem, type Range } from 'vscode-json-languageservice';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import schema from '../../media/schemas/request.schema.json' with { type: 'json' };
import { isJsonObject } from '../base/json/json.ts';

// The JSON service of the editor, which also explains and completes fields in the extension. This module is loaded on first use.
const service = getLanguageService({
  clientCapabilities: {
    textDocument: {
      completion: {
        completionItem: { documentationFormat: ['markdown', 'plaintext'], commitCharactersSupport: true },
      },
      hover: { contentFormat: ['markdown', 'plaintext'] },
    },
  },
});
service.configure({ schemas: [{ uri: schema.$id, fileMatch: ['*'], schema: asSchema(schema) }] });

/** Returns the schema's description of the field at an offset, in Markdown; undefined if there is none. */
export async function hoverField(
  document: TextDocument,
  offset: number,
): Promise<{ readonly markdown: string; readonly range: Range | undefined } | undefined> {
  const hover = await service.doHover(document, document.positionAt(offset), service.parseJSONDocument(document));
  if (!hover || !Array.isArray(hover.contents)) return undefined;
  const markdown = hover.contents.filter((each) => typeof each === 'string').join('\n\n');
  return markdown === '' ? undefined : { markdown, range: hover.range };
}

/** Returns the field names, values and snippets that are valid at an offset, with snippets and Markdown. */
export async function completeFields(document: TextDocument, offset: number): Promise<readonly CompletionItem[]> {
  const list = await service.doComplete(document, document.positionAt(offset), service.parseJSONDocument(document));
  return list?.items ?? [];
}

/** Converts the project's own schema to the type that the service requires. */
function asSchema(value: unknown): object {
  return isJsonObject(value) ? value : {};
}
