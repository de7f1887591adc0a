import { type SubmissionOutcome, type Submission, decodeOutcome, journalSchema } from './submission.ts';
import { attempt, choice, flag, list, number, optional, text, Undecodable } from '../decode/decoder.ts';
import { parseJson } from '../json/json.ts';

/** Source of the requests of a batch, so that it can be resumed after a reload. */
export type BatchSource =
  /** One request per file, by URI. */
  | { readonly type: 'files'; readonly files: readonly string[] }
  /** One request per audio URL: a template file and, by URI, the list; without a list the URLs came from elsewhere. */
  | {
      readonly type: 'list';
      readonly template: string;
      readonly list: string | undefined;
      /** The URLs are named by digests with a key. Missing in version 0.1.0, whose digests had none. */
      readonly isKeyed?: boolean | undefined;
    };

/** What the user has confirmed. */
export interface BatchPlan {
  /** Name of the connection. */
  readonly connection: string;
  readonly origin: string;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Requests. */
  readonly total: number;
  readonly source: BatchSource;
  /** What the source has besides that was not to be sent, by `item`. */
  readonly skipped: readonly string[];
}

/** Why a run through a batch ended. */
export type BatchEnd =
  | { readonly type: 'done' }
  | { readonly type: 'cancelled' }
  /** Stopped because further requests would fail: rejected key, rate limit, or no connection. */
  | { readonly type: 'stopped' };

/**
 * A line of a batch's ledger, which only ever grows. `run` names one window's attempt to send what is left; the newest run
 * owns the batch, and what an older one claims after it counts for nothing.
 */
export type LedgerLine = LedgerEvent & {
  /** Counts the lines that a run has written about itself, from 0: a gap shows that one is lost. Missing in those of version 0.1.0. */
  readonly n?: number | undefined;
};

type LedgerEvent =
  | ({ readonly type: 'plan'; readonly schema: number } & BatchPlan)
  | { readonly type: 'run'; readonly run: string; readonly sender: number }
  /** Written before the request leaves. `item` is a digest of what makes the request one of its own: file or audio URL. */
  | {
      readonly type: 'send';
      readonly run: string;
      readonly item: string;
      readonly label: string;
      readonly file: string;
    }
  | { readonly type: 'outcome'; readonly run: string; readonly item: string; readonly outcome: SubmissionOutcome }
  | { readonly type: 'end'; readonly run: string; readonly end: BatchEnd };

/** A request of a batch that was sent or was about to be sent. */
export interface BatchItem {
  readonly item: string;
  /** The file's name, or host and file name of the audio; no query. */
  readonly label: string;
  /** URI of the request file. */
  readonly file: string;
  readonly run: string;
  readonly outcome: SubmissionOutcome;
}

/** A batch as its ledger tells it. */
export interface Batch {
  readonly plan: BatchPlan;
  /** The run that owns it; undefined before the first. */
  readonly run: string | undefined;
  /** By `item`, in the order in which they were first sent. */
  readonly items: ReadonlyMap<string, BatchItem>;
  /** Process id of that run. */
  readonly sender: number | undefined;
  /** Process ids of all runs, but for those that have noted their end. */
  readonly open: ReadonlyMap<string, number>;
  /** The plan's, to look up. */
  readonly skipped: ReadonlySet<string>;
  /** How the last run ended; undefined while it goes on, or when its window closed. */
  readonly end: BatchEnd | undefined;
  /** Lines of the ledger that are lost, as far as that can be told. */
  readonly damaged: number;
  /** Lines are lost and the journal cannot replace them: nothing may be sent, to avoid duplicates. */
  readonly isDoubtful: boolean;
}

/** Reads a ledger from its beginning; undefined when it has no plan. @param damaged lines that could not be read. */
export function replayLedger(lines: readonly LedgerLine[], damaged = 0): Batch | undefined {
  let plan: BatchPlan | undefined;
  let run: string | undefined;
  let sender: number | undefined;
  let end: BatchEnd | undefined;
  const items = new Map<string, BatchItem>();
  const open = new Map<string, number>();
  for (const line of lines) {
    switch (line.type) {
      case 'plan':
        plan ??= line;
        break;
      case 'run':
        ({ run, sender } = line);
        open.set(run, sender);
        end = undefined;
        break;
      case 'send':
        if (line.run === run) items.set(line.item, { ...line, outcome: { type: 'sending' } });
        break;
      case 'outcome': {
        const item = items.get(line.item);
        if (item?.run === line.run) items.set(line.item, { ...item, outcome: line.outcome });
        break;
      }
      case 'end':
        if (line.run === run) ({ end } = line);
        open.delete(line.run);
        break;
    }
  }
  const lost = damaged + missingLines(lines);
  const skipped = new Set(plan?.skipped);
  return plan && { plan, run, sender, open, items, end, skipped, damaged: lost, isDoubtful: lost > 0 };
}

/** How many lines of runs are not there although later ones of the same run are. */
function missingLines(lines: readonly LedgerLine[]): number {
  const seen = new Map<string, { readonly lines: number; readonly last: number }>();
  for (const line of lines) {
    if (line.type === 'plan' || line.n === undefined) continue;
    const before = seen.get(line.run) ?? { lines: 0, last: -1 };
    seen.set(line.run, { lines: before.lines + 1, last: Math.max(before.last, line.n) });
  }
  return [...seen.values()].reduce((missing, run) => missing + Math.max(0, run.last + 1 - run.lines), 0);
}

/**
 * The batch as it must be understood now: what was being sent when its run ended, or lost the batch, has an unknown outcome.
 * @param senderIsAlive whether the process of the last run is.
 */
export function batchAsUnderstood(batch: Batch, senderIsAlive: boolean): Batch {
  const isRunning = senderIsAlive && batch.end === undefined;
  const items = [...batch.items].map(([key, item]): [string, BatchItem] => {
    if (item.outcome.type !== 'sending' || (isRunning && item.run === batch.run)) return [key, item];
    return [key, { ...item, outcome: { type: 'unknown', code: undefined, lookedAtMs: undefined } }];
  });
  return { ...batch, items: new Map(items) };
}

/**
 * Whether a request of the batch is still to be sent: it was not, it was turned away for a reason that lies outside of it, or the
 * user has looked for its job and there is none.
 */
export function isPending(batch: Batch, item: string): boolean {
  if (batch.skipped.has(item)) return false;
  const outcome = batch.items.get(item)?.outcome;
  return outcome === undefined ? !batch.isDoubtful : isWorthSending(outcome);
}

function isWorthSending(outcome: SubmissionOutcome): boolean {
  switch (outcome.type) {
    case 'notSent':
      return true;
    case 'rejected':
      return outcome.code !== 'rejected';
    case 'unknown':
      return outcome.lookedAtMs !== undefined;
    case 'accepted':
    case 'sending':
      return false;
  }
}

/** How many requests are still to be sent, as far as the ledger tells. */
export function pendingCount(batch: Batch): number {
  if (batch.isDoubtful) return [...batch.items.keys()].filter((item) => isPending(batch, item)).length;
  const settled = [...batch.items.keys()].filter((item) => !isPending(batch, item)).length;
  return Math.max(0, batch.plan.total - settled);
}

/** A single request without a response may be chance; this many in a row are not. */
const mostUnknownInARow = 3;

/**
 * Whether a batch stops after these outcomes, the newest last: when nothing that follows could fare better (rejected key, rate
 * limit, no way to the service), or when the service leaves one request after another without an answer.
 */
export function stopsBatch(outcomes: readonly SubmissionOutcome[]): boolean {
  const last = outcomes.at(-1);
  switch (last?.type) {
    case undefined:
    case 'sending':
    case 'accepted':
      return false;
    case 'notSent':
      return true;
    case 'rejected':
      return last.code !== 'rejected';
    case 'unknown': {
      const row = outcomes.slice(-mostUnknownInARow);
      return row.length === mostUnknownInARow && row.every(({ type }) => type === 'unknown');
    }
  }
}

/** What a batch needs of the journal. */
export interface JournalWords {
  /** Those of the batch, the newest first. */
  readonly submissions: readonly Submission[];
  /** There is none of it that could be missing. */
  readonly isComplete: boolean;
  /** What the batch calls the request of a submission. */
  readonly itemOf: (submission: Submission) => string | undefined;
  /** Whether the run with this process id is over. */
  readonly isOver: (sender: number) => boolean;
}

/**
 * The batch as ledger and journal tell it together: a request is still to be sent only if neither knows of anything against it. Each
 * is written into the ledger and then into the journal before it is sent: what a run that is over has claimed, and a journal that is
 * complete does not have, was not sent.
 */
export function withJournal(batch: Batch, { submissions, isComplete, itemOf, isOver }: JournalWords): Batch {
  const words = new Map<string, Submission>();
  for (const each of submissions.toReversed()) {
    const item = itemOf(each);
    if (item !== undefined && words.get(item)?.outcome.type !== 'accepted') words.set(item, each);
  }
  const isOpen = ({ outcome, run }: BatchItem): boolean => {
    const sender = batch.open.get(run);
    return isWithoutWord(outcome) && (sender === undefined || isOver(sender));
  };
  const items = new Map<string, BatchItem>();
  for (const item of new Set([...batch.items.keys(), ...words.keys()])) {
    const known = batch.items.get(item);
    const word = words.get(item);
    if (known === undefined && word !== undefined) {
      const label = word.file.slice(word.file.lastIndexOf('/') + 1);
      items.set(item, { item, label, file: word.file, run: batch.run ?? '', outcome: word.outcome });
    } else if (known !== undefined) {
      const outcome = isOpen(known)
        ? (word?.outcome ?? (isComplete ? neverSent : known.outcome))
        : moreCautious(known.outcome, word?.outcome);
      items.set(item, { ...known, outcome });
    }
  }
  return { ...batch, items, isDoubtful: batch.damaged > 0 && !isComplete };
}

const neverSent: SubmissionOutcome = { type: 'notSent', code: 'cancelled' };

/** The one of two that keeps from sending again, the more certain first. */
function moreCautious(ledger: SubmissionOutcome, journal: SubmissionOutcome | undefined): SubmissionOutcome {
  if (journal === undefined || ledger.type === 'accepted') return ledger;
  if (journal.type === 'accepted') return journal;
  return isWorthSending(ledger) ? journal : ledger;
}

/** What a batch calls the request of a submission. @param digest SHA-256, hexadecimal. */
export function itemOf(
  { plan }: Batch,
  { audioHash, file }: Submission,
  digest: (text: string) => string,
): string | undefined {
  return plan.source.type === 'list' ? audioHash : digest(file);
}

function isWithoutWord(outcome: SubmissionOutcome): boolean {
  if (outcome.type === 'sending') return true;
  return outcome.type === 'unknown' && outcome.code === undefined && outcome.lookedAtMs === undefined;
}

const n = optional(number);
const decodeLine = choice({
  plan: {
    schema: number,
    connection: text,
    origin: text,
    startedAtMs: number,
    total: number,
    source: choice({
      files: { files: list(text) },
      list: { template: text, list: optional(text), isKeyed: optional(flag) },
    }),
    skipped: list(text),
  },
  run: { run: text, sender: number, n },
  send: { run: text, item: text, label: text, file: text, n },
  outcome: { run: text, item: text, outcome: decodeOutcome, n },
  end: { run: text, end: choice({ done: {}, cancelled: {}, stopped: {} }), n },
});

/**
 * Reads the lines of a ledger.
 * @returns `damaged`: how many are not what a ledger holds.
 * @throws Undecodable when a later version has written it.
 */
export function decodeLedger(records: readonly string[]): {
  readonly lines: readonly LedgerLine[];
  readonly damaged: number;
} {
  const lines: LedgerLine[] = [];
  for (const record of records) {
    const decoded = attempt<LedgerLine>(decodeLine, parseJson(record));
    if (decoded instanceof Undecodable) continue;
    if (decoded.type === 'plan' && decoded.schema > journalSchema) {
      throw new Undecodable('.schema: written by a later version');
    }
    lines.push(decoded);
  }
  return { lines, damaged: records.length - lines.length };
}
