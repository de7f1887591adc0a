import { getLanguageService, type CompletionItem, type Hover } from 'vscode-json-languageservice';
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

/** Returns the schema's description of the field at an offset. */
export async function hoverField(document: TextDocument, offset: number): Promise<Hover | null> {
  return service.doHover(document, document.positionAt(offset), service.parseJSONDocument(document));
}

/** Returns the field names, values and snippets that are valid at an offset. */
export async function completeFields(document: TextDocument, offset: number): Promise<readonly CompletionItem[]> {
  const list = await service.doComplete(document, document.positionAt(offset), service.parseJSONDocument(document));
  return list?.items ?? [];
}

/** Converts the project's own schema to the type that the service requires. */
function asSchema(value: unknown): object {
  return isJsonObject(value) ? value : {};
}
