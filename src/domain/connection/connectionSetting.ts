import { t } from '@vscode/l10n';
import { checkBaseUrl } from './baseUrl.ts';
import type { CheckedText } from './checkedText.ts';
import { checkConnectionName } from './connectionName.ts';
import { checkHeaderName } from './headerName.ts';
import { isJsonObject } from '../json.ts';
import { choice, text, unusable, usable, type SettingReading, type SettingShape } from '../settings/settingShape.ts';

/** How several statuses can be written in a query, which contract 4.5 does not show. */
export const arrayFormats = ['repeat', 'comma', 'brackets'] as const;
export type ArrayFormat = (typeof arrayFormats)[number];
/** How the object `custom_metadata` can be written in a query, which contract 4.5 does not show either. */
export const metadataFormats = ['json', 'brackets'] as const;
export type MetadataFormat = (typeof metadataFormats)[number];

/** What a connection may leave unsaid. */
export interface ConnectionDefaults {
  readonly apiKeyHeader: string;
  readonly arrayFormat: ArrayFormat;
  readonly metadataFormat: MetadataFormat;
}

/** An element of the setting `connections`, complete and in normal form. */
export interface ConnectionEntry extends ConnectionDefaults {
  readonly name: string;
  readonly baseUrl: string;
}

/**
 * The defaults of a connection's fields, which the editor does not hand out like those of settings.
 * @param manifest the extension's `package.json`. Throws when it does not declare them.
 */
export function connectionDefaults(manifest: unknown): ConnectionDefaults {
  const path = ['contributes', 'configuration', 'properties', 'transcriptionJobs.connections', 'items', 'properties'];
  const declared = path.reduce(member, manifest);
  const read = <T>(field: string, shape: SettingShape<T>): T => {
    const { value } = shape.read(member(member(declared, field), 'default'));
    if (value === undefined) throw new Error(`package.json declares no default for ${field} of a connection`);
    return value;
  };
  return {
    apiKeyHeader: read('apiKeyHeader', text()),
    arrayFormat: read('arrayFormat', choice(...arrayFormats)),
    metadataFormat: read('metadataFormat', choice(...metadataFormats)),
  };
}

/** The setting `connections`. Entries that cannot be used are left out and said so; of two with one name the first counts. */
export function connectionsShape(defaults: ConnectionDefaults): SettingShape<readonly ConnectionEntry[]> {
  return {
    schema: { type: 'array' },
    read: (value) => {
      if (!Array.isArray(value)) return unusable(t('It must be a list.'));
      const entries: ConnectionEntry[] = [];
      const problems: string[] = [];
      value.forEach((each: unknown, index) => {
        const names = entries.map(({ name }) => name);
        const reading = readEntry(each, defaults, names);
        if (reading.value !== undefined) entries.push(reading.value);
        problems.push(...reading.problems.map((problem) => t('Connection {0}: {1}', index + 1, problem)));
      });
      return { value: entries, problems };
    },
  };
}

/** Whether two connections are alike in everything. */
export function sameConnection(one: ConnectionEntry, other: ConnectionEntry): boolean {
  return (
    one.name === other.name &&
    one.baseUrl === other.baseUrl &&
    one.apiKeyHeader === other.apiKeyHeader &&
    one.arrayFormat === other.arrayFormat &&
    one.metadataFormat === other.metadataFormat
  );
}

function member(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}

function readEntry(
  value: unknown,
  defaults: ConnectionDefaults,
  takenNames: readonly string[],
): SettingReading<ConnectionEntry> {
  if (!isJsonObject(value)) return unusable(t('It must be an object with a name and a base URL.'));
  const field = <T>(key: string, shape: SettingShape<T>, fallback?: T): SettingReading<T> => {
    const reading = !Object.hasOwn(value, key) && fallback !== undefined ? usable(fallback) : shape.read(value[key]);
    return { ...reading, problems: reading.problems.map((problem) => `${key}: ${problem}`) };
  };
  const name = field(
    'name',
    checked((written) => checkConnectionName(written, takenNames)),
  );
  const baseUrl = field('baseUrl', checked(checkBaseUrl));
  const apiKeyHeader = field('apiKeyHeader', checked(checkHeaderName), defaults.apiKeyHeader);
  const arrayFormat = field('arrayFormat', choice(...arrayFormats), defaults.arrayFormat);
  const metadataFormat = field('metadataFormat', choice(...metadataFormats), defaults.metadataFormat);
  const problems = [name, baseUrl, apiKeyHeader, arrayFormat, metadataFormat].flatMap((each) => each.problems);
  if (name.value === undefined || baseUrl.value === undefined || apiKeyHeader.value === undefined) {
    return { value: undefined, problems };
  }
  return {
    value: {
      name: name.value,
      baseUrl: baseUrl.value,
      apiKeyHeader: apiKeyHeader.value,
      arrayFormat: arrayFormat.value ?? defaults.arrayFormat,
      metadataFormat: metadataFormat.value ?? defaults.metadataFormat,
    },
    problems,
  };
}

function checked(check: (written: string) => CheckedText): SettingShape<string> {
  return {
    schema: { type: 'string' },
    read: (value) => {
      if (typeof value !== 'string') return unusable(t('It must be a text.'));
      const result = check(value);
      return result.type === 'good' ? usable(result.text) : unusable(result.problem);
    },
  };
}
