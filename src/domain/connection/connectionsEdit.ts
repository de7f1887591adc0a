import type { ConnectionDefaults, ConnectionEntry } from './connectionSetting.ts';
import { isJsonObject } from '../json.ts';

/**
 * The setting `connections` with one entry replaced or added. What is not ours stays as it was written: other entries,
 * usable or not, and further fields of the replaced one. Fields at their default are not written.
 * @param written the setting's present value.
 * @param replaced name of the entry to replace; undefined: add one.
 */
export function withConnection(
  written: readonly unknown[],
  entry: ConnectionEntry,
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

/** The setting `connections` without the entries of a name. */
export function withoutConnection(written: readonly unknown[], name: string): readonly unknown[] {
  return written.filter((each) => !isNamed(each, name));
}

/** By the same reading of names as `checkConnectionName`. */
function isNamed(entry: unknown, name: string): boolean {
  return isJsonObject(entry) && typeof entry['name'] === 'string' && entry['name'].trim().normalize() === name;
}
