import { isArray, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import { omitMember, ownText, readMembers } from '../../../base/json/jsonText.ts';
import type { PartRange, SteppedJson } from '../../../base/json/steppedJson.ts';
import { isNamedAddOn, maxOtherAddOns, readAddOns, saysFailure } from './addOns.ts';
import { ownMember } from './resultMembers.ts';

/** In characters. A shorter result stays: leaving it out would save nothing. */
const shortResult = 1000;

/** What rows, tooltips and tables show of the measured values. */
const figureNames = ['audio_duration', 'number_of_distinct_channels', 'billing_time', 'transcription_time'] as const;

/** An item's text without the bulk of its result. */
export interface LeanItem {
  /** JSON text of an item that has only the measured values of its result, and which add-ons succeeded or failed. */
  readonly raw: string;
  /** The result as received. */
  readonly omitted: string;
}

/** Leaves out the bulk of an item's result; undefined where there is none. Never throws for JSON text. */
export function makeLeanItem(raw: string): LeanItem | undefined {
  const texts = readMembers(raw).flatMap(({ key, text }) => (key === 'result' ? [text] : []));
  // Of several members of one name the last one counts, and the others are as long.
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const omitted = texts.at(-1) ?? '';
  const result = length > shortResult ? parseJson(omitted) : undefined;
  if (result === undefined) return undefined;
  const { left } = omitMember(raw, 'result');
  const short = isJsonObject(result) ? abridge(result) : shorten(result);
  const lean = `${left.slice(0, left.lastIndexOf('}'))},"result":${JSON.stringify(short)}}`;
  return { raw: ownText(lean), omitted };
}

/** A result that is no object, shortened to one of the same type. */
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
 * Budget of a large item's lean text, in characters, so that it can be parsed anywhere: of the fields that hold objects, of each other value,
 * and of the fields that the contract does not name, together.
 */
const largeItemBudget = { metadata: 128 * 1024, object: 32 * 1024, value: 8 * 1024, unknown: 32 * 1024 } as const;
/** Failed parts of one result whose reasons are kept; more are never shown. */
const maxFailedParts = 100;

/** The fields of contract 2.2, and `file`, which rows read; a number is what is kept of an object. */
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

/** The lean text of a large item, and how many characters its result has. */
export interface LargeItem {
  readonly raw: string;
  readonly resultCharacters: number;
  /** Fields that were beyond the budget. */
  readonly cutFields: readonly string[];
}

/**
 * The same for an item that is too large to be parsed at once: found by index, in steps. Of objects beyond the budget the first members stay,
 * and other values beyond it become empty. What is left out need not be valid JSON.
 * @param start where the item begins
 */
export function* makeLeanLargeItem(json: SteppedJson, start: number): Generator<undefined, LargeItem> {
  // Of duplicate keys the last one counts, as for `JSON.parse`.
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
      // Of the other fields no row shows more.
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

/** A value's text within the budget: an object's first members, another value as it is or empty. */
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

/** The text of an empty value of the same type; null for a number. */
function emptyValue(first: string | undefined): string {
  if (first === '[') return '[]';
  return first === '"' ? '""' : 'null';
}

/** A result's figures, and which add-ons succeeded or failed. */
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

/** What an add-on, or each of its parts, says of its success. Of parts only those stay that say they failed. */
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

/** An object's members of these names; `{}` for another value. */
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

/** Joined, so that it does not share the memory of the page. */
function objectText(members: ReadonlyMap<string, string>): string {
  return ['{', [...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(','), '}'].join('');
}
