import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { eachMember, skipValue } from '../../base/json/jsonText.ts';
import { readExactJson, readJsonAt, type JsonBounds } from '../../base/json/readJson.ts';
import type { Job } from './job.ts';

/** Maximum number of members of an item's object that are read; further ones are ignored. */
export const maxItemMembers = 200;

/**
 * Maximum amount of each field of an item that is shown, searched, grouped or given to a model. A service may send any
 * amount; exports and documents contain everything.
 */
const itemBudget: JsonBounds = {
  maxMembers: maxItemMembers,
  maxKeyLength: 200,
  maxTextLength: 20_000,
  maxLength: 100_000,
  maxDepth: 8,
};

/** In characters. A field of this length is within the budget, and parsing it at once is faster. */
const maxSmallField = 1000;
const maxSmallItem = 5000;

/**
 * Returns fields of a job's item within the budget; numbers keep their text. Reads by index: the item is not parsed,
 * and nothing after the last of the fields is read. Of duplicate fields, uses the first.
 */
export function readItemFacts({ raw }: Pick<Job, 'raw'>, names: readonly string[]): JsonObject {
  const facts: Record<string, JsonValue> = {};
  let missing = names.length;
  eachMember(raw, (key, start) => {
    const name = names.find((each) => each === key);
    if (name === undefined || facts[name] !== undefined) return skipValue(raw, start);
    missing--;
    if (raw.length > maxSmallItem) {
      facts[name] = readJsonAt(raw, start, itemBudget);
      return missing === 0 ? undefined : skipValue(raw, start);
    }
    const end = skipValue(raw, start);
    const isSmall = end - start <= maxSmallField;
    facts[name] = isSmall ? readExactJson(raw.slice(start, end)) : readJsonAt(raw, start, itemBudget);
    return missing === 0 ? undefined : end;
  });
  return facts;
}

/** Returns the metadata that the caller attached to a job, within the budget; empty if there is none. */
export function metadataOf(job: Pick<Job, 'raw'>): JsonObject {
  const { custom_metadata: metadata } = readItemFacts(job, ['custom_metadata']);
  return isJsonObject(metadata) ? metadata : {};
}
