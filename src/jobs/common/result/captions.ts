import { integer, text } from '../../../base/decode/decoder.ts';
import { readShape } from '../../../base/decode/readShape.ts';
import { isJsonObject } from '../../../base/json/json.ts';
import { speakerKey, type SpeakerNames } from './speakerNames.ts';
import { piecesOf } from './linePieces.ts';
import { mayBeginRow, unitsOf, type TextUnit, type UnitEnd } from './textUnits.ts';
import type { SpokenWord, Utterance } from './transcript.ts';

/** The rows shown between two positions in the audio. */
export interface Caption {
  readonly startMs: number;
  readonly endMs: number;
  readonly rows: readonly string[];
  /** The name that the user gave the speaker. */
  readonly voice?: string | undefined;
}

/** Limits of captions, as a request may set them. */
export interface SubtitleLimits {
  readonly maxColumns: number;
  readonly maxRows: number;
  /** Maximum reading speed, where time allows. */
  readonly columnsPerSecond: number;
}

/** Recommended limits (contract 8), and the reading speed for adults. */
export const usualLimits: SubtitleLimits = { maxColumns: 42, maxRows: 2, columnsPerSecond: 20 };
/** The reading speed of the stricter style (contract 2.4). */
const strictColumnsPerSecond = 17;
/** Limits that a request may set. Others are ignored. */
const [minColumns, maxColumnsAllowed, maxRowsAllowed] = [10, 200, 10];

const configShape = {
  maximum_characters_per_row: integer(),
  maximum_rows_per_caption: integer(),
  style: text,
} as const;

/** Returns the limits in the `subtitles_config` of a request (contract 2.4); the usual ones for all that it doesn't set. */
export function readSubtitleLimits(config: unknown): SubtitleLimits {
  const {
    maximum_characters_per_row: columns = 0,
    maximum_rows_per_caption: rows = 0,
    style,
  } = readShape(isJsonObject(config) ? config : {}, configShape, '', () => undefined);
  return {
    maxColumns: columns >= minColumns && columns <= maxColumnsAllowed ? columns : usualLimits.maxColumns,
    maxRows: rows >= 1 && rows <= maxRowsAllowed ? rows : usualLimits.maxRows,
    columnsPerSecond: style === 'compliance' ? strictColumnsPerSecond : usualLimits.columnsPerSecond,
  };
}

/** Minimum and maximum time in milliseconds that a caption is shown, where speech allows. */
export const minShownMs = 833;
const maxShownMs = 7000;
/** A pause in milliseconds that no caption spans, and one that is as good as the end of a clause. */
const maxPauseMs = 1000;
const clausePauseMs = 300;
/** Maximum time in milliseconds that a caption waits for the end of another one, where speakers talk at once. */
const maxDelayMs = 1500;
/** Maximum time in milliseconds that words may exceed their utterance, because services round. */
const toleratedMs = 1000;
/** Number of items that are processed in one step. */
const stepItems = 500;
/** In characters: half an hour of speech. Longer utterances are processed in parts, because each character takes much memory. */
const maxUtteranceLength = 20_000;
/** Maximum number of units whose captions are chosen together. */
const maxRunUnits = 5000;

/** A unit with the time in which it is spoken, in milliseconds. */
interface TimedUnit extends TextUnit {
  readonly startMs: number;
  readonly endMs: number;
  /** True for the last unit of an utterance. */
  readonly endsUtterance: boolean;
}

/** Speech of one speaker without long pauses. */
interface Run {
  readonly units: TimedUnit[];
  readonly speaker: string | undefined;
  readonly voice: string | undefined;
}

/** A caption before its time of display is known. */
interface SpokenCaption extends Caption {
  readonly columns: number;
}

/** Options of captions. */
export interface CaptionOptions {
  readonly limits: SubtitleLimits;
  /** Names that the user gave the speakers. */
  readonly names?: SpeakerNames | undefined;
  /** True if a caption begins with the name when the speaker changes. */
  readonly withNames?: boolean;
}

/** Returns the start of an utterance: as sent by the service, or that of its first word. */
export function startOf({ startMs, words }: Utterance): number | undefined {
  return startMs ?? words[0]?.startMs;
}

/**
 * Returns captions of the utterances that have a time, in order and without overlap. They break at sentences, clauses
 * and pauses where possible, at the times of words where the service sends them, otherwise in proportion to the text.
 */
export function* makeCaptions(
  utterances: readonly Utterance[],
  options: CaptionOptions,
): Generator<undefined, readonly Caption[]> {
  const spoken: SpokenCaption[] = [];
  let last: Run | undefined;
  for (const run of eachRun(utterances, options)) {
    yield;
    if (run === undefined) continue;
    if (last !== undefined) yield* splitRun(last, run.units[0]?.startMs ?? 0, options.limits, spoken);
    last = run;
  }
  if (last !== undefined) yield* splitRun(last, Number.POSITIVE_INFINITY, options.limits, spoken);
  return yield* placeCaptions(yield* sortByStart(spoken), options.limits);
}

/** An utterance with its times. */
interface TimedUtterance {
  readonly utterance: Utterance;
  readonly startMs: number;
  readonly endMs: number | undefined;
  /** True for a part of an utterance after its first one. */
  readonly isContinued: boolean;
}

/** Yields runs, and undefined between steps. */
function* eachRun(
  utterances: readonly Utterance[],
  { limits, names, withNames = false }: CaptionOptions,
): Generator<Run | undefined, void> {
  const timed: TimedUtterance[] = [];
  for (const utterance of utterances) {
    const startMs = startOf(utterance);
    const endMs = utterance.endMs ?? (utterance.startMs === undefined ? utterance.words.at(-1)?.endMs : undefined);
    if (startMs !== undefined) yield* splitLong({ utterance, startMs, endMs, isContinued: false }, limits, timed);
  }
  yield;
  const hasChannels = utterances.some(({ channel }) => channel !== utterances[0]?.channel);
  const sorted = yield* sortByStart(timed);
  let run: Run | undefined;
  for (const [index, each] of sorted.entries()) {
    const { speaker: number, channel } = each.utterance;
    const speaker = speakerKey({ speaker: number, channel: hasChannels ? channel : undefined });
    const voice = speaker === undefined ? undefined : names?.get(speaker);
    const units: TextUnit[] = [];
    for (const list of unitsOf(each.utterance.text, limits.maxColumns)) {
      for (const unit of list) units.push(unit);
      yield;
    }
    const nextMs = sorted[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const placed = yield* placeUnits(units, each, nextMs, limits);
    if (withNames && voice !== undefined && run?.speaker !== speaker) {
      const atMs = placed[0]?.startMs ?? each.startMs;
      const label = [...unitsOf(`${voice}:`, limits.maxColumns)].flat();
      placed.unshift(
        ...label.map((unit, place) => ({
          ...unit,
          isSpaced: unit.isSpaced || place === 0,
          end: 'part' as const,
          startMs: atMs,
          endMs: atMs,
          endsUtterance: false,
        })),
      );
    }
    for (const [place, unit] of placed.entries()) {
      const last = run?.units.at(-1);
      const follows =
        run !== undefined &&
        run.speaker === speaker &&
        (place > 0 || (!each.isContinued && run.units.length < maxRunUnits)) &&
        last !== undefined &&
        // No second row begins with what an utterance must not begin with.
        (place > 0 || mayBeginRow(unit.text)) &&
        unit.startMs >= last.endMs &&
        unit.startMs - last.endMs < maxPauseMs;
      if (!follows || run === undefined) {
        if (run !== undefined) yield run;
        run = { units: [], speaker, voice };
      }
      run.units.push(unit);
    }
  }
  yield run;
}

/**
 * Splits an utterance that is too long into parts with the times of their words, or a share of its time.
 * @param parts receives the parts, or the utterance
 */
function* splitLong(
  whole: TimedUtterance,
  limits: SubtitleLimits,
  parts: TimedUtterance[],
): Generator<undefined, void> {
  const { utterance, startMs } = whole;
  const { text } = utterance;
  if (text.length <= maxUtteranceLength) return void parts.push(whole);
  const endMs = whole.endMs ?? startMs + requiredMs(text.length, limits);
  const pieces: { readonly text: string; readonly before: number; readonly after: number }[] = [];
  let letters = 0;
  for (const piece of piecesOf(text, maxUtteranceLength)) {
    const before = letters;
    letters += lettersOf(piece);
    pieces.push({ text: piece, before, after: letters });
    yield;
  }
  const words = isWithin(utterance.words, startMs, endMs) ? utterance.words : [];
  const timeline = makeTimeline(words);
  const shareMs = (endMs - startMs) / Math.max(1, letters);
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    yield;
    const pieceStart = timeline?.startAt(piece.before / letters) ?? startMs + piece.before * shareMs;
    const pieceEnd = timeline?.endAt(piece.after / letters) ?? startMs + piece.after * shareMs;
    let until = from;
    while (until < words.length && (words[until]?.startMs ?? 0) < pieceEnd) until++;
    const part = { ...utterance, text: piece.text, words: words.slice(from, until) };
    from = until;
    parts.push({
      utterance: part,
      startMs: pieceStart,
      endMs: Math.max(pieceStart, pieceEnd),
      isContinued: index > 0,
    });
  }
}

function lettersOf(text: string): number {
  return text.replaceAll(/\s/g, '').length;
}

/** Returns the units with the times of their words, or a share of the utterance's time in proportion to their length. */
function* placeUnits(
  units: readonly TextUnit[],
  { utterance, startMs, endMs }: TimedUtterance,
  nextMs: number,
  limits: SubtitleLimits,
): Generator<undefined, TimedUnit[]> {
  let [letters, columns] = [0, 0];
  for (const unit of units) {
    letters += unit.letters;
    columns += unit.columns;
  }
  const lastMs = endMs ?? Math.min(startMs + requiredMs(columns, limits), Math.max(nextMs, startMs));
  const words = isWithin(utterance.words, startMs, lastMs) ? utterance.words : [];
  const timeline = makeTimeline(words) ?? makeTimeline([{ text: utterance.text, startMs, endMs: lastMs }]);
  const placed: TimedUnit[] = [];
  let before = 0;
  let last: (TimedUnit & { endMs: number }) | undefined;
  for (const [index, unit] of units.entries()) {
    if (index % stepItems === stepItems - 1) yield;
    const from = before / letters;
    before += unit.letters;
    const unitStart = Math.max(last?.startMs ?? 0, Math.round(timeline?.startAt(from) ?? startMs));
    const unitEnd = Math.max(unitStart, Math.round(timeline?.endAt(before / letters) ?? lastMs));
    // Words may overlap; speech of one speaker doesn't.
    if (last !== undefined) last.endMs = Math.min(last.endMs, unitStart);
    last = {
      ...unit,
      startMs: unitStart,
      endMs: unitEnd,
      isSpaced: unit.isSpaced || index === 0,
      endsUtterance: index === units.length - 1,
    };
    placed.push(last);
  }
  return placed;
}

/** True if all words are within the utterance. Otherwise their times are wrong, or its own. */
function isWithin(words: readonly SpokenWord[], startMs: number, endMs: number): boolean {
  return words.every((word) => word.startMs >= startMs - toleratedMs && word.endMs <= endMs + toleratedMs);
}

/** The times of words by their share of the letters, from 0 to 1: punctuation may differ between words and text. */
interface Timeline {
  /** Both only move forward. */
  startAt(share: number): number;
  endAt(share: number): number;
}

/** Returns undefined if there are no words. Within a word, time passes in proportion to its letters. */
function makeTimeline(words: readonly SpokenWord[]): Timeline | undefined {
  const ends: number[] = [];
  for (const { text } of words) ends.push((ends.at(-1) ?? 0) + lettersOf(text));
  const whole = ends.at(-1) ?? 0;
  if (whole === 0) return undefined;
  const timeWithin = (index: number, letter: number): number => {
    const word = words[index];
    const first = ends[index - 1] ?? 0;
    const count = (ends[index] ?? whole) - first;
    const { startMs = 0, endMs = 0 } = word ?? {};
    const share =
      Math.abs(letter - first) <= 0.5 ? 0 : Math.abs(letter - first - count) <= 0.5 ? 1 : (letter - first) / count;
    return startMs + (endMs - startMs) * share;
  };
  let [start, end] = [0, 0];
  // Shares are rounded, so half a letter must not select another word.
  const advance = (index: number, letter: number): number => {
    let at = index;
    while (at < ends.length - 1 && (ends[at] ?? whole) <= letter) at++;
    return at;
  };
  return {
    startAt: (share) => timeWithin((start = advance(start, share * whole + 0.5)), share * whole),
    endAt: (share) => {
      end = advance(end, share * whole - 0.5);
      const first = ends[end - 1] ?? 0;
      // Less than half a letter of a word is its whole end.
      return share * whole - first <= 0.5 ? (words[end]?.endMs ?? 0) : timeWithin(end, share * whole);
    },
  };
}

/** The price of ending a caption, or a row, within speech. */
const captionPrice: Readonly<Record<UnitEnd, number>> = { sentence: 0, clause: 15, word: 45, part: 80 };
const rowPrice: Readonly<Record<UnitEnd, number>> = { sentence: 0, clause: 4, word: 12, part: 40 };

/** Share of the columns of a caption from which there is little choice where its rows break. */
const fullShare = 0.9;

/**
 * Splits the speech of a run into captions, such that the sum of their prices is minimal.
 * @param nextRunMs when the next run begins
 * @param captions receives the captions
 */
function* splitRun(
  { units, voice }: Run,
  nextRunMs: number,
  limits: SubtitleLimits,
  captions: SpokenCaption[],
): Generator<undefined, void> {
  const nextMs = Math.max(nextRunMs, units.at(-1)?.endMs ?? 0);
  /** For each unit, the minimum price of all captions before it, and the first unit of the last of them. */
  const prices = [0];
  const firsts = [0];
  for (let first = 0; first < units.length; first++) {
    if (first % stepItems === stepItems - 1) yield;
    const before = prices[first] ?? Number.POSITIVE_INFINITY;
    const fit = new RowFiller(limits);
    let columns = 0;
    let inside = 0;
    for (let last = first; last < units.length; last++) {
      const unit = units[last];
      if (unit === undefined || !(fit.add(unit) || last === first)) break;
      columns += unit.columns + (unit.isSpaced && last > first ? 1 : 0);
      const next = units[last + 1];
      const startMs = units[first]?.startMs ?? 0;
      // Full rows can only break where they end.
      const rows = columns > fullShare * limits.maxColumns * limits.maxRows ? fit.price : 0;
      const candidate = { unit, next, startMs, columns, nextMs: next?.startMs ?? nextMs };
      const price = before + inside + rows + priceOf(candidate, limits);
      if (price < (prices[last + 1] ?? Number.POSITIVE_INFINITY)) {
        prices[last + 1] = price;
        firsts[last + 1] = first;
      }
      // One sentence per caption is easier to read, unless they are short.
      inside += unit.endsUtterance ? 30 : unit.end === 'sentence' ? 8 : 0;
    }
  }
  const ends: number[] = [];
  for (let end = units.length; end > 0; end = firsts[end] ?? 0) ends.push(end);
  let first = 0;
  for (const end of ends.reverse()) {
    const shown = units.slice(first, end);
    first = end;
    const columns = columnsOfUnits(shown);
    const [startMs, endMs] = [shown[0]?.startMs ?? 0, shown.at(-1)?.endMs ?? 0];
    captions.push({ startMs, endMs, rows: breakRows(shown, limits), voice, columns });
    if (captions.length % 50 === 0) yield;
  }
}

/** A possible caption. */
interface Candidate {
  /** Its last unit, and the one after it. */
  readonly unit: TimedUnit;
  readonly next: TimedUnit | undefined;
  readonly startMs: number;
  readonly columns: number;
  /** When something else is spoken. */
  readonly nextMs: number;
}

function priceOf({ unit, next, startMs, columns, nextMs }: Candidate, limits: SubtitleLimits): number {
  const availableMs = Math.max(1, nextMs - startMs);
  const required = requiredMs(columns, limits);
  const pauseMs = (next?.startMs ?? Number.POSITIVE_INFINITY) - unit.endMs;
  let price = 20;
  if (next !== undefined && !unit.endsUtterance) price += captionPrice[unit.end] * (pauseMs >= clausePauseMs ? 0.4 : 1);
  if (availableMs < minShownMs) price += 100 * (1 - availableMs / minShownMs);
  if (availableMs < required) price += 60 * Math.min(1, required / availableMs - 1);
  const excessMs = unit.endMs - startMs - maxShownMs;
  if (excessMs > 0) price += Math.min(40, (excessMs / 1000) * 15);
  // A few words alone are no help to a reader.
  if (columns < 20 && unit.end !== 'sentence' && !unit.endsUtterance) price += (20 - columns) * 1.5;
  return price;
}

/** Time in milliseconds that a text of this width needs to be read. */
function requiredMs(columns: number, { columnsPerSecond }: SubtitleLimits): number {
  return Math.max(minShownMs, Math.ceil((columns * 1000) / columnsPerSecond));
}

/** Fills rows with units, as many as fit. */
class RowFiller {
  readonly #limits: SubtitleLimits;
  #rows = 0;
  #left = 0;
  #price = 0;
  #end: UnitEnd = 'sentence';

  constructor(limits: SubtitleLimits) {
    this.#limits = limits;
  }

  get rows(): number {
    return this.#rows;
  }

  /** The price of ending the rows where they are full. */
  get price(): number {
    return this.#price;
  }

  /** Returns false if the unit fits into no row. */
  add({ columns, isSpaced, end }: TextUnit): boolean {
    const width = columns + (isSpaced ? 1 : 0);
    if (this.#rows > 0 && width <= this.#left) this.#left -= width;
    else {
      this.#rows++;
      this.#left = this.#limits.maxColumns - columns;
      this.#price += rowPrice[this.#end];
    }
    this.#end = end;
    return this.#rows <= this.#limits.maxRows;
  }
}

/** Breaks a caption into as few rows as possible, of about the same width, at clauses where that is possible. */
function breakRows(units: readonly TextUnit[], limits: SubtitleLimits): readonly string[] {
  const filler = new RowFiller({ ...limits, maxRows: Number.POSITIVE_INFINITY });
  for (const unit of units) filler.add(unit);
  const { rows: count } = filler;
  if (count <= 1) return units.length === 0 ? [] : [joinUnits(units)];
  const wanted = columnsOfUnits(units) / count;
  /** For each number of rows and units, the minimum price, and where the last of the rows begins. */
  let prices: (number | undefined)[] = [0];
  const starts: number[][] = [];
  for (let row = 1; row <= count; row++) {
    const next: (number | undefined)[] = [];
    const begins: number[] = [];
    for (let first = 0; first < units.length; first++) {
      const before = prices[first];
      if (before === undefined) continue;
      let width = 0;
      for (let end = first + 1; end <= units.length; end++) {
        const unit = units[end - 1];
        if (unit === undefined) break;
        width += unit.columns + (unit.isSpaced && end - 1 > first ? 1 : 0);
        if (width > limits.maxColumns && end - 1 > first) break;
        const price = before + (width - wanted) ** 2 / 10 + (end === units.length ? 0 : rowPrice[unit.end]);
        if (price < (next[end] ?? Number.POSITIVE_INFINITY)) {
          next[end] = price;
          begins[end] = first;
        }
      }
    }
    prices = next;
    starts.push(begins);
  }
  const rows: string[] = [];
  let end = units.length;
  for (const begins of starts.reverse()) {
    const first = begins[end] ?? 0;
    rows.unshift(joinUnits(units.slice(first, end)));
    end = first;
  }
  return rows;
}

/** Returns the width of units in one row. */
function columnsOfUnits(units: readonly TextUnit[]): number {
  return units.reduce((sum, { columns, isSpaced }, index) => sum + columns + (isSpaced && index > 0 ? 1 : 0), 0);
}

function joinUnits(units: readonly TextUnit[]): string {
  return units.map(({ text, isSpaced }, index) => (isSpaced && index > 0 ? ` ${text}` : text)).join('');
}

/**
 * Returns the captions with the times of their display: from the beginning of speech to its end, longer if they could
 * not be read otherwise and nothing else is said. Where speakers talk at once, the later caption waits.
 */
function* placeCaptions(
  captions: readonly SpokenCaption[],
  limits: SubtitleLimits,
): Generator<undefined, readonly Caption[]> {
  const placed: Caption[] = [];
  let startMs = captions[0]?.startMs ?? 0;
  for (const [index, { columns, rows, voice, endMs: spokenMs }] of captions.entries()) {
    if (index % stepItems === stepItems - 1) yield;
    const wantedMs = startMs + requiredMs(columns, limits);
    const next = captions[index + 1];
    const free = next?.startMs ?? Number.POSITIVE_INFINITY;
    const waits = Math.min(wantedMs, spokenMs, free + maxDelayMs);
    const nextStart = Math.max(free, startMs + minShownMs, waits);
    placed.push({ startMs, endMs: Math.min(Math.max(spokenMs, wantedMs), nextStart), rows, voice });
    startMs = nextStart;
  }
  return placed;
}

/** Number of items that are sorted, or merged, in one step. */
const sortedItems = 5000;
/** Returns the same items sorted by time, in steps. */
function* sortByStart<T extends { readonly startMs: number }>(items: readonly T[]): Generator<undefined, readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += sortedItems) {
    runs.push(items.slice(at, at + sortedItems).toSorted((a, b) => a.startMs - b.startMs));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* mergeByStart(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeByStart<T extends { readonly startMs: number }>(
  earlier: readonly T[],
  later: readonly T[],
): Generator<undefined, readonly T[]> {
  const merged: T[] = [];
  let taken = 0;
  for (const item of later) {
    for (let next = earlier[taken]; next !== undefined && next.startMs <= item.startMs; next = earlier[++taken]) {
      merged.push(next);
      if (merged.length % sortedItems === 0) yield;
    }
    merged.push(item);
    if (merged.length % sortedItems === 0) yield;
  }
  for (; taken < earlier.length; taken++) {
    const next = earlier[taken];
    if (next !== undefined) merged.push(next);
  }
  return merged;
}
