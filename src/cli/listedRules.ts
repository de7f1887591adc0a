import { ruleCatalog, type RuleLevels } from '../language/check.ts';
import type { Severity } from '../language/request/finding.ts';
import type { schemaCodes, syntaxCodes } from '../language/request/jsonFindings.ts';

/** A rule as reports and lists show it. */
export interface ListedRule {
  readonly code: string;
  readonly level: Severity | 'off';
  /** One sentence. */
  readonly text: string;
}

type BuiltInCode = (typeof syntaxCodes)[keyof typeof syntaxCodes] | (typeof schemaCodes)[keyof typeof schemaCodes];

/** Checks of JSON and of the schema, whose levels are fixed. */
const builtIn: Readonly<Record<BuiltInCode, Omit<ListedRule, 'code'>>> = {
  'json/syntax': { level: 'error', text: 'The text is not valid JSON.' },
  'json/duplicate-key': { level: 'warning', text: 'Of duplicate keys, the last one is used.' },
  'json/not-strict': { level: 'info', text: 'Comments and trailing commas are left out when the request is sent.' },
  'json/too-long': {
    level: 'info',
    text: 'VS Code neither checks nor submits very long requests.',
  },
  'schema/type': { level: 'error', text: 'A value has the wrong type: the request is not sent.' },
  'schema/known-type': { level: 'warning', text: 'A value has a type that a known public service rejects.' },
  'schema/required': { level: 'warning', text: 'A required field is missing.' },
  'schema/value': { level: 'warning', text: 'A value is not among the documented ones.' },
};

/** Lists all rules, in the order of `docs/rules.md`. @param levels that override the rules' own */
export function listRules(levels: RuleLevels = new Map()): readonly ListedRule[] {
  return [
    ...Object.entries(builtIn).map(([code, rule]) => ({ code, ...rule })),
    ...ruleCatalog.map(({ code, severity, explain }) => ({
      code,
      level: levels.get(code) ?? severity,
      text: explain(),
    })),
  ];
}
