import type { JsonObject, JsonValue } from '../json/json.ts';
import type { JsonPath } from './json/jsonPlaces.ts';
import type { ServiceKnowledge } from './known/serviceKnowledge.ts';
import type { Place, RequestFile } from './requestFile.ts';

/** From worst to mildest. An error makes the request meaningless; a warning has another effect than it seems; the rest is advice. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** A problem in a request, or advice about it. */
export interface Finding {
  /** Stable: settings and suppressions name it. */
  readonly code: string;
  readonly severity: Severity;
  /** Localised. */
  readonly message: string;
  readonly place: Place;
  /** Other places involved. */
  readonly related?: readonly RelatedPlace[];
  /** Edits that settle it, the best first. */
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
  /** The request keeps its meaning, so the fix may be applied on save. */
  readonly safe: boolean;
  /**
   * It changes an explicit decision, such as a switch that is on or off: it is offered alone and never part of Fix All.
   */
  readonly isChoice?: boolean;
}

/** One change of a request, by path; `changeEdits` makes text of it. */
export type Change =
  | { readonly type: 'replace'; readonly path: JsonPath; readonly value: JsonValue }
  | { readonly type: 'remove'; readonly path: JsonPath }
  | { readonly type: 'rename'; readonly path: JsonPath; readonly name: string }
  /** A new member before the member at the path. */
  | { readonly type: 'insertBefore'; readonly path: JsonPath; readonly name: string; readonly value: JsonValue }
  /** A new member at the end of the object at the path. */
  | { readonly type: 'append'; readonly path: JsonPath; readonly name: string; readonly value: JsonValue }
  /** Other members in the place of the member at the path. */
  | { readonly type: 'replaceMember'; readonly path: JsonPath; readonly members: JsonObject }
  /** Several elements in the place of the element at the path. */
  | { readonly type: 'expand'; readonly path: JsonPath; readonly values: readonly JsonValue[] };

/** A finding as a rule yields it; code and severity come from the rule. */
export type Hit = Omit<Finding, 'code' | 'severity'> & {
  /** Where it is not as grave as the rule usually is. */
  readonly severity?: Severity;
};

/** What rules know besides the request. */
export interface RuleContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** What is known of the service in use; undefined when such knowledge is not wanted. */
  readonly knowledge?: ServiceKnowledge | undefined;
}

/**
 * One thing to look for in a request. Pure, in time proportional to the request. A comment names the section of the
 * contract that it implements.
 */
export interface Rule {
  /** Stable, `room/what`: settings, suppressions and the README name it. */
  readonly code: string;
  /** What it is unless the setting `rules` says otherwise. */
  readonly severity: Severity;
  /** Reports something missing, so it is skipped while the text is broken: it may be in the broken part. */
  readonly aboutAbsence?: true;
  /** One sentence for people, localised: what is found, and why it matters. */
  readonly explain: () => string;
  readonly check: (request: RequestFile, context: RuleContext) => Iterable<Hit>;
}
