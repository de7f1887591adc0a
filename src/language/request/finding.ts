import type { Locale } from '../../base/format.ts';
import type { JsonObject, JsonValue, JsonPath } from '../../base/json/json.ts';
import type { ServiceKnowledge } from '../../known/serviceKnowledge.ts';
import type { Place, RequestFile } from './requestFile.ts';

/** Most severe first. Error: the request is invalid. Warning: the effect differs from what it seems. Info and hint: advice. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** A problem in a request, or advice about it. */
export interface Finding {
  /** Stable, because settings and suppressions refer to it. */
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
  /** True if the fix keeps the meaning of the request, so that it may be applied on save. */
  readonly safe: boolean;
  /** True if the fix changes an explicit decision, such as a switch: only offered individually, never part of Fix All. */
  readonly isChoice?: boolean;
  /** JSON of the string or list among the changes that the user is to fill in: an editor selects its content. */
  readonly fillIn?: string;
}

/** A change to a request, by path; `makeChangeEdits` converts it to text edits. */
export type Change =
  | { readonly type: 'replace'; readonly path: JsonPath; readonly value: JsonValue }
  | { readonly type: 'remove'; readonly path: JsonPath }
  | { readonly type: 'rename'; readonly path: JsonPath; readonly name: string }
  /** Inserts a member before the member at the path. */
  | { readonly type: 'insertBefore'; readonly path: JsonPath; readonly name: string; readonly value: JsonValue }
  /** Appends a member to the object at the path. */
  | { readonly type: 'append'; readonly path: JsonPath; readonly name: string; readonly value: JsonValue }
  /** Replaces the member at the path with other members. */
  | { readonly type: 'replaceMember'; readonly path: JsonPath; readonly members: JsonObject }
  /** Replaces the element at the path with several elements. */
  | { readonly type: 'expand'; readonly path: JsonPath; readonly values: readonly JsonValue[] };

/** A finding as a rule yields it; the rule provides the code and severity. */
export type Hit = Omit<Finding, 'code' | 'severity'> & {
  /** Severity of this finding, if it is milder than the rule's, which the catalog shows. */
  readonly severity?: Severity;
};

/** Input of rules in addition to the request. */
export interface RuleContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Known limits of the service in use; undefined if these checks are off. */
  readonly knowledge?: ServiceKnowledge | undefined;
  /** Returns the required lifetime of a signed link; undefined if unknown. Called only for signed links. */
  readonly linkNeed?: () => LinkNeed | undefined;
  /** Format of times for people; undefined if programs read them too: ISO 8601. */
  readonly locale?: Locale;
}

/** Required lifetime of a signed link. */
export interface LinkNeed {
  readonly neededMs: number;
  /** True if 95 % of recent jobs were done within this time; otherwise the user has set it. */
  readonly isMeasured: boolean;
}

/**
 * Origin of a rule: a section of the contract, the data of the known service, how addresses and hosts work, or the request itself, which
 * repeats or contradicts itself.
 */
export type RuleSource = `contract ${string}` | 'service' | 'address' | 'request';

/** A check of a request. Pure; runs in time linear in the size of the request. */
export interface Rule {
  /** `category/name`. Stable, because settings, suppressions and `docs/rules.md` refer to it. */
  readonly code: string;
  /** Default; the setting `rules` may override it. */
  readonly severity: Severity;
  readonly source: RuleSource;
  /** Reports missing values. Skipped while the text has syntax errors: the values may be in the part that failed to parse. */
  readonly aboutAbsence?: true;
  /** Returns a localised sentence for users: what the rule finds, and why it matters. */
  readonly explain: () => string;
  readonly check: (request: RequestFile, context: RuleContext) => Iterable<Hit>;
}
