import { t } from '@vscode/l10n';
import type { Finding, Fix } from './finding.ts';
import { formatNumber, type Locale } from '../../base/format.ts';
import { isArray, isJsonObject, type JsonPath } from '../../base/json/json.ts';
import { byteOrderMark, longName, maxNameLength, tooDeep, tooLong, type JsonNode } from '../json/jsonTree.ts';
import type { TextRange } from '../json/textEdit.ts';
import { findValue, isSwitchedOff } from './requestFields.ts';
import type { ServiceKnowledge } from '../../known/serviceKnowledge.ts';
import { describeTypes, isInContract } from './schemaFields.ts';
import { fixType, fixValue } from './typeFixes.ts';
import { maxEditorLength, maxEditorValues, wrongEncoding, type RequestFile } from './requestFile.ts';

/**
 * Validates a value against the request schema. Implemented by the module `request-validator:`.
 * @param maxOfKeyword maximum number of errors of each keyword, besides the very first error; unlimited if omitted
 */
export type SchemaCheck = (value: unknown, maxOfKeyword?: number) => readonly SchemaError[];

/** A validation error from ajv. */
interface SchemaError {
  /** JSON pointer (RFC 6901) to the value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Codes of schema findings. The editor's JSON service reports the same problems in open files. */
export const schemaCodes = {
  type: 'schema/type',
  knownType: 'schema/known-type',
  required: 'schema/required',
  value: 'schema/value',
} as const;

/**
 * Validates a request against the schema. Only wrong types are errors. Reports nothing if the text has no value, and no missing members
 * while the text has syntax errors: the members may be in the part that failed to parse.
 * @param limit max number of findings; wrong types, which block sending, come first.
 */
export function findSchemaErrors(
  request: RequestFile,
  check: SchemaCheck,
  knowledge?: ServiceKnowledge,
  limit = Infinity,
): readonly Finding[] {
  if (request.value === undefined) return [];
  const errors = check(request.value, limit);
  const types = takeFirst(errors, limit, ({ keyword }) => keyword === 'type');
  const mistyped = new Set(types.map(({ instancePath }) => instancePath));
  const others = takeFirst(errors, limit - types.length, ({ keyword, instancePath }) => {
    if (keyword === 'required') return request.problems.length === 0;
    // A value of a wrong type is not in a closed set either.
    return keyword !== 'type' && !mistyped.has(instancePath);
  });
  return [...types, ...others].map(({ instancePath, keyword, params }): Finding => {
    const path = parsePointer(instancePath, request.value);
    const severity = isSwitchedOff(request.body, path) ? 'hint' : 'warning';
    switch (keyword) {
      case 'type':
        return aboutType(request, path, params['type'], knowledge);
      case 'required': {
        const message = t('"{0}" is missing.', listed(params['missingProperty']));
        return { code: schemaCodes.required, severity, message, place: { path, part: 'begin' } };
      }
      default: {
        const values = params['allowedValues'];
        return {
          code: schemaCodes.value,
          severity,
          message: valueMessage(path, findValue(request.body, path), listed(values)),
          place: { path, part: 'value' },
          ...withFixes(fixValue(request.body, path, values)),
        };
      }
    }
  });
}

/** Returns the first matching elements. There may be a million errors, and the editor shows a few hundred. */
function takeFirst<T>(elements: readonly T[], limit: number, matches: (element: T) => boolean): readonly T[] {
  const taken: T[] = [];
  for (const element of elements) {
    if (taken.length >= limit) break;
    if (matches(element)) taken.push(element);
  }
  return taken;
}

/** Returns the schema findings without missing members, which the editor's JSON service reports. */
export function findWrongValues(
  request: RequestFile,
  check: SchemaCheck,
  knowledge?: ServiceKnowledge,
  limit?: number,
): readonly Finding[] {
  return findSchemaErrors(request, check, knowledge, limit).filter(({ code }) => code !== schemaCodes.required);
}

/** Reports a wrong type. Types of fields outside the contract come from one public service; others may accept other types. */
function aboutType(
  request: RequestFile,
  path: JsonPath,
  type: unknown,
  knowledge: ServiceKnowledge | undefined,
): Finding {
  const fix = fixType(request.body, path);
  const isInterface = isInContract(path);
  return {
    code: isInterface ? schemaCodes.type : schemaCodes.knownType,
    severity: isInterface ? 'error' : serviceSeverity(request, path, knowledge),
    message: typeMessage(path, describeTypes(type)),
    place: { path, part: 'value' },
    ...withFixes(fix && (isInterface || knowledge?.isApplied === true ? fix : { ...fix, isChoice: true })),
  };
}

function withFixes(fix: Fix | undefined): Pick<Finding, 'fixes'> {
  return fix ? { fixes: [fix] } : {};
}

function serviceSeverity(
  { body }: RequestFile,
  path: JsonPath,
  knowledge: ServiceKnowledge | undefined,
): 'warning' | 'info' | 'hint' {
  if (isSwitchedOff(body, path)) return 'hint';
  return knowledge?.isApplied === true ? 'warning' : 'info';
}

function typeMessage(path: JsonPath, types: string): string {
  const last = path.at(-1);
  if (last === undefined) return t('The request must be {0}.', types);
  if (typeof last === 'number') return t('Each entry of {0} must be {1}.', String(path.at(-2)), types);
  return t('{0} must be {1}.', last, types);
}

/** Converts a JSON pointer to a path; array indexes become numbers. */
function parsePointer(pointer: string, root: unknown): JsonPath {
  let value = root;
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = isArray(value) ? Number(name) : name;
      if (isArray(value)) value = value[Number(name)];
      else value = isJsonObject(value) ? value[name] : undefined;
      return step;
    });
}

/** @param values the allowed ones */
function valueMessage(path: JsonPath, value: unknown, values: string): string {
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  const field = path.findLast((segment) => typeof segment === 'string') ?? '';
  return t('"{0}" isn\'t one of {1} ({2}).', written, values, field);
}

function listed(values: unknown): string {
  return isArray(values) ? values.join(', ') : String(values);
}

/** Codes of JSON syntax findings. The editor's JSON service reports the same problems in open files. */
export const syntaxCodes = {
  syntax: 'json/syntax',
  duplicateKey: 'json/duplicate-key',
  notStrict: 'json/not-strict',
  tooLong: 'json/too-long',
} as const;

/** Returns the JSON syntax findings, in text order within each kind. */
export function findSyntaxErrors(request: RequestFile): readonly Finding[] {
  if (isTooLong(request)) return [];
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
      message: t('Duplicate key "{0}"; the last one is used.', key),
      place: { range: { offset, length } },
      related: [{ place: { range: first }, message: t('The first one') }],
    })),
    ...aboutExtras(
      request.extras.filter(({ offset }) => request.text[offset] === ','),
      t("JSON doesn't allow trailing commas; they won't be sent."),
      t('Another trailing comma'),
    ),
    ...aboutExtras(
      request.extras.filter(({ offset }) => ![',', byteOrderMark].includes(request.text[offset] ?? '')),
      t("JSON doesn't allow comments; they won't be sent."),
      t('Another comment'),
    ),
  ];
}

/** Returns the finding of a text that VS Code neither reads nor submits; undefined for other texts. It is a warning where the text was not read. */
export function findTooLong(request: RequestFile, locale: Locale | undefined): Finding | undefined {
  const { length } = request.text;
  // A text has at least two characters for each value.
  const mayHaveTooMany = length > 2 * maxEditorValues && length <= maxEditorLength;
  const hasTooMany = isTooLong(request) || (mayHaveTooMany && countValues(request.root) > maxEditorValues);
  if (length <= maxEditorLength && !hasTooMany) return undefined;
  const format = (count: number) => (locale ? formatNumber(count, locale) : String(count));
  return {
    code: syntaxCodes.tooLong,
    severity: isTooLong(request) ? 'warning' : 'info',
    message:
      length > maxEditorLength
        ? t(
            'This request has {0} characters. VS Code neither checks nor submits more than {1}: shorten it, or check and send it with other tools.',
            format(length),
            format(maxEditorLength),
          )
        : t(
            'This request has more than {0} values, which VS Code neither checks nor submits: shorten it, or check and send it with other tools.',
            format(maxEditorValues),
          ),
    place: { range: { offset: 0, length: 1 } },
  };
}

function countValues(node: JsonNode | undefined): number {
  return node?.children.reduce((count, child) => count + countValues(child), 1) ?? 0;
}

/** True if a text was too long, or had too many values, to be read. */
export function isTooLong({ problems }: RequestFile): boolean {
  return problems.some(({ code }) => code === tooLong);
}

/** Creates one finding for all ranges of a kind. */
function aboutExtras(
  [first, ...others]: readonly TextRange[],
  message: string,
  otherMessage: string,
): readonly Finding[] {
  if (!first) return [];
  const related = others.slice(0, relatedLimit).map((range) => ({ place: { range }, message: otherMessage }));
  return [{ code: syntaxCodes.notStrict, severity: 'info', message, place: { range: first }, related }];
}

/** Maximum number of related places of a finding. */
const relatedLimit = 20;

/** @param code of a syntax problem */
function problemText(code: string): string {
  switch (code) {
    case 'InvalidSymbol':
      return t('Invalid JSON: text must be in double quotes.');
    case 'InvalidNumberFormat':
    case 'UnexpectedEndOfNumber':
      return t('The number is incomplete.');
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
      return t('Unexpected text after the request; a file holds one request.');
    case 'UnexpectedEndOfComment':
      return t('The comment is not closed.');
    case 'UnexpectedEndOfString':
      return t('The closing quote is missing.');
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
      return t('Invalid escape sequence.');
    case 'InvalidCharacter':
      return t('Escape control characters.');
    case wrongEncoding:
      return t('This file is in UTF-16 without a byte order mark. Save it as UTF-8.');
    case longName:
      return t('This name is too long to be read: shorten it to {0} characters.', maxNameLength);
    case tooDeep:
      return t('Nested too deeply to be read.');
    default:
      return t('This is not JSON.');
  }
}
