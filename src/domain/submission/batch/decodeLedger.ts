import { attempt, choice, list, number, optional, text, Undecodable } from '../../decoder.ts';
import { parsedJson } from '../../json.ts';
import { decodeOutcome, journalSchema } from '../decodeSubmission.ts';
import type { LedgerLine } from './batch.ts';

const decodeLine = choice({
  plan: {
    schema: number,
    connection: text,
    origin: text,
    startedAtMs: number,
    total: number,
    source: choice({ files: { files: list(text) }, list: { template: text, list: optional(text) } }),
    skipped: list(text),
  },
  run: { run: text, sender: number },
  send: { run: text, item: text, label: text, file: text },
  outcome: { run: text, item: text, outcome: decodeOutcome },
  end: { run: text, end: choice({ done: {}, cancelled: {}, stopped: {} }) },
});

/**
 * Reads the lines of a ledger. A line that broke off is left out: its process ended before it could act on it.
 * @throws Undecodable when a later version has written it.
 */
export function decodeLedger(content: string): readonly LedgerLine[] {
  return content.split('\n').flatMap((line) => {
    const decoded = line === '' ? undefined : attempt(decodeLine, parsedJson(line));
    if (decoded === undefined || decoded instanceof Undecodable) return [];
    if (decoded.type === 'plan' && decoded.schema > journalSchema) {
      throw new Undecodable('.schema: written by a later version');
    }
    return [decoded];
  });
}
