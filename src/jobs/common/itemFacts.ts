import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { eachMember, skipValue } from '../../base/json/jsonText.ts';
import { readExactJson, readJsonAt, type JsonBounds } from '../../base/json/readJson.ts';
import type { Job } from './job.ts';

/** Members of an object of an item that are read; further ones are left out. */
export const maxItemMembers = 200;

/**
 * What is taken of each field of an item to be shown, searched, grouped or given to a model. A service may send any amount: exports and
 * documents have it all.
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
 * Fields of a job's item within the budget; numbers keep their text. Read by index: the item is not parsed, and nothing behind the last of
 * the fields is looked at. Of duplicate fields the first.
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

/** The metadata that the caller attached to a job, within the budget; empty when there is none. */
export function metadataOf(job: Pick<Job, 'raw'>): JsonObject {
  const { custom_metadata: metadata } = readItemFacts(job, ['custom_metadata']);
  return isJsonObject(metadata) ? metadata : {};
}
