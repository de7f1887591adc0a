import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Service from 'vscode-json-languageservice';
import { requestValidatorSource } from '../../../media/schemas/requestValidator.ts';
import { checkRequest } from '../../../src/domain/request/check.ts';
import { LineIndex } from '../../../src/domain/request/json/jsonPlaces.ts';
import { placeRange, type RequestFile } from '../../../src/domain/request/requestFile.ts';
import type { SchemaCheck } from '../../../src/domain/request/jsonFindings.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';

const schemaFile = join(repositoryRoot, 'media/schemas/request.schema.json');
const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as Service.JSONSchema;

/** The very code that the build makes of the schema. */
const compiled = (await import(`data:text/javascript,${encodeURIComponent(requestValidatorSource(schemaFile))}`)) as {
  readonly schemaErrors: SchemaCheck;
};
export const { schemaErrors } = compiled;

/** Everything that the product says of a request, with lines and columns. @returns how many findings. */
export function findAll(request: RequestFile): number {
  const lines = new LineIndex(request.text);
  const found = checkRequest(request, schemaErrors, { nowMs: 0 }).map(({ place }) => {
    const { offset, length } = placeRange(request, place);
    return [lines.positionAt(offset), lines.positionAt(offset + length)];
  });
  return found.length;
}

/** What the editor's JSON service says by the same schema. The function gives how many diagnostics. */
export function languageService(peers: string): (text: string) => Promise<number> {
  const { getLanguageService, TextDocument } = createRequire(join(peers, 'x.js'))(
    'vscode-json-languageservice',
  ) as typeof Service;
  const service = getLanguageService({});
  return async (text) => {
    const document = TextDocument.create('file:///a.transcription.json', 'json', 1, text);
    const found = await service.doValidation(document, service.parseJSONDocument(document), {}, schema);
    return found.length;
  };
}
