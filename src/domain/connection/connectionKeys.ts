import { isJsonObject, parsedJson } from '../json.ts';

/** Origin → key, as one secret holds them. A secret that is not what we wrote has no keys: the user is asked again. */
export function decodeStoredKeys(secret: string | undefined): Map<string, string> {
  const value = parsedJson(secret ?? '{}');
  if (!isJsonObject(value)) return new Map();
  return new Map(Object.entries(value).flatMap(([origin, key]) => (typeof key === 'string' ? [[origin, key]] : [])));
}
