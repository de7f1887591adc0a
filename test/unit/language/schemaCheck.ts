import { join } from 'node:path';
import { requestValidatorSource } from '../../../media/schemas/requestValidator.ts';
import type { SchemaCheck } from '../../../src/language/request/jsonFindings.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';

export const schemaFile = join(repositoryRoot, 'media/schemas/request.schema.json');

/** The same code that the build generates from the schema. */
const source: unknown = await import(`data:text/javascript,${encodeURIComponent(requestValidatorSource(schemaFile))}`);

export const { schemaErrors } = source as { readonly schemaErrors: SchemaCheck };
