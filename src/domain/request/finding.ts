import type { JsonValue } from '../json/json.ts';
import type { JsonPath } from './json/jsonPlaces.ts';
import type { Place, RequestFile } from './requestFile.ts';

/** From worst to mildest. An error cannot mean anything; a warning means something else than it seems; the rest is advice. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** Something that a request says and hardly means. */
export interface Finding {
  /** Stable: settings and suppressions name it. */
  readonly code: string;
  readonly severity: Severity;
  /** Localised. */
  readonly message: string;
  readonly place: Place;
  /** Other places that play a part. */
  readonly related?: readonly RelatedPlace[];
  /** Ways to settle it by one edit, the best first. */
  readonly fixes?: readonly Fix[];
}

interface RelatedPlace {
  readonly place: Place;
  readonly message: string;
}

export interface Fix {
  /** Localised. */
  readonly title: string;
  readonly changes: readonly Change[];
  /** What the request asks for stays the same, so that it may happen on save. */
  readonly safe: boolean;
  /**
   * It goes against something that the request says in so many words, such as a switch that is on or off: it is offered by itself, and
   * happens only when somebody chooses it.
   */
  readonly isChoice?: boolean;
}

/** One change of a request, by path; `changeEdits` makes text of it. */
export type Change =
  | { readonly type: 'replace'; readonly path: JsonPath; readonly value: JsonValue }
  | { readonly type: 'remove'; readonly path: JsonPath }
  | { readonly type: 'rename'; readonly path: JsonPath; readonly name: string }
  /** A new member before the member at the path. */
  | { readonly type: 'insertBefore'; readonly path: JsonPath; readonly name: string; readonly value: JsonValue };

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
