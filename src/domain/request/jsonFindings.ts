import { t } from '@vscode/l10n';
import type { Finding } from './finding.ts';
import { isArray } from '../json/json.ts';
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
export function findSchemaErrors(request: RequestFile, check: SchemaCheck): readonly Finding[] {
  if (request.value === undefined) return [];
  const errors = check(request.value);
  const told = request.problems.length > 0 ? errors.filter(({ keyword }) => keyword !== 'required') : errors;
  return told.map(({ instancePath, keyword, params }): Finding => {
    const path = parsePointer(instancePath);
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

function parsePointer(pointer: string): JsonPath {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function listed(values: unknown): string {
  return isArray(values) ? values.join(', ') : String(values);
}

/** Codes of what is wrong with a text as JSON. The editor's JSON service says the same while one types. */
export const syntaxCodes = {
  syntax: 'json/syntax',
  duplicateKey: 'json/duplicate-key',
  notStrict: 'json/not-strict',
} as const;

/** What is wrong with the text of a request as JSON, in the order of the text within each kind. */
export function findSyntaxErrors(request: RequestFile): readonly Finding[] {
  return [
    ...request.problems.map(({ code, offset, length }): Finding => ({
      code: syntaxCodes.syntax,
      severity: 'error',
      message: problemText(code),
      place: { range: { offset, length } },
    })),
    ...request.duplicates.map(({ key, offset, length, first }): Finding => ({
      code: syntaxCodes.duplicateKey,
      severity: 'warning',
      message: t('"{0}" is there twice. The last one counts.', key),
      place: { range: { offset, length } },
      related: [{ place: { range: first }, message: t('The first one') }],
    })),
    ...request.extras
      .filter(({ offset }) => request.text[offset] !== byteOrderMark)
      .map(({ offset, length }): Finding => ({
        code: syntaxCodes.notStrict,
        severity: 'info',
        message:
          request.text[offset] === ','
            ? t('JSON has no trailing commas. This one is not sent.')
            : t('JSON has no comments. This one is not sent.'),
        place: { range: { offset, length } },
      })),
  ];
}

const byteOrderMark = '\uFEFF';

/** @param code a name of jsonc-parser's, or `TooDeep` */
function problemText(code: string): string {
  switch (code) {
    case 'InvalidSymbol':
      return t('This is not JSON: texts want quotes, and only true, false and null do not.');
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return t('The number is not complete.');
    case 'PropertyNameExpected':
      return t('Expected a name in quotes.');
    case 'ValueExpected':
      return t('Expected a value.');
    case 'ColonExpected':
      return t('Expected a colon.');
    case 'CommaExpected':
      return t('Expected a comma.');
    case 'CloseBraceExpected':
      return t('Expected a closing brace.');
    case 'CloseBracketExpected':
      return t('Expected a closing bracket.');
    case 'EndOfFileExpected':
      return t('Expected the end: a file holds one request.');
    case 'UnexpectedEndOfComment':
      return t('The comment has no end.');
    case 'UnexpectedEndOfString':
      return t('The text has no closing quote.');
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
      return t('JSON does not know this escape.');
    case 'InvalidCharacter':
      return t('Control characters are to be escaped.');
    case 'TooDeep':
      return t('Nested too deeply to be read.');
    default:
      return t('This is not JSON.');
  }
}
