import { crc32 } from 'node:zlib';

/**
 * Returns a journal or ledger record as a line of an append-only file: the CRC-32 of the JSON in eight hexadecimal
 * digits, a space, and the JSON. The record is between two line breaks, so that a damaged or incomplete record affects
 * no other.
 */
export function recordLine(record: object): string {
  const json = JSON.stringify(record);
  return `\n${crc32(json).toString(16).padStart(checksumLength, '0')} ${json}\n`;
}

const checksumLength = 8;
/** The byte at both ends of a record. */
export const lineBreak = 0x0a;
const space = 0x20;

/** The records in a file. */
export interface RecordReading {
  /** The JSON of the undamaged records, in order. */
  readonly records: readonly string[];
  /** Number of damaged lines. */
  readonly damaged: number;
}

/** Selects the lines to read. */
export interface LineChoice {
  /** ASCII texts, one of which a record must contain; all records by default. */
  readonly having?: readonly string[];
  /** Byte offset of the first record to read. */
  readonly from?: number;
}

/** Reads the lines of a file. The checksum of every line is verified; only the requested records are converted to text. */
export function readRecordLines(content: Buffer, { having, from: firstOffset = 0 }: LineChoice = {}): RecordReading {
  const places = having === undefined ? undefined : placesOf(content, having);
  const records: string[] = [];
  let damaged = 0;
  let place = 0;
  for (let from = 0; from < content.length;) {
    // Every second line is empty; this check is faster than a search.
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
    const isWanted = from >= firstOffset && (places === undefined || (places[place] ?? Infinity) < to);
    if (isWhole) {
      if (isWanted) records.push(content.toString('utf8', jsonAt, to));
    } else {
      damaged++;
    }
    from = to + 1;
  }
  return { records, damaged };
}

/** Returns the value of eight lower-case hexadecimal digits; -1 for anything else. */
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

/** Returns the offsets of some texts in a file, in ascending order. */
export function placesOf(content: Buffer, texts: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (const text of texts) {
    for (let at = content.indexOf(text, 0, 'latin1'); at >= 0; at = content.indexOf(text, at + 1, 'latin1')) {
      places.push(at);
    }
  }
  return places.sort((a, b) => a - b);
}
