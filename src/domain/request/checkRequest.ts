import { checkRules, type RuleOptions } from './checkRules.ts';
import type { Finding } from './finding.ts';
import { placeRange, type RequestFile } from './requestFile.ts';
import type { RuleContext } from './rules/rule.ts';
import { schemaFindings, type SchemaCheck } from './schemaFindings.ts';
import { syntaxFindings } from './syntaxFindings.ts';

/** All that can be said of a request: syntax, types and rules, in the order of the text. */
export function checkRequest(
  request: RequestFile,
  check: SchemaCheck,
  context: RuleContext,
  options?: RuleOptions,
): readonly Finding[] {
  const findings = [
    ...syntaxFindings(request),
    ...schemaFindings(request, check),
    ...checkRules(request, context, options),
  ];
  const offsets = new Map(findings.map((finding) => [finding, placeRange(request, finding.place).offset]));
  return findings.sort((a, b) => (offsets.get(a) ?? 0) - (offsets.get(b) ?? 0));
}
