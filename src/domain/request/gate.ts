import type { JsonObject } from '../json.ts';
import { checkRequest } from './checkRequest.ts';
import type { RuleOptions } from './checkRules.ts';
import type { Finding } from './finding.ts';
import { withoutExtras } from './json/parseJson.ts';
import { parseRequest, type RequestFile } from './requestFile.ts';
import type { RuleContext } from './rules/rule.ts';
import { schemaCodes, type SchemaCheck } from './schemaFindings.ts';
import { syntaxCodes } from './syntaxFindings.ts';

/** Whether a request may be sent, as far as its text tells. `file` says where the findings are. */
export type GateResult =
  /** Syntax or types are wrong: these findings are why. */
  | { readonly type: 'blocked'; readonly file: RequestFile; readonly findings: readonly Finding[] }
  | {
      readonly type: 'ok';
      readonly file: RequestFile;
      /** All else that there is to say, whatever its severity. The user may override it. */
      readonly warnings: readonly Finding[];
      /** What is to be sent: the text, every number as written, without what JSON does not have. */
      readonly body: string;
      readonly request: JsonObject;
    };

/** Decides on a text as it is in the editor. Never throws. */
export function gateRequest(text: string, check: SchemaCheck, context: RuleContext, options?: RuleOptions): GateResult {
  const file = parseRequest(text);
  const findings = checkRequest(file, check, context, options);
  const blocking = findings.filter(({ code }) => code === syntaxCodes.syntax || code === schemaCodes.type);
  if (blocking.length > 0) return { type: 'blocked', file, findings: blocking };
  return { type: 'ok', file, warnings: findings, body: withoutExtras(text, file.extras), request: file.body };
}
