import { t } from '@vscode/l10n';
import {
  checkBaseUrl,
  checkConnectionName,
  checkHeaderName,
  sampleName,
  originOf,
  checkApiKey,
} from './connectionInput.ts';
import type { CheckedText } from '../../base/checkedText.ts';
import { isJsonObject, parseJson } from '../../base/json/json.ts';
import { serviceChoices, type ServiceChoice } from '../../known/knownService.ts';
import {
  anyListSetting,
  choiceSetting,
  integerSetting,
  refinedSetting,
  textSetting,
  unusable,
  usable,
  type SettingReading,
  type SettingShape,
} from '../../base/decode/settingShape.ts';

/** Query encodings of several statuses; contract 4.5 does not specify one. */
export const arrayFormats = ['repeat', 'comma', 'brackets'] as const;
export type ArrayFormat = (typeof arrayFormats)[number];
/** Query encodings of the object `custom_metadata`; contract 4.5 does not specify one either. */
export const metadataFormats = ['json', 'brackets'] as const;
export type MetadataFormat = (typeof metadataFormats)[number];
/** The list endpoints to request: one per kind (contract 4.1, 4.2) or the deprecated one for all kinds (contract 4.3). */
const listSources = ['byKind', 'combined'] as const;
export type ListSource = (typeof listSources)[number];

/** Optional fields of a connection. */
export interface ConnectionDefaults {
  /** Lower-case header name; `x-service-key` unless configured otherwise (contract 5). */
  readonly apiKeyHeader: string;
  readonly arrayFormat: ArrayFormat;
  readonly metadataFormat: MetadataFormat;
  /** Jobs per request. No maximum is specified (contract 8). */
  readonly limit: number;
  readonly listSource: ListSource;
  /** Includes retries and the delays between them. */
  readonly timeoutSeconds: number;
}

/** The shapes of the optional fields. */
const fieldShapes: { readonly [F in keyof ConnectionDefaults]: SettingShape<ConnectionDefaults[F]> } = {
  apiKeyHeader: checkedSetting(checkHeaderName),
  arrayFormat: choiceSetting(...arrayFormats),
  metadataFormat: choiceSetting(...metadataFormats),
  limit: integerSetting(1),
  listSource: choiceSetting(...listSources),
  timeoutSeconds: integerSetting(1, 600),
};

function readFields(read: <F extends keyof ConnectionDefaults>(field: F) => ConnectionDefaults[F]): ConnectionDefaults {
  return {
    apiKeyHeader: read('apiKeyHeader'),
    arrayFormat: read('arrayFormat'),
    metadataFormat: read('metadataFormat'),
    limit: read('limit'),
    listSource: read('listSource'),
    timeoutSeconds: read('timeoutSeconds'),
  };
}

/** An element of the setting `connections`, complete and normalized. */
export interface Connection extends ConnectionDefaults {
  readonly name: string;
  /** Absolute http(s) URL without credentials, query, fragment or trailing slash. */
  readonly baseUrl: string;
  /** The public service; derived from the URL if omitted. */
  readonly service?: ServiceChoice;
}

/**
 * Reads the defaults of a connection's fields from the manifest, because the editor does not supply defaults of nested fields.
 * @param manifest the extension's `package.json`. Throws when it does not declare them.
 */
export function readConnectionDefaults(manifest: unknown): ConnectionDefaults {
  const sections = ['contributes', 'configuration'].reduce(member, manifest);
  const path = ['properties', 'transcriptionJobs.connections', 'items', 'properties'];
  const declared = (Array.isArray(sections) ? sections : [])
    .map((section: unknown) => path.reduce(member, section))
    .find((fields) => fields !== undefined);
  return readFields((field) => {
    const { value } = fieldShapes[field].read(member(member(declared, field), 'default'));
    if (value === undefined) throw new Error(`package.json declares no default for ${field} of a connection`);
    return value;
  });
}

/**
 * Builds the shape of the setting `connections`. Invalid entries are skipped and reported. Of two entries with the same
 * name, the first is used.
 */
export function buildConnectionsShape(defaults: ConnectionDefaults): SettingShape<readonly Connection[]> {
  return refinedSetting(anyListSetting(), (written) => {
    const entries: Connection[] = [];
    const problems: string[] = [];
    written.forEach((each, index) => {
      const names = entries.map(({ name }) => name);
      const reading = readEntry(each, defaults, names);
      if (reading.value !== undefined) entries.push(reading.value);
      problems.push(...reading.problems.map((problem) => t('Connection {0}: {1}', index + 1, problem)));
    });
    return { value: entries, problems };
  });
}

/**
 * True if two connections are equal in every field. Both must be read by {@link buildConnectionsShape}, which orders
 * the fields.
 */
export function sameConnection(one: Connection, other: Connection): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function member(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}

function readEntry(
  value: unknown,
  defaults: ConnectionDefaults,
  takenNames: readonly string[],
): SettingReading<Connection> {
  if (!isJsonObject(value)) return unusable(t('It must be an object with a name and a base URL.'));
  const problems: string[] = [];
  const field = <T>(key: string, shape: SettingShape<T>): T | undefined => {
    const reading = shape.read(value[key]);
    problems.push(...reading.problems.map((problem) => `${key}: ${problem}`));
    return reading.value;
  };
  const name = field(
    'name',
    checkedSetting((written) => checkConnectionName(written, takenNames)),
  );
  const baseUrl = field('baseUrl', checkedSetting(checkBaseUrl));
  let hasUsableHeader = true;
  const fields = readFields((key) => {
    const read = Object.hasOwn(value, key) ? field(key, fieldShapes[key]) : defaults[key];
    if (key === 'apiKeyHeader') hasUsableHeader = read !== undefined;
    return read ?? defaults[key];
  });
  const service = Object.hasOwn(value, 'service') ? field('service', choiceSetting(...serviceChoices)) : undefined;
  // A key is sent only in the configured header.
  if (name === undefined || baseUrl === undefined || !hasUsableHeader) return { value: undefined, problems };
  return {
    value: { name, baseUrl, ...fields, ...(service !== undefined && service !== 'auto' && { service }) },
    problems,
  };
}

function checkedSetting(check: (written: string) => CheckedText): SettingShape<string> {
  return refinedSetting(textSetting(), (written) => {
    const result = check(written);
    return result.type === 'good' ? usable(result.text) : unusable(result.problem);
  });
}

/** Result of resolving the setting `connection`. */
export type ConnectionChoice<C> =
  | { readonly type: 'none' }
  | { readonly type: 'sample' }
  | { readonly type: 'found'; readonly connection: C }
  /** The setting names a connection that does not exist. */
  | { readonly type: 'unknown'; readonly name: string };

/** Returns the selected connection by its name. */
export function chooseConnection<C extends { readonly name: string }>(
  chosen: string,
  connections: readonly C[],
): ConnectionChoice<C> {
  const name = chosen.trim();
  if (name === '') return { type: 'none' };
  if (name === sampleName) return { type: 'sample' };
  const connection = connections.find((each) => each.name === name);
  return connection === undefined ? { type: 'unknown', name } : { type: 'found', connection };
}

/**
 * Returns the setting `connections` with one entry replaced or added. Everything else is preserved as written: other
 * entries, valid or not, and unknown fields of the replaced one. Fields equal to their default are omitted.
 * @param written the setting's present value.
 * @param replaced name of the entry to replace; undefined: add one.
 */
export function withConnection(
  written: readonly unknown[],
  entry: Connection,
  replaced: string | undefined,
  defaults: ConnectionDefaults,
): readonly unknown[] {
  const index = written.findIndex((each) => replaced !== undefined && isNamed(each, replaced));
  const before = index === -1 ? {} : written[index];
  const fields = { ...(isJsonObject(before) ? before : {}), ...entry };
  const after = Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => !Object.entries(defaults).some(([f, v]) => f === field && v === value),
    ),
  );
  return index === -1 ? [...written, after] : written.with(index, after);
}

/** Returns the setting `connections` without the entries of this name. */
export function withoutConnection(written: readonly unknown[], name: string): readonly unknown[] {
  return written.filter((each) => !isNamed(each, name));
}

/** Normalizes names in the same way as `checkConnectionName`. */
function isNamed(entry: unknown, name: string): boolean {
  return isJsonObject(entry) && typeof entry['name'] === 'string' && entry['name'].trim().normalize() === name;
}

/** Returns the keys by origin, as stored in one secret. An invalid secret yields no keys, so that the user is prompted again. */
export function decodeStoredKeys(secret: string | undefined): Map<string, string> {
  const value = parseJson(secret ?? '{}');
  if (!isJsonObject(value)) return new Map();
  return new Map(Object.entries(value).flatMap(([origin, key]) => (typeof key === 'string' ? [[origin, key]] : [])));
}

/** The two environment variables that supply a key for one origin. */
export const keyVariable = 'TRANSCRIPTION_API_KEY';
const baseUrlVariable = 'TRANSCRIPTION_BASE_URL';

/** A key from the environment and the only origin it may be sent to. */
export interface EnvironmentKey {
  readonly origin: string;
  readonly key: string;
}

/** Reads both variables; undefined unless both are set and valid. A key without an origin is not used. */
export function readEnvironmentKey(
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentKey | undefined {
  const origin = originOf(environment[baseUrlVariable]?.trim() ?? '');
  const key = checkApiKey(environment[keyVariable] ?? '');
  // `URL.origin` is the string `null` for schemes without an origin.
  return key.type === 'good' && origin !== '' && origin !== 'null' ? { origin, key: key.text } : undefined;
}

/**
 * The only source of keys: called for each request, for the connection's own origin only. Returns undefined when there is no
 * key.
 */
export type KeySource = (connection: Connection) => Promise<string | undefined>;
