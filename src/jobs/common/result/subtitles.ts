import { findLowest } from '../../../base/findLowest.ts';
import { fileLine } from '../../../base/outsideText.ts';
import { linePieces, piecesOf } from './linePieces.ts';
import type { SpokenWord, Transcript, Utterance } from './transcript.ts';

/** The subtitle formats that players support. */
export type SubtitleFormat = 'srt' | 'vtt';

/** Recommended limits (contract 8). */
const maxRowLength = 42;
const maxRows = 2;
/** Duration of a caption without an end time, in milliseconds. */
const shownMs = 2000;
/** Maximum time in milliseconds that words may exceed their utterance, because services round. */
const toleratedMs = 1000;

/** The rows shown between two positions in the audio. */
export interface Caption {
  readonly startMs: number;
  readonly endMs: number;
  readonly rows: readonly string[];
}

/**
 * Returns the content of a subtitle file: the service's own subtitles if it sent any that players can read, otherwise
 * captions made from the utterances that have a time. Undefined if there are none. The caller can yield to the event
 * loop between the steps.
 */
export function* writeSubtitles(
  transcript: Transcript,
  format: SubtitleFormat,
): Generator<undefined, string | undefined> {
  const own = yield* ownSubtitles(transcript, format);
  if (own !== undefined) return own;
  const captions = yield* makeCaptions(transcript.utterances);
  return captions.length === 0 ? undefined : yield* writeCaptions(captions, format);
}

/** True if {@link writeSubtitles} would return content. Does not make captions, which may cover ten hours. */
export function* hasSubtitles(transcript: Transcript, format: SubtitleFormat): Generator<undefined, boolean> {
  if ((yield* ownSubtitles(transcript, format)) !== undefined) return true;
  for (const utterance of transcript.utterances) {
    if (startOf(utterance) !== undefined && linePieces([utterance.text]).next().done !== true) return true;
    yield;
  }
  return false;
}

function* ownSubtitles({ subtitles }: Transcript, format: SubtitleFormat): Generator<undefined, string | undefined> {
  for (const each of subtitles) {
    if (each.format.toLowerCase() === format && (yield* isReadable(each.text, format))) return each.text;
  }
  return undefined;
}

const srtTimes = /^(\d{2,}):([0-5]\d):([0-5]\d),(\d{3}) --> (\d{2,}):([0-5]\d):([0-5]\d),(\d{3})\s*$/u;
const vttTimes =
  /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})[ \t]+-->[ \t]+(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})(?:[ \t].*)?$/u;

/** In characters, before and after the arrow. No line of times is longer. */
const maxTimesLength = 1000;

/** True if players can read a text as subtitles: it has captions, all of their times are well-formed, and they begin in order. */
function* isReadable(text: string, format: SubtitleFormat): Generator<undefined, boolean> {
  if (text.includes('\0') || (format === 'vtt') !== /^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/u.test(text)) return false;
  let latestMs = -1;
  for (let at = text.indexOf('-->'); at !== -1; at = text.indexOf('-->', at)) {
    const before = text.slice(Math.max(0, at - maxTimesLength), at);
    const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
    const [after = ''] = /^[^\r\n]*/u.exec(text.slice(at, at + maxTimesLength)) ?? [];
    at += after.length;
    const times = (format === 'vtt' ? vttTimes : srtTimes).exec(before.slice(start) + after)?.slice(1) ?? [];
    const [startMs = Number.NaN, endMs = Number.NaN] = [times.slice(0, 4), times.slice(4)].map(momentOf);
    if (!(startMs >= Math.max(0, latestMs) && endMs > startMs)) return false;
    latestMs = startMs;
    yield;
  }
  return latestMs >= 0;
}

/** Converts hours, minutes, seconds and milliseconds, given as digits; hours may be missing. NaN if there are no times. */
function momentOf([hours = '0', minutes, seconds, ms]: readonly string[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms);
}

/** Returns the start of an utterance: as sent by the service, or that of its first word. */
function startOf({ startMs, words }: Utterance): number | undefined {
  return startMs ?? words[0]?.startMs;
}

/**
 * Returns captions of at most two rows of 42 characters, sorted by time. A long utterance is split by the times of its
 * words. If the service does not send them, its time is divided by length.
 */
export function* makeCaptions(utterances: readonly Utterance[]): Generator<undefined, readonly Caption[]> {
  const timed: { text: string; startMs: number; endMs: number | undefined; words: readonly SpokenWord[] }[] = [];
  for (const each of utterances) {
    const startMs = startOf(each);
    const endMs = each.endMs ?? (each.startMs === undefined ? each.words.at(-1)?.endMs : undefined);
    if (startMs !== undefined) timed.push({ text: each.text, startMs, endMs, words: each.words });
  }
  yield;
  const sorted = yield* sortByStart(timed);
  const captions: Caption[] = [];
  for (const [index, { text, startMs, endMs, words }] of sorted.entries()) {
    const next = sorted[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const end = endMs ?? Math.min(startMs + shownMs, next);
    const rows: string[] = [];
    for (const piece of piecesOf(text)) {
      for (const row of breakRows(piece)) rows.push(row);
      yield;
    }
    yield* splitCaption(rows, startMs, end, isWithin(words, startMs, end) ? words : [], captions);
  }
  // A long utterance may overlap with another one. Then the captions of both alternate.
  return yield* sortByStart(captions);
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

/** True if all words are within the utterance. Otherwise their times are wrong, or its own. */
function isWithin(words: readonly SpokenWord[], startMs: number, endMs: number): boolean {
  return words.every((word) => word.startMs >= startMs - toleratedMs && word.endMs <= endMs + toleratedMs);
}

/** @param captions receives the captions that the rows are split into. */
function* splitCaption(
  rows: readonly string[],
  startMs: number,
  endMs: number,
  words: readonly SpokenWord[],
  captions: Caption[],
): Generator<undefined, void> {
  const groups = Math.ceil(rows.length / maxRows);
  let whole = 0;
  for (const row of rows) whole += countLetters(row);
  // Players drop captions without a duration.
  const lasting = Math.max(endMs - startMs, groups);
  const spoken = groups > 1 ? spokenTimes(words) : undefined;
  let before = 0;
  let last = startMs;
  for (let index = 0; index < groups; index++) {
    const group = rows.slice(index * maxRows, (index + 1) * maxRows);
    const first = before / whole;
    for (const row of group) before += countLetters(row);
    const byLength = (share: number): number => startMs + Math.round(lasting * share);
    const from = index === 0 ? startMs : (spoken?.startAt(first) ?? byLength(first));
    const to = index === groups - 1 ? startMs + lasting : (spoken?.endAt(before / whole) ?? byLength(before / whole));
    const caption = { startMs: Math.max(last, from), endMs: Math.max(to, Math.max(last, from) + 1), rows: group };
    last = caption.endMs;
    captions.push(caption);
    yield;
  }
}

/** Returns the times of the words around a share of the letters: from 0, the first letter, to 1, the last. */
interface SpokenTimes {
  startAt(share: number): number;
  endAt(share: number): number;
}

/** Returns undefined if there are no words. Positions are shares, because punctuation may differ between words and text. */
function spokenTimes(words: readonly SpokenWord[]): SpokenTimes | undefined {
  const ends: number[] = [];
  for (const { text } of words) ends.push((ends.at(-1) ?? 0) + countLetters(text));
  const whole = ends.at(-1) ?? 0;
  if (whole === 0) return undefined;
  const wordAt = (letter: number): SpokenWord | undefined =>
    words[findLowest(ends.length - 1, (index) => (ends[index] ?? whole) > letter)];
  // Shares are rounded, so half a letter must not select the next word.
  return {
    startAt: (share) => wordAt(share * whole + 0.5)?.startMs ?? 0,
    endAt: (share) => wordAt(share * whole - 0.5)?.endMs ?? 0,
  };
}

function countLetters(text: string): number {
  return text.replaceAll(/\s/g, '').length;
}

/**
 * Breaks a text into rows of at most 42 characters, between words if possible. Uses as few rows as possible, of about
 * the same length, so that no word is left alone.
 */
export function breakRows(text: string): readonly string[] {
  // An arrow as between times would end the text of a caption.
  const words = fileLine(text.replaceAll('-->', '→'))
    .split(' ')
    .flatMap(cutWord)
    .map((each) => each.trim())
    .filter((word) => word !== '');
  const { length } = fillRows(words, maxRowLength);
  const min = words.reduce((max, word) => Math.max(max, word.length), 0);
  const spare = findLowest(maxRowLength - min, (more) => fillRows(words, min + more).length === length);
  return fillRows(words, min + spare);
}

function fillRows(words: readonly string[], width: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of words) {
    if (row === '') row = word;
    else if (row.length + 1 + word.length <= width) row += ` ${word}`;
    else {
      rows.push(row);
      row = word;
    }
  }
  return row === '' ? rows : [...rows, row];
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Splits a word between the characters that readers see, and within one only if it has more marks than fit in a row. */
function cutWord(word: string): readonly string[] {
  if (word.length <= maxRowLength) return [word];
  const pieces: string[] = [];
  let piece = '';
  const characters = [...graphemes.segment(word)].flatMap(({ segment }) =>
    segment.length <= maxRowLength ? [segment] : (segment.match(/./gsu) ?? []),
  );
  for (const character of characters) {
    if (piece.length + character.length > maxRowLength) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

function* writeCaptions(captions: readonly Caption[], format: SubtitleFormat): Generator<undefined, string> {
  const blocks = format === 'vtt' ? ['WEBVTT'] : [];
  for (const [index, { startMs, endMs, rows }] of captions.entries()) {
    const times = `${timecode(startMs, format)} --> ${timecode(endMs, format)}`;
    // WebVTT cues contain markup, so their text is escaped. SubRip has no escapes.
    const lines = format === 'vtt' ? rows.map(escapeCue) : rows;
    blocks.push([...(format === 'srt' ? [String(index + 1)] : []), times, ...lines].join('\n'));
    yield;
  }
  return `${blocks.join('\n\n')}\n`;
}

function escapeCue(row: string): string {
  return row.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function timecode(ms: number, format: SubtitleFormat): string {
  const digits = (value: number, length = 2): string => String(Math.floor(value)).padStart(length, '0');
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) => digits(value)).join(':');
  return `${clock}${format === 'srt' ? ',' : '.'}${digits(ms % 1000, 3)}`;
}
