import { parseJson } from './json.ts';
import type { PartRange, SteppedJson } from './steppedJson.ts';

/** In characters. Parts of this length are parsed at once. */
export const parsedCharacters = 64 * 1024;

/** Levels of a long value that are read in steps. Long values below them are omitted. */
const maxLevels = 4;

/**
 * Parses a value of any length in steps, between which the caller can yield to the event loop. Undefined if it is not
 * valid JSON.
 */
export function* parseInSteps(json: SteppedJson, range: PartRange, level = 0): Generator<undefined, unknown> {
  const { text } = json;
  const { start, end } = range;
  const isNested = text[start] === '{' || text[start] === '[';
  if (end - start <= parsedCharacters || !isNested) return parseJson(text.slice(start, end));
  if (level === maxLevels) return undefined;
  if (text[start] === '[') {
    const elements: unknown[] = [];
    for (const batch of elementBatches(json, range)) {
      if (batch === undefined) yield;
      else if (batch.isLong) elements.push(yield* parseInSteps(json, batch, level + 1));
      else for (const element of parseBatch(text, batch)) elements.push(element);
    }
    return elements;
  }
  const members: [string, unknown][] = [];
  for (const member of json.members(start)) {
    if (member === undefined) yield;
    else members.push([member.key, yield* parseInSteps(json, member, level + 1)]);
  }
  return Object.fromEntries(members);
}

/** Several elements of an array, or one long element. */
interface ElementBatch extends PartRange {
  readonly isLong: boolean;
}

/**
 * Yields the elements of an array in batches of about {@link parsedCharacters}; yields undefined where the caller can
 * yield to the event loop.
 */
export function* elementBatches(json: SteppedJson, { start }: PartRange): Generator<ElementBatch | undefined, void> {
  let batch: { start: number; end: number } | undefined;
  for (const element of json.elements(start)) {
    if (element === undefined) {
      yield;
      continue;
    }
    const isLong = element.end - element.start > parsedCharacters;
    if (batch !== undefined && (isLong || element.end - batch.start > parsedCharacters)) {
      yield { ...batch, isLong: false };
      yield;
      batch = undefined;
    }
    if (isLong) yield { ...element, isLong };
    else if (batch === undefined) batch = { ...element };
    else batch.end = element.end;
  }
  if (batch !== undefined) yield { ...batch, isLong: false };
}

/** Returns the elements of a batch; none if they are not valid JSON. */
export function parseBatch(text: string, { start, end }: PartRange): readonly unknown[] {
  const elements = parseJson(`[${text.slice(start, end)}]`);
  return Array.isArray(elements) ? elements : [];
}
