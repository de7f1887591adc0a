import {
  type JournalOwner,
  type SubmissionOutcome,
  type Submission,
  decodeOutcome,
  journalSchema,
  mayHaveJob,
} from '../../../jobs/common/submission.ts';
import {
  attempt,
  choice,
  list,
  number,
  optional,
  record,
  text,
  time,
  Undecodable,
} from '../../../base/decode/decoder.ts';
import { parseJson } from '../../../base/json/json.ts';

/** Source of the requests of a batch, so that it can be resumed after a reload. */
export type BatchSource =
  /** One request per file, by URI. */
  | { readonly type: 'files'; readonly files: readonly string[] }
  /**
   * One request per audio URL, made from a template file. `list` is the URI of the file with the URLs; undefined if they have another
   * source. `keyId` names the key with which the items were hashed; missing in earlier batches.
   */
  | ({ readonly type: 'list'; readonly template: string; readonly keyId?: string | undefined } & BatchList)
  /** One request per failed job, each repeated as confirmed, with what their lists have in common. Missing in earlier batches. */
  | ({ readonly type: 'resubmit'; readonly jobs: readonly RepeatedJob[] } & BatchList);

/** The list of audio URLs that requests came from. */
export interface BatchList {
  readonly list?: string | undefined;
  /** Key of the metadata that holds the file name of each audio; undefined for none. */
  readonly titleKey?: string | undefined;
  /** Keys of the metadata that come from columns of the list. Missing in earlier batches, which used no columns. */
  readonly metadataKeys?: readonly string[] | undefined;
}

/** A failed job whose request is repeated. */
export interface RepeatedJob {
  readonly job: string;
  /** URI of its request file, or of the template of a list; undefined when the request comes from the service's echo. */
  readonly file: string | undefined;
  /** Digest of the body that the user confirmed. */
  readonly bodyHash: string;
  /** Label that distinguishes jobs with the same file, as in {@link BatchItem.label}. Missing in earlier batches. */
  readonly label?: string | undefined;
}

/** The batch as the user confirmed it. */
export interface BatchPlan {
  /** Name of the connection. */
  readonly connection: string;
  readonly origin: string;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Number of requests. */
  readonly total: number;
  readonly source: BatchSource;
  /** The `item` of each request in the source that the user excluded. */
  readonly skipped: readonly string[];
  /** Rows of the list that yielded no request. Missing in earlier batches, and if there are none. */
  readonly leftOut?: readonly LeftOutRow[] | undefined;
}

/** A row of a list that is not sent. */
export interface LeftOutRow {
  /** From 1. */
  readonly row: number;
  /** As worded in the confirmation. */
  readonly reason: string;
}

/** Max number of left-out rows that a ledger stores. */
export const maxLeftOut = 1000;

/** The batch of jobs that have finished. */
export interface FinishedBatch {
  readonly connection: JournalOwner;
  readonly id: string;
  /** How all of its jobs ended, as a sentence; undefined while that is not known of some. */
  readonly outcome: string | undefined;
  /** True if a job failed, wholly or in part. */
  readonly hasLosses: boolean;
}

/** Reason why a run of a batch ended. */
export type BatchEnd =
  | { readonly type: 'done' }
  | { readonly type: 'cancelled' }
  /** Stopped because further requests would fail: rejected key, rate limit, or no connection. */
  | { readonly type: 'stopped' };

/**
 * A line of a batch's append-only ledger. `run` identifies one window's attempt to send the remaining requests. The newest
 * run owns the batch; later claims of older runs are ignored.
 */
export type LedgerLine = LedgerEvent & {
  /** Number of the line within its run, from 0: a gap shows that a line is lost. Missing in corrections written later. */
  readonly n?: number | undefined;
};

type LedgerEvent =
  | ({ readonly type: 'plan'; readonly schema: number } & BatchPlan)
  | { readonly type: 'run'; readonly run: string; readonly sender: number }
  /** Written before the request is sent. `item` is a digest of what identifies the request: its file or audio URL. */
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
  /** File name, or host and file name of the audio, without the query. */
  readonly label: string;
  /** URI of the request file. */
  readonly file: string;
  readonly run: string;
  readonly outcome: SubmissionOutcome;
  /** Time when it was last sent, by the local clock; undefined if the journal does not have it. */
  readonly sentAtMs?: number | undefined;
}

/** The state of a batch according to its ledger. */
export interface Batch {
  readonly plan: BatchPlan;
  /** The run that owns the batch; undefined before the first. */
  readonly run: string | undefined;
  /** By `item`, in the order in which they were first sent. */
  readonly items: ReadonlyMap<string, BatchItem>;
  /** The last submissions that repeat its jobs, with possible success, by the id of the repeated job. */
  readonly resubmitted: ReadonlyMap<string, Submission>;
  /** Process id of that run. */
  readonly sender: number | undefined;
  /** Process ids of all runs without a recorded end. */
  readonly open: ReadonlyMap<string, number>;
  /** The plan's `skipped`, as a set. */
  readonly skipped: ReadonlySet<string>;
  /** Result of the last run; undefined while it is running, or if its window was closed. */
  readonly end: BatchEnd | undefined;
  /** Number of ledger lines known to be lost. */
  readonly damaged: number;
  /** Lines are lost and the journal cannot replace them: nothing may be sent, to avoid duplicates. */
  readonly isDoubtful: boolean;
}

/** Replays a complete ledger; undefined if it has no plan. @param damaged number of lines that could not be read. */
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
  const resubmitted = new Map<string, Submission>();
  return plan && { plan, run, sender, open, items, resubmitted, end, skipped, damaged: lost, isDoubtful: lost > 0 };
}

/** Counts the lines that are missing before later lines of the same run. */
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
 * Returns the batch with stale outcomes replaced: requests that were being sent when their run ended, or when another run took over, have
 * an unknown outcome.
 * @param senderIsAlive true if the process of the last run is alive.
 */
export function withStaleOutcomes(batch: Batch, senderIsAlive: boolean): Batch {
  const isRunning = senderIsAlive && batch.end === undefined;
  const items = [...batch.items].map(([key, item]): [string, BatchItem] => {
    if (item.outcome.type !== 'sending' || (isRunning && item.run === batch.run)) return [key, item];
    return [key, { ...item, outcome: { type: 'unknown', code: undefined, lookedAtMs: undefined } }];
  });
  return { ...batch, items: new Map(items) };
}

/**
 * True if the request of the batch should still be sent: it was not sent, it was rejected for a reason other than its content, or the user
 * searched for its job and did not find it.
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

/** Counts the requests still to be sent, according to the ledger. */
export function pendingCount(batch: Batch): number {
  if (batch.isDoubtful) return [...batch.items.keys()].filter((item) => isPending(batch, item)).length;
  const settled = [...batch.items.keys()].filter((item) => !isPending(batch, item)).length;
  return Math.max(0, batch.plan.total - settled);
}

/** Max number of requests in a row without a response. A single one may be chance; this many are not. */
const maxUnknownInARow = 3;

/**
 * True if a batch stops after these outcomes, newest last: further requests would fail, too (rejected key, rate limit, no connection), or
 * several requests in a row got no response.
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
      const row = outcomes.slice(-maxUnknownInARow);
      return row.length === maxUnknownInARow && row.every(({ type }) => type === 'unknown');
    }
  }
}

/** The journal's records since a batch began. */
export interface JournalSnapshot {
  /** Newest first. */
  readonly submissions: readonly Submission[];
  /** No submission of the batch can be missing. */
  readonly isComplete: boolean;
  /** Returns the `item` of a submission of the batch; undefined for others. */
  readonly itemOf: (submission: Submission) => string | undefined;
  /** True if the run with this process id has ended. */
  readonly isOver: (sender: number) => boolean;
}

/**
 * Merges ledger and journal: a request is sent only if both allow it. Each request is written to the ledger and then to the journal before
 * it is sent. If its run has ended and a complete journal does not contain it, it was not sent.
 */
export function withJournal(batch: Batch, { submissions, isComplete, itemOf, isOver }: JournalSnapshot): Batch {
  const journaled = new Map<string, Submission>();
  for (const each of submissions.toReversed()) {
    const item = itemOf(each);
    if (item !== undefined && journaled.get(item)?.outcome.type !== 'accepted') journaled.set(item, each);
  }
  const isOpen = ({ outcome, run }: BatchItem): boolean => {
    const sender = batch.open.get(run);
    return isInconclusive(outcome) && (sender === undefined || isOver(sender));
  };
  const items = new Map<string, BatchItem>();
  for (const item of new Set([...batch.items.keys(), ...journaled.keys()])) {
    const known = batch.items.get(item);
    const entry = journaled.get(item);
    if (known === undefined && entry !== undefined) {
      const label = entry.label ?? entry.file.slice(entry.file.lastIndexOf('/') + 1);
      const { file, outcome, sentAtMs } = entry;
      items.set(item, { item, label, file, run: batch.run ?? '', outcome, sentAtMs });
    } else if (known !== undefined) {
      const outcome = isOpen(known)
        ? (entry?.outcome ?? (isComplete ? neverSent : known.outcome))
        : saferOutcome(known.outcome, entry?.outcome);
      items.set(item, { ...known, outcome, sentAtMs: entry?.sentAtMs });
    }
  }
  const ids = new Set([...items.values()].map(({ outcome }) => (outcome.type === 'accepted' ? outcome.id : undefined)));
  const resubmitted = new Map<string, Submission>();
  for (const each of submissions.toReversed())
    if (each.replaces !== undefined && ids.has(each.replaces) && mayHaveJob(each)) resubmitted.set(each.replaces, each);
  return { ...batch, items, resubmitted, isDoubtful: batch.damaged > 0 && !isComplete };
}

const neverSent: SubmissionOutcome = { type: 'notSent', code: 'cancelled' };

/** Selects the outcome that prevents sending again, if any; otherwise the more certain one. */
function saferOutcome(ledger: SubmissionOutcome, journal: SubmissionOutcome | undefined): SubmissionOutcome {
  if (journal === undefined || ledger.type === 'accepted') return ledger;
  if (journal.type === 'accepted') return journal;
  return isWorthSending(ledger) ? journal : ledger;
}

/** Returns the `item` of a submission in a batch. @param digest SHA-256, hexadecimal. */
export function itemOf(
  { plan }: Batch,
  { audioHash, file, replaces }: Submission,
  digest: (text: string) => string,
): string | undefined {
  switch (plan.source.type) {
    case 'files':
      return digest(file);
    case 'list':
      return audioHash;
    case 'resubmit':
      return replaces === undefined ? undefined : digest(replaces);
  }
}

/** Returns the requests that a source names, by `item`; none for a list, because its URLs are not stored. `file` is missing for an echo. */
export function namedItems(
  source: BatchSource,
  digest: (text: string) => string,
): readonly (Pick<BatchItem, 'item'> & Pick<RepeatedJob, 'file' | 'label'>)[] {
  switch (source.type) {
    case 'files':
      return source.files.map((file) => ({ item: digest(file), file }));
    case 'list':
      return [];
    case 'resubmit':
      return source.jobs.map(({ job, file, label }) => ({ item: digest(job), file, label }));
  }
}

function isInconclusive(outcome: SubmissionOutcome): boolean {
  if (outcome.type === 'sending') return true;
  return outcome.type === 'unknown' && outcome.code === undefined && outcome.lookedAtMs === undefined;
}

const n = optional(number);
const batchList = { list: optional(text), titleKey: optional(text), metadataKeys: optional(list(text)) };
const decodeLine = choice({
  plan: {
    schema: number,
    connection: text,
    origin: text,
    startedAtMs: time,
    total: number,
    source: choice({
      files: { files: list(text) },
      list: { template: text, keyId: optional(text), ...batchList },
      resubmit: {
        jobs: list(record({ job: text, file: optional(text), bodyHash: text, label: optional(text) })),
        ...batchList,
      },
    }),
    skipped: list(text),
    leftOut: optional(list(record({ row: number, reason: text }))),
  },
  run: { run: text, sender: number, n },
  send: { run: text, item: text, label: text, file: text, n },
  outcome: { run: text, item: text, outcome: decodeOutcome, n },
  end: { run: text, end: choice({ done: {}, cancelled: {}, stopped: {} }), n },
});

/**
 * Decodes the lines of a ledger.
 * @returns `damaged`: the number of invalid lines.
 * @throws Undecodable when a later version wrote it.
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
