import type { JsonObject } from '../base/json/json.ts';

/** Text with its times, in seconds. */
interface Timed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Limits of one caption; default: none. */
export interface CaptionLimits {
  /** In characters. */
  readonly maxRowLength?: number | undefined;
  readonly maxRows?: number | undefined;
}

/** A caption is shown for this time at least, if nothing else is said. */
const minSeconds = 5 / 6;

/** Writes subtitles as a public service sends them. */
export function writeCaptions(texts: readonly Timed[], format: 'srt' | 'vtt', limits: CaptionLimits = {}): JsonObject {
  const captions = texts.flatMap((each) => splitCaption(each, limits));
  const time = (at: number): string => {
    const clock = new Date(Math.round(at * 1000)).toISOString().slice(11, 23);
    return format === 'srt' ? clock.replace('.', ',') : clock;
  };
  const written = captions.map(({ text, start, end }, index) => {
    const next = captions[index + 1]?.start ?? Infinity;
    const times = `${time(start)} --> ${time(Math.max(end, Math.min(start + minSeconds, next)))}\n${text}\n`;
    return format === 'srt' ? `${index + 1}\n${times}` : times;
  });
  return { format, subtitles: [...(format === 'srt' ? [] : ['WEBVTT\n']), ...written].join('\n') };
}

/** Splits a text into captions of a maximum size, and its time by their length. */
function splitCaption({ text, start, end }: Timed, { maxRowLength, maxRows }: CaptionLimits): readonly Timed[] {
  const rows = maxRowLength === undefined ? [text] : balanceRows(text, maxRowLength);
  const perCaption = maxRows ?? rows.length;
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += perCaption) parts.push(rows.slice(at, at + perCaption).join('\n'));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let before = 0;
  return parts.map((part) => {
    const from = before;
    before += part.length;
    const at = (characters: number): number => start + ((end - start) * characters) / length;
    return { text: part, start: at(from), end: at(before) };
  });
}

/** Breaks a text into as few rows as possible, of about the same length, so that no word is left alone. */
function balanceRows(text: string, max: number): readonly string[] {
  let rows = splitRows(text, max);
  for (let length = Math.min(max, text.length) - 1; length > 0; length--) {
    const shorter = splitRows(text, length);
    if (shorter.length > rows.length) break;
    rows = shorter;
  }
  return rows;
}

/**
 * Breaks a text between words, and not between them and their punctuation, which French sets off by spaces; within a word only if it is
 * longer than a row.
 */
function splitRows(text: string, max: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(/(?<!«) (?![?!:;»])/u)) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (longer.length <= max) {
      row = longer;
      continue;
    }
    if (row !== '') rows.push(row);
    row = word;
    for (; row.length > max; row = row.slice(max)) rows.push(row.slice(0, max));
  }
  return row === '' ? rows : [...rows, row];
}
