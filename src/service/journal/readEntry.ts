import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Undecodable } from '../../domain/decode/decoder.ts';
import { decodeSubmission, journalSchema, schemaOf, type Submission } from '../../domain/submission/submission.ts';
import type { Log } from '../ports.ts';
import { systemCode } from '../systemCode.ts';

/** What is in a file of the journal. */
export type EntryReading =
  | { readonly type: 'entry'; readonly submission: Submission }
  | { readonly type: 'broken' }
  /** A later version of the product wrote it. */
  | { readonly type: 'later' }
  | { readonly type: 'gone' };

/** Reads an entry of the journal, as it stands. What cannot be read is logged. */
export async function readEntry(path: string, log: Log): Promise<EntryReading> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log.warn(`journal: ${path}: ${String(error)}`);
    // Pruned by another window, or not ours to read: nothing to set aside.
    return { type: 'gone' };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (schemaOf(value) > journalSchema) return { type: 'later' };
    // The name counts: what the content says could lead to another file.
    return { type: 'entry', submission: { ...decodeSubmission(value), key: basename(path, '.json') } };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof Undecodable)) throw error;
    log.warn(`journal: ${path}: ${error instanceof Undecodable ? error.message : 'not JSON'}`);
    return { type: 'broken' };
  }
}
