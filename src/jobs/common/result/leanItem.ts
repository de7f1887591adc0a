import { isArray, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import { omitMember, ownText, readMembers } from '../../../base/json/jsonText.ts';
import type { PartRange, SteppedJson } from '../../../base/json/steppedJson.ts';
import { isNamedAddOn, maxOtherAddOns, readAddOns, saysFailure } from './addOns.ts';
import { ownMember } from './resultMembers.ts';

/** In characters. A shorter result is kept, because removing it would save nothing. */
const shortResult = 1000;

/** The measured values that rows, tooltips and tables show. */
const figureNames = ['audio_duration', 'number_of_distinct_channels', 'billing_time', 'transcription_time'] as const;

/** An item's text without most of its result. */
export interface LeanItem {
  /** JSON text of an item whose result has only the measured values and the outcomes of add-ons. */
  readonly raw: string;
  /** The result as received. */
  readonly omitted: string;
}

/** Removes most of an item's result; undefined if it has none. Never throws for JSON text. */
export function makeLeanItem(raw: string): LeanItem | undefined {
  const texts = readMembers(raw).flatMap(({ key, text }) => (key === 'result' ? [text] : []));
  // Of several members with the same name, the last one counts, and the others may be as long.
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const omitted = texts.at(-1) ?? '';
  const result = length > shortResult ? parseJson(omitted) : undefined;
  if (result === undefined) return undefined;
  const { left } = omitMember(raw, 'result');
  const short = isJsonObject(result) ? abridge(result) : shorten(result);
  const lean = `${left.slice(0, left.lastIndexOf('}'))},"result":${JSON.stringify(short)}}`;
  return { raw: ownText(lean), omitted };
}

/** Shortens a result that is not an object to one of the same type. */
function shorten(result: unknown): unknown {
  if (isArray(result)) return [];
  return typeof result === 'string' ? result.slice(0, 1) : result;
}

function abridge(result: JsonObject): JsonObject {
  const metadata = ownMember(result, 'metadata');
  const figures = isJsonObject(metadata)
    ? { metadata: Object.fromEntries(figureNames.flatMap((name) => figureOf(metadata, name))) }
    : {};
  const addOns = readAddOns(result, () => undefined).map(({ name, outcome, reason }): [string, JsonObject] => {
    if (outcome === 'unsaid') return [name, {}];
    return [name, outcome === 'succeeded' ? { success: true } : { success: false, error: { message: reason ?? null } }];
  });
  return { ...figures, ...Object.fromEntries(addOns) };
}

function figureOf(metadata: JsonObject, name: string): [string, JsonValue][] {
  const value = ownMember(metadata, name);
  return typeof value === 'number' ? [[name, value]] : [];
}

/**
 * Budget of a large item's lean text, in characters, so that it can be parsed anywhere: for `custom_metadata`, for each
 * other object, for each other value, and for all fields together that are not in the contract.
 */
const largeItemBudget = { metadata: 128 * 1024, object: 32 * 1024, value: 8 * 1024, unknown: 32 * 1024 } as const;
/** Maximum number of failed parts of one result whose reasons are kept; more are never shown. */
const maxFailedParts = 100;

/** The fields of contract 2.2, and `file`, which rows read. The number is the budget for an object. */
const itemFields: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['id', 'request_id', 'version', 'status', 'created_at', 'completed_at', 'kind', 'error_code'].map((name) => [
      name,
      0,
    ]),
  ),
  custom_metadata: largeItemBudget.metadata,
  post_session_metadata: largeItemBudget.object,
  request_params: largeItemBudget.object,
  file: largeItemBudget.object,
};

/** The lean text of a large item, and the number of characters of its result. */
export interface LargeItem {
  readonly raw: string;
  readonly resultCharacters: number;
  /** Fields that exceeded the budget. */
  readonly cutFields: readonly string[];
}

/**
 * Returns the same for an item that is too large to be parsed at once: found by index, in steps. Keeps the first
 * members of objects that exceed the budget, and empties other values that exceed it. The removed parts need not be
 * valid JSON.
 * @param start index where the item begins
 */
export function* makeLeanLargeItem(json: SteppedJson, start: number): Generator<undefined, LargeItem> {
  // Of duplicate keys, the last one counts, as for `JSON.parse`.
  const kept = new Map<string, string>();
  const cutFields = new Set<string>();
  let unknown = 0;
  let result: PartRange | undefined;
  for (const member of json.members(start)) {
    if (member === undefined) {
      yield;
      continue;
    }
    const { key } = member;
    const length = member.end - member.start;
    if (key === 'result') result = member;
    else if (Object.hasOwn(itemFields, key)) {
      const objectBudget = itemFields[key] ?? 0;
      const value = yield* cutValue(json, member, objectBudget);
      kept.set(key, value);
      // Rows show no more of the other fields.
      if (objectBudget > 0 && value.length < length) cutFields.add(key);
      else cutFields.delete(key);
    } else if (unknown + key.length + length <= largeItemBudget.unknown) {
      unknown += key.length + length;
      kept.set(key, json.text.slice(member.start, member.end));
    }
  }
  if (result !== undefined) kept.set('result', yield* abridgeLarge(json, result));
  const resultCharacters = result === undefined ? 0 : result.end - result.start;
  return { raw: objectText(kept), resultCharacters, cutFields: [...cutFields] };
}

/** Returns a value's text within the budget: an object's first members, or another value unchanged or empty. */
function* cutValue(json: SteppedJson, { start, end }: PartRange, objectBudget: number): Generator<undefined, string> {
  const { text } = json;
  const isObject = text[start] === '{';
  if (end - start <= (isObject ? objectBudget : largeItemBudget.value)) return text.slice(start, end);
  if (!isObject) return emptyValue(text[start]);
  const kept = new Map<string, string>();
  let left = objectBudget;
  for (const member of json.members(start)) {
    if (member === undefined) yield;
    else if ((left -= member.key.length + member.end - member.start + 4) < 0) break;
    else kept.set(member.key, text.slice(member.start, member.end));
  }
  return objectText(kept);
}

/** Returns the text of an empty value of the same type; null for a number. */
function emptyValue(first: string | undefined): string {
  if (first === '[') return '[]';
  return first === '"' ? '""' : 'null';
}

/** Returns a result's figures, and the outcomes of its add-ons. */
function* abridgeLarge(json: SteppedJson, { start, end }: PartRange): Generator<undefined, string> {
  const { text } = json;
  if (end - start <= shortResult) return text.slice(start, end);
  if (text[start] !== '{') return emptyValue(text[start]);
  const kept = new Map<string, string>();
  let others = 0;
  for (const member of json.members(start)) {
    if (member === undefined) {
      yield;
      continue;
    }
    const { key } = member;
    if (key === 'metadata') kept.set(key, yield* pickMembers(json, member, figureNames));
    else if (key === 'transcription') {
      const parts = yield* pickRanges(json, member, ['sentences', 'subtitles']);
      const outcomes = new Map<string, string>();
      for (const [name, part] of parts) outcomes.set(name, yield* outcomesOf(json, part));
      kept.set(key, objectText(outcomes));
    } else if (isNamedAddOn(key) || others < maxOtherAddOns) {
      const outcomes = yield* outcomesOf(json, member);
      if (!isNamedAddOn(key) && outcomes === '{}') continue;
      if (!isNamedAddOn(key)) others++;
      kept.set(key, outcomes);
    }
  }
  const result: unknown = parseJson(objectText(kept));
  return JSON.stringify(isJsonObject(result) ? abridge(result) : {});
}

/** Returns the outcomes of an add-on, or of each of its parts. Keeps only the parts that failed. */
function* outcomesOf(json: SteppedJson, range: PartRange): Generator<undefined, string> {
  const first = json.text[range.start];
  if (first === '[') return yield* failedParts(json, range);
  if (first !== '{') return yield* cutValue(json, range, 0);
  const ranges = yield* pickRanges(json, range, ['success', 'error', 'results']);
  const kept = new Map<string, string>();
  for (const [name, part] of ranges) {
    if (name !== 'results') kept.set(name, yield* cutValue(json, part, largeItemBudget.value));
    else if (json.text[part.start] === '[') kept.set(name, yield* failedParts(json, part));
  }
  return objectText(kept);
}

function* failedParts(json: SteppedJson, range: PartRange): Generator<undefined, string> {
  const failed: string[] = [];
  for (const element of json.elements(range.start)) {
    if (element === undefined) {
      yield;
      continue;
    }
    if (failed.length === maxFailedParts) break;
    const outcome = yield* pickMembers(json, element, ['success', 'error']);
    const part = outcome === '{}' ? undefined : parseJson(outcome);
    if (isJsonObject(part) && saysFailure(part)) failed.push(outcome);
  }
  return `[${failed.join(',')}]`;
}

/** Returns an object's members with these names; `{}` for another value. */
function* pickMembers(json: SteppedJson, holder: PartRange, names: readonly string[]): Generator<undefined, string> {
  const kept = new Map<string, string>();
  for (const [name, range] of yield* pickRanges(json, holder, names))
    kept.set(name, yield* cutValue(json, range, largeItemBudget.value));
  return objectText(kept);
}

function* pickRanges(
  json: SteppedJson,
  { start }: PartRange,
  names: readonly string[],
): Generator<undefined, ReadonlyMap<string, PartRange>> {
  const found = new Map<string, PartRange>();
  for (const member of json.members(start)) {
    if (member === undefined) yield;
    else if (names.includes(member.key)) found.set(member.key, member);
  }
  return found;
}

/** Returns the members as a new text, so that it does not share the memory of the page. */
function objectText(members: ReadonlyMap<string, string>): string {
  return ['{', [...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(','), '}'].join('');
}
