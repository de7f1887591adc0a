import { getLanguageService, type CompletionItem, type Hover } from 'vscode-json-languageservice';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import schema from '../../media/schemas/request.schema.json' with { type: 'json' };
import { isJsonObject } from '../base/json/json.ts';

// The editor's own JSON service, with which the extension explains and completes fields, too. Loaded on first use.
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

/** What the schema says of the field at an offset. */
export async function hoverField(document: TextDocument, offset: number): Promise<Hover | null> {
  return service.doHover(document, document.positionAt(offset), service.parseJSONDocument(document));
}

/** Names of fields, values and whole parts of requests that fit at an offset. */
export async function completeFields(document: TextDocument, offset: number): Promise<readonly CompletionItem[]> {
  const list = await service.doComplete(document, document.positionAt(offset), service.parseJSONDocument(document));
  return list?.items ?? [];
}

/** The schema is ours, and has the service's form. */
function asSchema(value: unknown): object {
  return isJsonObject(value) ? value : {};
}
