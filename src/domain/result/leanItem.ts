import { isArray, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../json/json.ts';
import { omitMember, ownText, readMembers } from '../json/jsonText.ts';
import { readAddOns } from './addOns.ts';
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
