import type { Finding, Severity } from '../finding.ts';
import type { RequestFile } from '../requestFile.ts';

/** What a rule says; its code and severity come from the rule. */
export type Hit = Omit<Finding, 'code' | 'severity'>;

/** What rules know besides the request. */
export interface RuleContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/**
 * One thing to look for in a request. Pure, and works in proportion to the request. One that stands on more than the list of
 * fields says on which part of the contract.
 */
export interface Rule {
  /** Stable, `room/what`: settings, suppressions and the README name it. */
  readonly code: string;
  /** What it is unless the setting `rules` says otherwise. */
  readonly severity: Severity;
  /** Says that something is absent, and so keeps silent while the text is broken: it may be in the broken part. */
  readonly aboutAbsence?: true;
  /** One sentence for people, localised: what is found, and why it matters. */
  readonly explain: () => string;
  readonly check: (request: RequestFile, context: RuleContext) => Iterable<Hit>;
}
