import type { JsonValue, JsonPath } from '../base/json/json.ts';

/** Limits of a public service that the contract does not specify. Plain data, used by the rules in `rules/service*.ts`. */
export interface KnownService {
  /** Value of a connection's `service` and of the command line option. */
  readonly id: Exclude<ServiceChoice, 'auto' | 'none'>;
  /** Display name. */
  readonly name: string;
  /** Origins of its base URLs. */
  readonly origins: readonly string[];
  /** True if the error code of a job is an HTTP status; contract 7 does not define it. */
  readonly errorCodesAreStatuses: boolean;
  /** True if `code_switching` is off unless a request turns it on. */
  readonly keepsLanguageByDefault: boolean;
  /** True if translated subtitles come with those in the original language. */
  readonly subtitlesOriginal: boolean;
  /** Facts by dotted path of the field, `*` for elements: `custom_vocabulary_config.vocabulary.*.intensity`. */
  readonly fields: ReadonlyMap<string, FieldFacts>;
  /** Names that the service rejects or has deprecated, by dotted path. */
  readonly renamed: ReadonlyMap<string, RenamedField>;
  /** Pairs of numbers in the same object; the first must not exceed the second. */
  readonly ordered: readonly OrderedFields[];
  /** Limits of individual models. */
  readonly models: readonly ModelLimits[];
}

/** Values that a field accepts. Omitted members are unknown. */
export interface FieldFacts {
  /** Bounds of a number. */
  readonly min?: number;
  readonly max?: number;
  /** True if only integers are accepted; the schema reports other numbers. */
  readonly isWhole?: true;
  /** Closed set of strings. */
  readonly values?: readonly string[];
  /** Values by synonym; synonyms are in lower case and without separators. */
  readonly synonyms?: ReadonlyMap<string, string>;
  /** True if the field must be present and not empty when the switch of its config is on. */
  readonly isRequired?: true;
  /** Each string must be a single entry without separators. Terms may contain commas; codes may not even contain spaces. */
  readonly single?: 'code' | 'name' | 'term';
  /** Accepted language codes. */
  readonly codes?: readonly string[];
  /** Maximum length of the value as JSON, in characters. */
  readonly maxCharacters?: number;
  /** True if the value is a URL that the service calls. */
  readonly isCalled?: true;
}

/** Reason why a name is rejected. Deprecated: still accepted. Upload: a field of the upload response. */
export type RenamedKind = 'deprecated' | 'legacy' | 'foreign' | 'live' | 'upload';

export interface RenamedField {
  readonly kind: RenamedKind;
  /** Dotted path of the replacement; within an element, a name alone belongs to the same object. Undefined if there is none. */
  readonly successor?: string;
  /** True for an object whose members belong to the top level of a request. */
  readonly isWrapper?: true;
}

/** A value to set at a path. */
export type Setting = readonly [path: JsonPath, value: JsonValue];

interface OrderedFields {
  readonly config: string;
  readonly min: string;
  readonly max: string;
}

export interface ModelLimits {
  readonly model: string;
  /** The only languages that the model transcribes. */
  readonly languages: readonly string[];
  /** Maximum number of expected languages. */
  readonly maxLanguages: number;
  /** True if the model re-evaluates the language on each utterance. */
  readonly switchesLanguages: boolean;
}

/** Service of a connection: detected by origin, none, or a service id. */
export const serviceChoices = ['auto', 'none', 'gladia'] as const;
export type ServiceChoice = (typeof serviceChoices)[number];

/**
 * Address of the sample service, which is no known service, but whose error codes and subtitles are known. RFC 6761 6.4: names below
 * "invalid" never resolve, so an accidental request reaches no host.
 */
export const sampleBaseUrl = 'http://sample.invalid';
