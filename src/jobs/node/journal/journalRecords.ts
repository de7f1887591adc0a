import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { attempt, Undecodable } from '../../../base/decode/decoder.ts';
import { parseJson } from '../../../base/json/json.ts';
import {
  decodeJournalRecord,
  journalSchema,
  schemaOf,
  type JournalRecord,
  type Submission,
} from '../../common/submission.ts';
import type { JournalSegments } from './journalSegments.ts';
import { placesOf, type RecordReading } from './recordLine.ts';

/** Selects the submissions to read; all by default. */
export interface WantedRecords {
  readonly sinceMs?: number;
  /** Selects submissions with one of these bodies or audio files, as in `Submission.bodyHash` and `audioHash`. */
  readonly hashes?: ReadonlySet<string>;
  /** Number of newest submissions. */
  readonly newest?: number;
}

/** Digits of the time at the beginning of a key. */
const timeLength = 15;

/** Returns a new key of an entry. Keys sort by time. */
export function makeKey(sentAtMs: number): string {
  return `${String(sentAtMs).padStart(timeLength, '0')}-${randomUUID()}`;
}

/** Returns the time when a submission was sent, from its key or file name; `NaN` for other names. */
export function timeOf(name: string): number {
  return Number.parseInt(basename(name), 10);
}

/** Returns the record of an entry. Key and digest of the body come first, so that they are found without parsing the rest. */
export function entryRecord({ key, bodyHash, ...rest }: Submission): object {
  return { schema: journalSchema, type: 'entry', key, bodyHash, ...rest };
}

/** The beginning of an entry, up to its key. Inside a string the quotes would be escaped. */
const entryMark = '"type":"entry","key":"';

/** For more texts than this, checking each record is faster than searching the file. */
const maxSearched = 8;

/** Returns the requested records of a folder. */
export async function findRecords(
  segments: JournalSegments,
  { sinceMs, hashes, newest = Infinity }: WantedRecords,
): Promise<RecordReading & { readonly hasOlder: boolean }> {
  if (newest !== Infinity) return segments.readNewest(newest, findNewestEntries);
  if (hashes === undefined) return { ...(await segments.read(sinceMs)), hasOlder: false };
  const keys = new Set<string>();
  if (hashes.size <= maxSearched) {
    const found = await segments.read(sinceMs, (contents) => {
      for (const content of contents) addKeysOf(content, [...hashes], keys);
      return [...keys];
    });
    return {
      ...found,
      records: found.records.filter((json) => keys.has(valueAfter(json, '"key":"'))),
      hasOlder: false,
    };
  }
  const all = await segments.read(sinceMs);
  for (const json of all.records) {
    const isWanted = hashes.has(valueAfter(json, '"bodyHash":"')) || hashes.has(valueAfter(json, '"audioHash":"'));
    if (isWanted) keys.add(valueAfter(json, '"key":"'));
  }
  return { ...all, records: all.records.filter((json) => keys.has(valueAfter(json, '"key":"'))), hasOlder: false };
}

/** Adds the keys of the records in a file that contain one of some texts. */
function addKeysOf(content: Buffer, texts: readonly string[], keys: Set<string>): void {
  for (const at of placesOf(content, texts)) {
    const key = valueAfter(content.toString('latin1', content.lastIndexOf('\n', at) + 1, at), '"key":"');
    if (key !== '') keys.add(key);
  }
}

/** Finds the newest entries of a file. Entries of earlier days are copies, made before their file was deleted. */
function findNewestEntries(
  content: Buffer,
  count: number,
  dayStartMs: number,
): { readonly found: number; readonly offset: number } {
  let found = 0;
  for (let at = content.length; at > 0;) {
    at = content.lastIndexOf(entryMark, at - 1, 'latin1');
    if (at < 0) break;
    const keyAt = at + entryMark.length;
    if (timeOf(content.toString('latin1', keyAt, keyAt + timeLength)) >= dayStartMs) found++;
    if (found === count) {
      const hasOthers = content.lastIndexOf(entryMark, at - 1, 'latin1') >= 0;
      return { found, offset: hasOthers ? content.lastIndexOf('\n', at) + 1 : 0 };
    }
  }
  return { found, offset: 0 };
}

/** Returns the string value after a member name. The searched values never contain escapes. */
function valueAfter(json: string, name: string): string {
  const at = json.indexOf(name);
  if (at < 0) return '';
  const from = at + name.length;
  return json.slice(from, json.indexOf('"', from));
}

interface DecodedRecords {
  readonly records: readonly JournalRecord[];
  readonly damaged: number;
  readonly later: number;
}

/** Parses records. Counts those that are not in the format of this version. */
export function decodeRecords(lines: readonly string[]): DecodedRecords {
  const records: JournalRecord[] = [];
  let damaged = 0;
  let later = 0;
  for (const json of lines) {
    const value = parseJson(json);
    const schema = attempt(schemaOf, value);
    if (typeof schema === 'number' && schema > journalSchema) {
      later++;
      continue;
    }
    const read = attempt(decodeJournalRecord, value);
    if (read instanceof Undecodable) damaged++;
    else records.push(read);
  }
  return { records, damaged, later };
}
