import type { Finding, Severity } from './finding.ts';
import type { RequestFile } from './requestFile.ts';
import type { RuleContext } from './rules/rule.ts';
import { ruleCatalog, ruleCodes } from './rules/ruleCatalog.ts';

/** What a rule is to be, by its code: the setting `rules`. */
export type RuleLevels = ReadonlyMap<string, RuleLevel>;
type RuleLevel = 'off' | Exclude<Severity, 'error'>;

export interface RuleOptions {
  /** Rules that are off, or milder or stricter than they are by themselves. */
  readonly levels?: RuleLevels;
  /** How many findings of each rule are wanted; all when left out. */
  readonly limit?: number;
}

/** What the rules say of a request, rule by rule. Says nothing of syntax and types: the schema does. */
export function checkRules(
  request: RequestFile,
  context: RuleContext,
  { levels, limit = Infinity }: RuleOptions = {},
): readonly Finding[] {
  const isBroken = request.problems.length > 0;
  const findings: Finding[] = [];
  for (const { code, severity, aboutAbsence, check } of ruleCatalog) {
    const level = levels?.get(code) ?? severity;
    if (level === 'off' || (isBroken && aboutAbsence)) continue;
    let left = limit;
    for (const hit of check(request, context)) {
      if (left-- <= 0) break;
      findings.push({ ...hit, code, severity: level });
    }
  }
  return findings;
}

/** Codes in the setting that no rule has. */
export function unknownRuleCodes(levels: RuleLevels): readonly string[] {
  return [...levels.keys()].filter((code) => !ruleCodes.has(code));
}
