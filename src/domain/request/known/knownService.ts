import type { JsonValue } from '../../json/json.ts';
import type { JsonPath } from '../json/jsonPlaces.ts';

/** What is known of one public service where the contract is silent. Plain data: the rules in `rules/service*.ts` read it. */
export interface KnownService {
  /** As a connection's `service` and the command line name it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Origins of its base URLs. */
  readonly origins: readonly string[];
  /** By the dotted path of the field, `*` for elements: `custom_vocabulary_config.vocabulary.*.intensity`. */
  readonly fields: ReadonlyMap<string, FieldFacts>;
  /** Names that it does not take, or will not for long, by their dotted path. */
  readonly renamed: ReadonlyMap<string, RenamedField>;
  /** Pairs of numbers in one object of which the first must not be above the second. */
  readonly ordered: readonly OrderedFields[];
  /** What single models do not do. */
  readonly models: readonly ModelLimits[];
}

/** What a field takes. All of it is optional: nothing is known of the rest. */
export interface FieldFacts {
  /** Bounds of a number. */
  readonly least?: number;
  readonly most?: number;
  /** Only whole numbers: the schema speaks of others. */
  readonly isWhole?: true;
  /** A closed set of texts. */
  readonly values?: readonly string[];
  /** It must be there, and not empty, when the switch of its config is on. */
  readonly isRequired?: true;
  /** Each text holds one thing: several with separators between them are a slip. Terms may have a comma, codes not even a space. */
  readonly single?: 'code' | 'name' | 'term';
  /** Codes of languages. */
  readonly codes?: readonly string[];
  /** Characters that its JSON may have. */
  readonly mostCharacters?: number;
  /** An address that the service calls. */
  readonly isCalled?: true;
}

/** Why a name is not taken. Deprecated: it still is. Upload: it comes from the answer to an upload. */
export type RenamedKind = 'deprecated' | 'legacy' | 'foreign' | 'live' | 'upload';

export interface RenamedField {
  readonly kind: RenamedKind;
  /** The field that people look for now, dotted; undefined when nothing does the same. */
  readonly successor?: string;
  /** What says the same now; undefined when the value makes no sense. Without it the field can only be removed. */
  readonly convert?: (value: JsonValue) => readonly Setting[] | undefined;
}

/** A value to be set at a path. */
export type Setting = readonly [path: JsonPath, value: JsonValue];

export interface OrderedFields {
  readonly config: string;
  readonly least: string;
  readonly most: string;
}

export interface ModelLimits {
  readonly model: string;
  /** The only languages that it transcribes. */
  readonly languages: readonly string[];
  /** How many of them may be expected. */
  readonly mostLanguages: number;
  /** Whether it re-evaluates the language on each utterance. */
  readonly switchesLanguages: boolean;
}

/** What a connection says of its service: found by its origin, none, or one by its id. */
export const serviceChoices = ['auto', 'none', 'gladia'] as const;
export type ServiceChoice = (typeof serviceChoices)[number];
