import { flattenText } from './transcriptText.ts';
import type { Transcript, Utterance } from './transcript.ts';

/** The kinds of file that players read. */
export type SubtitleFormat = 'srt' | 'vtt';

/** Recommended bounds (contract 8). */
const longestRow = 42;
const mostRows = 2;
/** How long a caption stays whose end nobody knows. */
const shownMs = 2000;

/** Rows that are on the screen from one position in the audio to another. */
export interface Caption {
  readonly startMs: number;
  readonly endMs: number;
  readonly rows: readonly string[];
}

/**
 * Subtitles of a transcript as a file's text: the service's own where it made some, or else from the utterances, of which those
 * without a time are left out. Undefined when there is nothing to write.
 */
export function writeSubtitles(transcript: Transcript, format: SubtitleFormat): string | undefined {
  const own = transcript.subtitles.find((each) => each.format.toLowerCase() === format && each.text.trim() !== '');
  if (own !== undefined) return own.text;
  const captions = makeCaptions(transcript.utterances);
  return captions.length === 0 ? undefined : writeCaptions(captions, format);
}

/** Captions of at most two rows of 42 characters, in the order of time; a long utterance becomes several, each for its share of the time. */
export function makeCaptions(utterances: readonly Utterance[]): readonly Caption[] {
  const timed = utterances
    .flatMap(({ text, startMs, endMs }) => (startMs === undefined ? [] : [{ text, startMs, endMs }]))
    .sort((a, b) => a.startMs - b.startMs);
  return timed.flatMap(({ text, startMs, endMs }, index) => {
    const next = timed[index + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const end = endMs ?? Math.min(startMs + shownMs, next);
    return splitCaption(breakRows(text), startMs, end);
  });
}

function splitCaption(rows: readonly string[], startMs: number, endMs: number): readonly Caption[] {
  const groups = Array.from({ length: Math.ceil(rows.length / mostRows) }, (_, index) =>
    rows.slice(index * mostRows, (index + 1) * mostRows),
  );
  const lengthOf = (some: readonly string[]): number => some.reduce((sum, row) => sum + row.length, 0);
  const whole = lengthOf(rows);
  // No caption may last no time, or players would drop it.
  const lasting = Math.max(endMs - startMs, groups.length);
  let before = 0;
  return groups.map((group) => {
    const from = startMs + Math.round((lasting * before) / whole);
    before += lengthOf(group);
    const to = startMs + Math.round((lasting * before) / whole);
    return { startMs: from, endMs: Math.max(to, from + 1), rows: group };
  });
}

/** A text in rows of at most 42 characters, broken between words; only a longer word is cut. */
export function breakRows(text: string): readonly string[] {
  const rows: string[] = [];
  let row = '';
  // What separates the times of a caption would end it.
  for (const word of flattenText(text.replaceAll('-->', '→')).split(' ').flatMap(cutWord)) {
    if (row === '') row = word;
    else if (row.length + 1 + word.length <= longestRow) row += ` ${word}`;
    else {
      rows.push(row);
      row = word;
    }
  }
  return row === '' ? rows : [...rows, row];
}

function cutWord(word: string): readonly string[] {
  if (word.length <= longestRow) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece.length + character.length > longestRow) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

function writeCaptions(captions: readonly Caption[], format: SubtitleFormat): string {
  const blocks = captions.map(({ startMs, endMs, rows }, index) => {
    const times = `${timecode(startMs, format)} --> ${timecode(endMs, format)}`;
    // Cues of WebVTT are markup; those of SubRip have no way to say that they are not.
    const lines = format === 'vtt' ? rows.map(escapeCue) : rows;
    return [...(format === 'srt' ? [String(index + 1)] : []), times, ...lines].join('\n');
  });
  return `${[...(format === 'vtt' ? ['WEBVTT'] : []), ...blocks].join('\n\n')}\n`;
}

function escapeCue(row: string): string {
  return row.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function timecode(ms: number, format: SubtitleFormat): string {
  const digits = (value: number, length = 2): string => String(Math.floor(value)).padStart(length, '0');
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) => digits(value)).join(':');
  return `${clock}${format === 'srt' ? ',' : '.'}${digits(ms % 1000, 3)}`;
}
