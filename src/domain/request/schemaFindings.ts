import { t } from '@vscode/l10n';
import type { Finding } from './finding.ts';
import { isArray } from './json/isArray.ts';
import type { JsonPath } from './json/jsonPlaces.ts';
import type { RequestFile } from './requestFile.ts';

/** Everything that the request schema finds wrong with a value. The module `request-validator:` has it. */
export type SchemaCheck = (value: unknown) => readonly SchemaError[];

/** An error as ajv reports it. */
interface SchemaError {
  /** JSON pointer (RFC 6901) to the value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Codes of what the schema has to say. The editor's JSON service says the same while one types. */
export const schemaCodes = { type: 'schema/type', required: 'schema/required', value: 'schema/value' } as const;

/**
 * What the schema says of a request. Only wrong types are errors. Nothing when the text holds no value, and nothing of what
 * is missing while the text is broken: it may be in the broken part.
 */
export function schemaFindings(request: RequestFile, check: SchemaCheck): readonly Finding[] {
  if (request.value === undefined) return [];
  const errors = check(request.value);
  const told = request.problems.length > 0 ? errors.filter(({ keyword }) => keyword !== 'required') : errors;
  return told.map(({ instancePath, keyword, params }): Finding => {
    const path = pointerPath(instancePath);
    switch (keyword) {
      case 'type': {
        const message = t('This must be of type {0}.', listed(params['type']));
        return { code: schemaCodes.type, severity: 'error', message, place: { path, part: 'value' } };
      }
      case 'required': {
        const message = t('"{0}" is missing.', listed(params['missingProperty']));
        return { code: schemaCodes.required, severity: 'warning', message, place: { path, part: 'begin' } };
      }
      default: {
        const message = t('Expected one of {0}.', listed(params['allowedValues']));
        return { code: schemaCodes.value, severity: 'warning', message, place: { path, part: 'value' } };
      }
    }
  });
}

function pointerPath(pointer: string): JsonPath {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function listed(values: unknown): string {
  return isArray(values) ? values.join(', ') : String(values);
}
