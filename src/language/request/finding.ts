import type { Locale } from '../../base/format.ts';
import type { JsonObject, JsonValue, JsonPath } from '../../base/json/json.ts';
import type { ServiceKnowledge } from '../../known/serviceKnowledge.ts';
import type { Place, RequestFile } from './requestFile.ts';

/** Most severe first. Error: the request is invalid. Warning: the effect is not what it seems. The rest is advice. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** A problem in a request, or advice about it. */
export interface Finding {
  /** Stable: settings and suppressions refer to it. */
  readonly code: string;
  readonly severity: Severity;
  /** Localised. */
  readonly message: string;
  readonly place: Place;
  /** Other places involved. */
  readonly related?: readonly RelatedPlace[];
  /** Best fix first. */
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
   * It changes an explicit decision, such as a switch that is on or off: only offered individually, never part of Fix All.
   */
  readonly isChoice?: boolean;
}

/** One change of a request, by path; `makeChangeEdits` converts it to text edits. */
export type Change =
  | { readonly type: 'replace'; readonly path: JsonPath; readonly value: JsonValue }
  | { readonly type: 'remove'; readonly path: JsonPath }
  | { readonly type: 'rename'; readonly path: JsonPath; readonly name: string }
  /** A new member before the member at the path. */
  | { readonly type: 'insertBefore'; readonly path: JsonPath; readonly name: string; readonly value: JsonValue }
  /** A new member at the end of the object at the path. */
  | { readonly type: 'append'; readonly path: JsonPath; readonly name: string; readonly value: JsonValue }
  /** Replaces the member at the path with others. */
  | { readonly type: 'replaceMember'; readonly path: JsonPath; readonly members: JsonObject }
  /** Replaces the element at the path with several. */
  | { readonly type: 'expand'; readonly path: JsonPath; readonly values: readonly JsonValue[] };

/** A finding as a rule yields it; code and severity come from the rule. */
export type Hit = Omit<Finding, 'code' | 'severity'> & {
  /** Overrides the rule's severity for this finding. */
  readonly severity?: Severity;
};

/** Input of rules besides the request. */
export interface RuleContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Known limits of the service in use; undefined when these checks are off. */
  readonly knowledge?: ServiceKnowledge | undefined;
  /** How long a signed link must last; undefined when that is not known. Called only for signed links. */
  readonly linkNeed?: () => LinkNeed | undefined;
  /** How times are written for the reader; undefined where they are read by programs as well: ISO 8601. */
  readonly locale?: Locale;
}

/** How long a signed link must last. */
export interface LinkNeed {
  readonly neededMs: number;
  /** Whether 95 % of recent jobs were done within it; otherwise the user wants it. */
  readonly isMeasured: boolean;
}

/**
 * One check of a request. Pure, in time linear in the request's size. A comment at each rule names the contract
 * section it implements.
 */
export interface Rule {
  /** Stable, `category/name`: settings, suppressions and `docs/rules.md` refer to it. */
  readonly code: string;
  /** Default; the setting `rules` may override it. */
  readonly severity: Severity;
  /** Reports missing values, so it is skipped while the text has syntax errors: they may be in the part that failed to parse. */
  readonly aboutAbsence?: true;
  /** One sentence for people, localised: what is found, and why it matters. */
  readonly explain: () => string;
  readonly check: (request: RequestFile, context: RuleContext) => Iterable<Hit>;
}
