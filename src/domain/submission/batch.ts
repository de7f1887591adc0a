import { type SubmissionOutcome, type Submission, decodeOutcome, journalSchema } from './submission.ts';
import { attempt, choice, list, number, optional, text, Undecodable } from '../decode/decoder.ts';
import { parseJson } from '../json/json.ts';

/** Where the requests of a batch come from, so that it can be gone on with after a reload. */
export type BatchSource =
  /** One request per file, by URI. */
  | { readonly type: 'files'; readonly files: readonly string[] }
  /** One request per audio URL: a template file and, by URI, the list; without a list the URLs came from elsewhere. */
  | { readonly type: 'list'; readonly template: string; readonly list: string | undefined };

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
  /** Going on made no sense: the key was rejected, the service asks for fewer requests, nothing gets through. */
  | { readonly type: 'stopped' };

/**
 * A line of a batch's ledger, which only ever grows. `run` names one window's attempt to send what is left; the newest run
 * owns the batch, and what an older one claims after it counts for nothing.
 */
export type LedgerLine =
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

/** A request of a batch that was sent or was about to be. */
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
}

/** Reads a ledger from its beginning; undefined when it has no plan. */
export function replayLedger(lines: readonly LedgerLine[]): Batch | undefined {
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
  return plan && { plan, run, sender, open, items, end, skipped: new Set(plan.skipped) };
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
  switch (outcome?.type) {
    case undefined:
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
  const settled = [...batch.items.keys()].filter((item) => !isPending(batch, item)).length;
  return Math.max(0, batch.plan.total - settled);
}

/** One that breaks off may be chance; so many in a row are not. */
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

/** Requests that were claimed by a run that is over and did not say what became of them. */
export function leftOpen(batch: Batch, isOver: (sender: number) => boolean): readonly BatchItem[] {
  return [...batch.items.values()].filter(({ outcome, run }) => {
    const sender = batch.open.get(run);
    return isWithoutWord(outcome) && (sender === undefined || isOver(sender));
  });
}

/**
 * The batch with the journal's word for such requests. Each is written into the journal before it is sent: one that is not there was not.
 * @param submissions those of the batch, all of them, the newest first.
 * @param itemOf what the batch calls the request of a submission.
 */
export function journaledBatch(
  batch: Batch,
  open: readonly BatchItem[],
  submissions: readonly Submission[],
  itemOf: (submission: Submission) => string | undefined,
): Batch {
  const words = new Map(submissions.toReversed().map((each) => [itemOf(each), each.outcome]));
  const told = open.map(({ item, ...rest }): [string, BatchItem] => [
    item,
    { ...rest, item, outcome: words.get(item) ?? { type: 'notSent', code: 'cancelled' } },
  ]);
  return { ...batch, items: new Map([...batch.items, ...told]) };
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
    const decoded = line === '' ? undefined : attempt(decodeLine, parseJson(line));
    if (decoded === undefined || decoded instanceof Undecodable) return [];
    if (decoded.type === 'plan' && decoded.schema > journalSchema) {
      throw new Undecodable('.schema: written by a later version');
    }
    return [decoded];
  });
}
