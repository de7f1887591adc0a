import type { Finding, Hit, RuleContext, Severity, Rule } from './request/finding.ts';
import { isSwitchedOff } from './request/requestFields.ts';
import { placeRange, type Place, type RequestFile, parseRequest } from './request/requestFile.ts';
import {
  findSchemaErrors,
  type SchemaCheck,
  findSyntaxErrors,
  schemaCodes,
  syntaxCodes,
} from './request/jsonFindings.ts';
import type { JsonObject } from '../base/json/json.ts';
import { oneLine } from '../base/outsideText.ts';
import { stripExtras } from './json/jsonTree.ts';
import { audioUrlRules } from './rules/audioUrl.ts';
import { diarizationRules } from './rules/diarization.ts';
import { fieldRules } from './rules/fields.ts';
import { languageRules } from './rules/languages.ts';
import { subtitleRules } from './rules/subtitles.ts';
import { serviceNameRules } from './rules/serviceNames.ts';
import { serviceValueRules } from './rules/serviceValues.ts';
import { switchRules } from './rules/switches.ts';
import { vocabularyRules } from './rules/vocabulary.ts';

/** Checks a request: syntax, types and rules. The findings come in the order of the text. */
export function checkRequest(
  request: RequestFile,
  check: SchemaCheck,
  context: RuleContext,
  options?: RuleOptions,
): readonly Finding[] {
  return sortFindings(request, [
    ...findSyntaxErrors(request),
    ...findSchemaErrors(request, check, context.knowledge, options?.limit),
    ...checkRules(request, context, options),
  ]).map(sanitizeMessages);
}

/** Findings in the order of the text. Fixes are applied in that order, so that every host makes the same text of a request. */
export function sortFindings(request: RequestFile, findings: readonly Finding[]): readonly Finding[] {
  return findings
    .map((finding) => ({ finding, offset: placeRange(request, finding.place).offset }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ finding }) => finding);
}

/** Maximum length of a quotation from the request in a message. */
const maxMessageLength = 500;

/** Messages quote the request and appear in dialogs, terminals and reports: they must be a single line. */
function sanitizeMessages(finding: Finding): Finding {
  return {
    ...finding,
    message: oneLine(finding.message, maxMessageLength),
    ...(finding.related && {
      related: finding.related.map((each) => ({ ...each, message: oneLine(each.message, maxMessageLength) })),
    }),
  };
}

/** The level of each rule by its code, from the setting `rules`. */
export type RuleLevels = ReadonlyMap<string, RuleLevel>;
type RuleLevel = 'off' | Exclude<Severity, 'error'>;

const levelOrder = ['off', 'hint', 'info', 'warning'] as const;

/**
 * The rule levels for a confirmation. They come from the user's settings; a folder, which may be written by others, can only
 * make a rule stricter. Otherwise it could hide warnings.
 * @param ofUser levels from the user's own settings; `effective` includes those of the folder.
 */
export function confirmationLevels(ofUser: RuleLevels, effective: RuleLevels): RuleLevels {
  const levels = new Map(ofUser);
  for (const [code, level] of effective) {
    const own = ofUser.get(code);
    const isStricter =
      own === undefined
        ? level === 'warning'
        : levelOrder.findIndex((each) => each === level) > levelOrder.findIndex((each) => each === own);
    if (isStricter) levels.set(code, level);
  }
  return levels;
}

export interface RuleOptions {
  /** Levels that replace the rules' own. */
  readonly levels?: RuleLevels;
  /** Maximum number of findings per rule, and against the schema; unlimited when omitted. */
  readonly limit?: number;
}

/** Applies the rules in order. Syntax and types are checked separately, against the schema. */
export function checkRules(
  request: RequestFile,
  context: RuleContext,
  { levels, limit = Infinity }: RuleOptions = {},
): readonly Finding[] {
  const isBroken = request.problems.length > 0;
  const isAmbiguous = request.duplicates.length > 0;
  const findings: Finding[] = [];
  for (const { code, severity, aboutAbsence, check } of context.knowledge ? ruleCatalog : generalRules) {
    const level = levels?.get(code) ?? severity;
    if (level === 'off' || (isBroken && aboutAbsence)) continue;
    let left = limit;
    for (const { severity: milder, ...hit } of check(request, context)) {
      const reported = levels?.has(code) === true ? level : lowerSeverity(request, code, hit.place, milder ?? level);
      if (reported === undefined) continue;
      if (left-- <= 0) break;
      findings.push({ ...(isAmbiguous ? withoutSafety(hit) : hit), code, severity: reported });
    }
  }
  return withoutAdvice(findings);
}

/** Where a key is there twice, the value that does not count may be the one that was meant. */
function withoutSafety(hit: Hit): Hit {
  return { ...hit, ...(hit.fixes && { fixes: hit.fixes.map((fix) => ({ ...fix, safe: false })) }) };
}

/**
 * The severity of a finding, given its place. Within the settings of a feature that is explicitly off, contradictions are not
 * reported and findings about names are hints.
 */
function lowerSeverity({ body }: RequestFile, code: string, place: Place, severity: Severity): Severity | undefined {
  if (!('path' in place) || !isSwitchedOff(body, place.path)) return severity;
  if (code.startsWith('switches/')) return severity;
  return namePrefixes.some((room) => code.startsWith(room)) ? 'hint' : undefined;
}

const namePrefixes = ['fields/', 'service/legacy-name', 'service/foreign-name'];

/** Drops advice about values that the known service rejects, and a range where the interface's own bound is crossed already. */
function withoutAdvice(findings: readonly Finding[]): readonly Finding[] {
  const keyOf = (place: Place): string => JSON.stringify(place);
  const refused = new Set(
    findings
      .filter(({ code, severity }) => code.startsWith('service/') && severity === 'warning')
      .map(({ place }) => keyOf(place)),
  );
  if (refused.size === 0) return findings;
  const reported = new Set(
    findings
      .filter(({ code, severity }) => !code.startsWith('service/') && severity === 'warning')
      .map(({ place }) => keyOf(place)),
  );
  return findings.filter(({ code, severity, place }) =>
    code.startsWith('service/')
      ? code !== 'service/range' || !reported.has(keyOf(place))
      : severity === 'warning' || severity === 'error' || !refused.has(keyOf(place)),
  );
}

/** Codes in the setting that match no rule. */
export function findUnknownRuleCodes(levels: RuleLevels): readonly string[] {
  return [...levels.keys()].filter((code) => !ruleCodes.has(code));
}

/** Whether a request may be sent. `file` resolves the places of the findings. */
export type GateResult =
  /** Syntax or type errors block the request. */
  | { readonly type: 'blocked'; readonly file: RequestFile; readonly findings: readonly Finding[] }
  | {
      readonly type: 'ok';
      readonly file: RequestFile;
      /** All other findings, of any severity. The user may override them. */
      readonly warnings: readonly Finding[];
      /** The body to send: numbers as written, comments and trailing commas removed. */
      readonly body: string;
      readonly request: JsonObject;
    };

/** Decides whether the text in the editor may be sent. Never throws. */
export function gateRequest(text: string, check: SchemaCheck, context: RuleContext, options?: RuleOptions): GateResult {
  const file = parseRequest(text);
  const findings = checkRequest(file, check, context, options);
  const blocking = findings.filter(({ code }) => code === syntaxCodes.syntax || code === schemaCodes.type);
  if (blocking.length > 0) return { type: 'blocked', file, findings: blocking };
  return { type: 'ok', file, warnings: findings, body: stripExtras(text, file.extras), request: file.body };
}

/** The rules that apply whether or not anything is known of the service. */
const generalRules: readonly Rule[] = [
  ...audioUrlRules,
  ...languageRules,
  ...vocabularyRules,
  ...diarizationRules,
  ...subtitleRules,
  ...switchRules,
  ...fieldRules,
];

/** Every rule, in the order of `docs/rules.md`. */
export const ruleCatalog: readonly Rule[] = [...generalRules, ...serviceNameRules, ...serviceValueRules];

/** The codes of all rules. */
export const ruleCodes: ReadonlySet<string> = new Set(ruleCatalog.map(({ code }) => code));
