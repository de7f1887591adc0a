import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Service from 'vscode-json-languageservice';
import { requestValidatorSource } from '../../../media/schemas/requestValidator.ts';
import { checkRequest } from '../../../src/language/check.ts';
import type { ServiceChoice } from '../../../src/known/knownService.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { LineIndex } from '../../../src/language/json/lineIndex.ts';
import { placeRange, type RequestFile } from '../../../src/language/request/requestFile.ts';
import type { SchemaCheck } from '../../../src/language/request/jsonFindings.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';

const schemaFile = join(repositoryRoot, 'media/schemas/request.schema.json');
const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as Service.JSONSchema;

/** The same code that the build generates from the schema. */
const compiled = (await import(`data:text/javascript,${encodeURIComponent(requestValidatorSource(schemaFile))}`)) as {
  readonly schemaErrors: SchemaCheck;
};
export const { schemaErrors } = compiled;

/**
 * Runs all checks of the product on a request, with lines and columns.
 * @param service the service whose limits apply; by default none.
 * @returns the number of findings.
 */
export function findAll(request: RequestFile, service: ServiceChoice = 'none'): number {
  const lines = new LineIndex(request.text);
  const knowledge = findServiceKnowledge(service);
  const found = checkRequest(request, schemaErrors, { nowMs: 0, knowledge }).map(({ place }) => {
    const { offset, length } = placeRange(request, place);
    return [lines.positionAt(offset), lines.positionAt(offset + length)];
  });
  return found.length;
}

/** Validates with the editor's JSON service and the same schema. The result gives the number of diagnostics. */
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
