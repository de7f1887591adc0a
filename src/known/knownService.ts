import type { JsonValue, JsonPath } from '../base/json/json.ts';

/** Limits of one public service that the contract does not specify. Plain data, used by the rules in `rules/service*.ts`. */
export interface KnownService {
  /** Value of a connection's `service` and of the command line option. */
  readonly id: Exclude<ServiceChoice, 'auto' | 'none'>;
  /** Display name. */
  readonly name: string;
  /** Origins of its base URLs. */
  readonly origins: readonly string[];
  /** The error code of a job is an HTTP status (contract 7 does not say what it is). */
  readonly errorCodesAreStatuses: boolean;
  /** By the dotted path of the field, `*` for elements: `custom_vocabulary_config.vocabulary.*.intensity`. */
  readonly fields: ReadonlyMap<string, FieldFacts>;
  /** Names that it rejects or has deprecated, by dotted path. */
  readonly renamed: ReadonlyMap<string, RenamedField>;
  /** Pairs of numbers in one object; the first must not exceed the second. */
  readonly ordered: readonly OrderedFields[];
  /** Limits of single models. */
  readonly models: readonly ModelLimits[];
}

/** What a field accepts. Omitted members are unknown. */
export interface FieldFacts {
  /** Bounds of a number. */
  readonly min?: number;
  readonly max?: number;
  /** Only whole numbers; the schema reports others. */
  readonly isWhole?: true;
  /** A closed set of strings. */
  readonly values?: readonly string[];
  /** What else a value may be called, in lower case and without separators, and the value. */
  readonly synonyms?: ReadonlyMap<string, string>;
  /** Required, and not empty, when the switch of its config is on. */
  readonly isRequired?: true;
  /** Each string must be a single entry, without separators. Terms may contain a comma, codes not even a space. */
  readonly single?: 'code' | 'name' | 'term';
  /** Codes of languages. */
  readonly codes?: readonly string[];
  /** Maximum length of its JSON, in characters. */
  readonly maxCharacters?: number;
  /** A URL that the service calls. */
  readonly isCalled?: true;
}

/** Why a name is rejected. Deprecated: still accepted. Upload: a field of the upload response. */
export type RenamedKind = 'deprecated' | 'legacy' | 'foreign' | 'live' | 'upload';

export interface RenamedField {
  readonly kind: RenamedKind;
  /** Dotted path of the replacement; a name alone is beside the old one within an element. Undefined when there is none. */
  readonly successor?: string;
  /** An object whose members belong to the top level of a request. */
  readonly isWrapper?: true;
}

/** A value to be set at a path. */
export type Setting = readonly [path: JsonPath, value: JsonValue];

interface OrderedFields {
  readonly config: string;
  readonly min: string;
  readonly max: string;
}

export interface ModelLimits {
  readonly model: string;
  /** The only languages that it transcribes. */
  readonly languages: readonly string[];
  /** Maximum number of expected languages. */
  readonly maxLanguages: number;
  /** Whether it re-evaluates the language on each utterance. */
  readonly switchesLanguages: boolean;
}

/** A connection's service: detected by origin, none, or one by its id. */
export const serviceChoices = ['auto', 'none', 'gladia'] as const;
export type ServiceChoice = (typeof serviceChoices)[number];
