import type { Finding, Hit, RuleContext, Severity, Rule } from './request/finding.ts';
import { isSwitchedOff } from './request/requestFields.ts';
import { placeRange, type Place, type RequestFile, parseForEditor } from './request/requestFile.ts';
import {
  findSchemaErrors,
  type SchemaCheck,
  findSyntaxErrors,
  findTooLong,
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
import { translationRules } from './rules/translation.ts';
import { vocabularyRules } from './rules/vocabulary.ts';

/** Checks the syntax, types and rules of a request. Returns the findings in text order. */
export function checkRequest(
  request: RequestFile,
  check: SchemaCheck,
  context: RuleContext,
  options?: RuleOptions,
): readonly Finding[] {
  const long = findTooLong(request, context.locale);
  return reportFindings(request, [
    ...(long ? [long] : []),
    ...findSyntaxErrors(request),
    ...findSchemaErrors(request, check, context.knowledge, options?.limit),
    ...checkRules(request, context, options),
  ]);
}

/** Returns findings in text order, with messages of one line. Fixes are applied in that order, so that every host produces the same text. */
export function reportFindings(request: RequestFile, findings: readonly Finding[]): readonly Finding[] {
  return findings
    .map((finding) => ({ finding, offset: placeRange(request, finding.place).offset }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ finding }) => sanitizeMessages(finding));
}

/** Maximum length of a message, in characters: messages quote the request. */
const maxMessageLength = 500;

/** Makes messages a single line: they quote the request and appear in dialogs, terminals and reports. */
function sanitizeMessages(finding: Finding): Finding {
  return {
    ...finding,
    message: oneLine(finding.message, maxMessageLength),
    ...(finding.related && {
      related: finding.related.map((each) => ({ ...each, message: oneLine(each.message, maxMessageLength) })),
    }),
  };
}

/** Level of each rule by code, from the setting `rules`. */
export type RuleLevels = ReadonlyMap<string, RuleLevel>;
type RuleLevel = 'off' | Exclude<Severity, 'error'>;

const levelOrder = ['off', 'hint', 'info', 'warning'] as const;

/**
 * Returns the rule levels for a confirmation. They come from the user's settings. A folder, whose settings may come from others, can
 * only make a rule stricter; otherwise it could hide warnings.
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
  /** Levels that override the rules' own severities. */
  readonly levels?: RuleLevels;
  /** Maximum number of findings per rule and of schema findings; unlimited if omitted. */
  readonly limit?: number;
}

/** Applies the rules in order. Syntax and schema types are checked separately. */
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
      const isOff = 'path' in hit.place && isSwitchedOff(request.body, hit.place.path);
      if (isOff && !reportedIfOff.some((prefix) => code.startsWith(prefix))) continue;
      if (left-- <= 0) break;
      const usual = isOff && !code.startsWith('switches/') ? 'hint' : (milder ?? level);
      const reported = levels?.has(code) === true ? level : usual;
      findings.push({ ...(isAmbiguous ? withoutSafety(hit) : hit), code, severity: reported });
    }
  }
  return withoutAdvice(findings);
}

/** Marks fixes as unsafe if the text has duplicate keys: the value without effect may be the intended one. */
function withoutSafety(hit: Hit): Hit {
  return { ...hit, ...(hit.fixes && { fixes: hit.fixes.map((fix) => ({ ...fix, safe: false })) }) };
}

/**
 * Rules whose findings are reported in the settings of a feature that is explicitly off: those about names, as hints, and those about
 * switches. Contradictions are not reported.
 */
const reportedIfOff = ['switches/', 'fields/', 'service/legacy-name', 'service/foreign-name'];

/** Drops advice about values that the known service rejects, and `service/range` if a rule of the contract reports the same value. */
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

/** Returns the codes in the setting that match no rule. */
export function findUnknownRuleCodes(levels: RuleLevels): readonly string[] {
  return [...levels.keys()].filter((code) => !ruleCodes.has(code));
}

/** Decision whether a request may be sent. `file` resolves the places of the findings. */
export type GateResult =
  /** Syntax or type errors block the request, and its length. */
  | { readonly type: 'blocked'; readonly file: RequestFile; readonly findings: readonly Finding[] }
  | {
      readonly type: 'ok';
      readonly file: RequestFile;
      /** All other findings, of any severity. The user may override them. */
      readonly warnings: readonly Finding[];
      /** Body to send: numbers as written, without comments and trailing commas. */
      readonly body: string;
      readonly request: JsonObject;
    };

/** Decides whether the text in the editor may be sent. Never throws. */
export function gateRequest(text: string, check: SchemaCheck, context: RuleContext, options?: RuleOptions): GateResult {
  const file = parseForEditor(text);
  const long = findTooLong(file, context.locale);
  if (long) return { type: 'blocked', file, findings: [long] };
  const findings = checkRequest(file, check, context, options);
  const blocking = findings.filter(({ code }) => code === syntaxCodes.syntax || code === schemaCodes.type);
  if (blocking.length > 0) return { type: 'blocked', file, findings: blocking };
  return { type: 'ok', file, warnings: findings, body: stripExtras(text, file.extras), request: file.body };
}

/** Rules that apply to every service, known or unknown. */
const generalRules: readonly Rule[] = [
  ...audioUrlRules,
  ...languageRules,
  ...vocabularyRules,
  ...diarizationRules,
  ...subtitleRules,
  ...translationRules,
  ...switchRules,
  ...fieldRules,
];

/** All rules, in the order of `docs/rules.md`. */
export const ruleCatalog: readonly Rule[] = [...generalRules, ...serviceNameRules, ...serviceValueRules];

/** Codes of all rules. */
export const ruleCodes: ReadonlySet<string> = new Set(ruleCatalog.map(({ code }) => code));
