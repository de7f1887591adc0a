import { crc32 } from 'node:zlib';
import { parseJson } from '../../domain/json/json.ts';

/**
 * A record of journal or ledger as a line of a file that is only appended to: a CRC-32 of the JSON, in eight hexadecimal digits, a
 * space, the JSON. It stands between two line breaks, so that one that is damaged, or broke off, takes no other with it.
 */
export function recordLine(record: object): string {
  const json = JSON.stringify(record);
  return `\n${crc32(json).toString(16).padStart(checksumLength, '0')} ${json}\n`;
}

const checksumLength = 8;
const lineBreak = 0x0a;
const space = 0x20;

/** What the lines of a file hold. */
export interface RecordReading {
  /** The JSON of the records that are as they were written, in order. */
  readonly records: readonly string[];
  /** Lines that are not what was written. */
  readonly damaged: number;
}

/** Which lines are wanted. */
export interface LineChoice {
  /** Texts (ASCII) of which a record has one; all records when left out. */
  readonly having?: readonly string[];
  /** Whether a line without a checksum is a record, as version 0.1.0 wrote them. */
  readonly mayBeBare?: boolean;
}

/** Reads the lines of a file. All are checked, also those that are not wanted; only those that are wanted cost more than that. */
export function readRecordLines(content: Buffer, { having, mayBeBare = false }: LineChoice = {}): RecordReading {
  const places = having === undefined ? undefined : placesOf(content, having);
  const records: string[] = [];
  let damaged = 0;
  let place = 0;
  for (let from = 0; from < content.length;) {
    // Every other line is empty, and sooner passed over so than looked for.
    if (content[from] === lineBreak) {
      from++;
      continue;
    }
    const lineEnd = content.indexOf(lineBreak, from);
    const to = lineEnd < 0 ? content.length : lineEnd;
    const jsonAt = from + checksumLength + 1;
    const isWhole =
      to > jsonAt &&
      content[jsonAt - 1] === space &&
      crc32(content.subarray(jsonAt, to)) === hexadecimalAt(content, from);
    if (places !== undefined) while ((places[place] ?? Infinity) < from) place++;
    const isWanted = places === undefined || (places[place] ?? Infinity) < to;
    if (isWhole) {
      if (isWanted) records.push(content.toString('utf8', jsonAt, to));
    } else {
      const bare = content.toString('utf8', from, to);
      if (mayBeBare && bare.startsWith('{') && parseJson(bare) !== undefined) records.push(bare);
      else damaged++;
    }
    from = to + 1;
  }
  return { records, damaged };
}

/** The number that eight digits stand for, lower-case ones as they are written; -1 for anything else. */
function hexadecimalAt(content: Buffer, from: number): number {
  let number = 0;
  for (let at = from; at < from + checksumLength; at++) {
    const code = content[at] ?? 0;
    const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
    if (digit < 0) return -1;
    number = number * 16 + digit;
  }
  return number;
}

/** Where some texts are in a file, in order. */
function placesOf(content: Buffer, texts: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (const text of texts) {
    for (let at = content.indexOf(text, 0, 'latin1'); at >= 0; at = content.indexOf(text, at + 1, 'latin1')) {
      places.push(at);
    }
  }
  return places.sort((a, b) => a - b);
}
