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
  const transcription = textFrom(result, 'transcription') ?? '';
  const whole = stringOf(transcription, 'full_transcript');
  if (whole.trim() !== '') return whole.slice(0, maxSpoken);
  const parts: string[] = [];
  let length = 0;
  for (const utterance of readElements(textFrom(transcription, 'utterances') ?? '')) {
    const text = stringOf(utterance, 'text');
    if (text !== '') parts.push(text);
    if ((length += text.length) > maxSpoken) break;
  }
  return parts.join('\n').slice(0, maxSpoken);
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
/** In characters. Large enough for any word, small enough to be searched word by word. */
const pieceLength = 4096;

/**
 * Returns the words around the first occurrence of a word: "…the lamp is lit by hand…", safe to show; undefined if it
 * does not occur.
 * @param word folded, without white space.
 * @param fold makes texts comparable; it may change their length.
 */
export function excerptAround(text: string, word: string, fold: (text: string) => string): string | undefined {
  for (let from = 0; from < text.length; from += pieceLength) {
    // Pieces overlap, so that one of them contains a word at a boundary completely.
    const piece = text.slice(from, from + pieceLength + 200);
    if (!fold(piece).includes(word)) continue;
    for (const match of piece.matchAll(/\S+/g)) {
      if (!fold(match[0]).includes(word)) continue;
      return cutAround(text, from + match.index, from + match.index + match[0].length);
    }
  }
  return undefined;
}

function cutAround(text: string, hit: number, hitEnd: number): string {
  const start = Math.max(0, hit - shownBefore);
  const end = Math.min(text.length, Math.max(hit, Math.min(hitEnd, hit + shownAfter)) + shownAfter);
  const before = start === 0 ? text.slice(0, hit) : `…${text.slice(start, hit).replace(/^\S*\s/, '')}`;
  const after = end === text.length ? text.slice(hit) : `${text.slice(hit, end).replace(/\s\S*$/, '')}…`;
  return oneLine(before + after, shownBefore + 3 * shownAfter);
}
