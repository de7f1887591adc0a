import type { SubmissionOutcome } from '../submission.ts';

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
export function readBatch(lines: readonly LedgerLine[]): Batch | undefined {
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
