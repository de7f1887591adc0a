import { parseJson } from '../../../base/json/json.ts';
import { findMember, readElements, skipString } from '../../../base/json/jsonText.ts';
import { oneLine } from '../../../base/outsideText.ts';

/** In characters. Corresponds to twenty hours of speech; later text is not searched. */
const maxSpoken = 1_200_000;

/**
 * Returns the spoken text of a job for searching: the full text, or the texts of its utterances; empty without a
 * transcript. Reads no more of the item than necessary, because most of a result of several megabytes is the times of
 * words. Never throws.
 * @param raw the item's JSON text.
 */
export function readSpokenText(raw: string): string {
  const result = textFrom(raw, 'result') ?? '';
  return textOf(textFrom(result, 'transcription') ?? '', maxSpoken);
}

/** Returns the text of the translations of a job for searching, as {@link readSpokenText}. */
export function readTranslatedText(raw: string): string {
  const translation = textFrom(textFrom(raw, 'result') ?? '', 'translation') ?? '';
  const parts: string[] = [];
  let left = maxSpoken;
  for (const part of readElements(textFrom(translation, 'results') ?? '')) {
    const text = textOf(part, left);
    if (text !== '') parts.push(text);
    if ((left -= text.length) <= 0) break;
  }
  return parts.join('\n');
}

/** Returns the text of a transcript or translation. @param max in characters */
function textOf(transcription: string, max: number): string {
  const whole = stringOf(transcription, 'full_transcript');
  if (whole.trim() !== '') return whole.slice(0, max);
  const parts: string[] = [];
  let length = 0;
  for (const utterance of readElements(textFrom(transcription, 'utterances') ?? '')) {
    const text = stringOf(utterance, 'text');
    if (text !== '') parts.push(text);
    if ((length += text.length) > max) break;
  }
  return parts.join('\n').slice(0, max);
}

/** Returns the text from a member's value to the end. */
function textFrom(text: string, key: string): string | undefined {
  const start = findMember(text, key);
  return start === undefined ? undefined : text.slice(start);
}

function stringOf(text: string, key: string): string {
  const start = findMember(text, key);
  const value = start !== undefined && text[start] === '"' ? parseJson(text.slice(start, skipString(text, start))) : '';
  return typeof value === 'string' ? value : '';
}

/** In characters, around a hit. */
const shownBefore = 40;
const shownAfter = 60;
/** In characters. Large enough for any phrase, small enough to be searched word by word. */
const pieceLength = 4096;
/** In characters. Longer phrases are not searched. */
const maxPhrase = 200;

/**
 * Returns the words around the first occurrence of a phrase: "…the lamp is lit by hand…", safe to show; undefined if it
 * does not occur.
 * @param phrase folded words, each separated by one space.
 * @param fold makes texts comparable; it may change their length.
 */
export function excerptAround(text: string, phrase: string, fold: (text: string) => string): string | undefined {
  if (phrase.length > maxPhrase) return undefined;
  for (let from = 0; from < text.length; from += pieceLength) {
    // Pieces overlap, so that one of them contains a phrase at a boundary completely.
    const piece = text.slice(from, from + pieceLength + 2 * maxPhrase);
    if (!fold(piece).replaceAll(/\s+/g, ' ').includes(phrase)) continue;
    const words = [...piece.matchAll(/\S+/g)];
    const folded = words.map(([word]) => fold(word));
    const at = folded.join(' ').indexOf(phrase);
    if (at === -1) continue;
    const [first, last] = [at, at + phrase.length - 1].map((place) => words[wordAt(folded, place)]);
    if (first === undefined || last === undefined) continue;
    return cutAround(text, from + first.index, from + last.index + last[0].length);
  }
  return undefined;
}

/** Returns the index of the word at a position in the words joined by spaces. */
function wordAt(words: readonly string[], position: number): number {
  let end = 0;
  return words.findIndex((word) => (end += word.length + 1) > position);
}

function cutAround(text: string, hit: number, hitEnd: number): string {
  const start = Math.max(0, hit - shownBefore);
  const end = Math.min(text.length, Math.max(hit, Math.min(hitEnd, hit + shownAfter)) + shownAfter);
  const before = start === 0 ? text.slice(0, hit) : `…${text.slice(start, hit).replace(/^\S*\s/, '')}`;
  const after = end === text.length ? text.slice(hit) : `${text.slice(hit, end).replace(/\s\S*$/, '')}…`;
  return oneLine(before + after, shownBefore + 3 * shownAfter);
}
