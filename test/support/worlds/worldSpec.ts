/**
 * What the contract leaves open, as plain data. A {@link WorldSpec} names only what differs from {@link rightService}, so that
 * a counterexample prints small and can be kept as an example. Each knob cites the sentence that leaves it open; where a value
 * breaks a sentence, `readability` says so.
 */
export interface WorldKnobs {
  /** Decides on ids, statuses, who leaves and how ties fall. */
  readonly seed: number;
  /** The service's time when the world begins: the clock that dates jobs. ISO 8601. */
  readonly startAt: string;
  /** Virtual time that one request takes. */
  readonly latencyMs: number;
  /** How far the client's clock is ahead of the clock that dates jobs; negative when behind. Contract 2.2: only UTC is said. */
  readonly clientOffsetMs: number;
  /** The jobs that are there at first. */
  readonly jobs: JobsKnob;
  /** `Date` of answers. The contract names no response header. */
  readonly dateHeader: 'missing' | 'odd' | DateHeaderKnob;
  /** Contract 4.5: "keeps items that occurred before it": which time occurs, whether bounds count, how fine it is, is open. */
  readonly beforeDate: DateKnob;
  /** Contract 4.5: "keeps items after it". */
  readonly afterDate: DateKnob;
  /** Contract 4.5: "keeps items relevant to that date". */
  readonly onDate: DateKnob;
  /** Contract 4.1 and 4.2 say which jobs are listed, not in which order. */
  readonly order: 'newest' | 'oldest' | 'completedFirst' | 'completedLast' | 'id' | 'changed';
  /** As above: how jobs of the same instant stand, and whether they stand the same each time. */
  readonly ties: 'stable' | 'shuffled';
  /** Contract 8: "Maximum value of limit: not shown"; the default only of the live list. */
  readonly limit: LimitKnob;
  /** Contract 2.1: "URL that fetches the next page; null when there is none". */
  readonly next: NextKnob;
  /** Contract 4.5: "starting point of the page", in a list before or after it is filtered; short pages are not excluded. */
  readonly cut: 'afterFilter' | 'beforeFilter' | 'beforeFilterShortIsEnd';
  /** Contract 4.5: `limit` is "the maximum number of items returned", so that a page may be empty. */
  readonly emptyPages: EmptyPagesKnob | null;
  /** Contract 4.5: "Encoding of array and object values in the query string: not shown". */
  readonly arrays: EncodingKnob<ArrayEncoding>;
  /** As above, for `custom_metadata`. */
  readonly metadata: EncodingKnob<MetadataEncoding>;
  /** Contract 2.2: "Nullability and required status of the item fields: not shown"; nothing promises that an item is an object. */
  readonly unreadable: UnreadableKnob | null;
  /** Contract 2.2: `id` is "identifier of the job", not of the row: one job may stand in two. */
  readonly repeats: RepeatsKnob | null;
  /** Contract 2.2, nullability, for `created_at`. */
  readonly createdAt: CreatedAtKnob | null;
  /** Contract 2.2, nullability: how an absent `completed_at` or `error_code` is written. */
  readonly absent: 'null' | 'missing';
  /** Contract 3: "Transitions: not shown"; nothing says that a list stands still. Applied in this order. */
  readonly changes: readonly ChangeKnob[];
  /** Contract 8 has no maximum of `offset`, and 7.3 no error statuses. */
  readonly beyond: BeyondKnob | null;
  /** Contract 8: "rate limits: not shown". */
  readonly rateLimit: RateLimitKnob | null;
  /** Contract 7.3: "HTTP error statuses and error response bodies: not shown". */
  readonly hiccups: HiccupKnob | null;
  /** Contract 4.4: "Response body and the set of required fields: not shown". The nth POST gets the nth, then from the start. */
  readonly posts: readonly PostKnob[];
  /** Contract 4.4 and 2.2: when and how a submitted job appears in a list is not shown. */
  readonly made: MadeKnob;
  /** Contract 4.3: deprecated; "The shape of its items: not shown". */
  readonly combined: 'works' | 'withoutKind' | 404 | 410;
  /** Bytes by which each item is larger. Contract 2.2: `post_session_metadata` may hold anything. */
  readonly itemBytes: number;
  /** Virtual age of the state that answers; one after the other. Nothing in the contract promises to read what was written. */
  readonly replicaLagsMs: readonly number[];
}

/** A world in its difference from the right service. */
export type WorldSpec = Partial<WorldKnobs>;

export type WorldStatus = 'queued' | 'processing' | 'done' | 'error';
export type WorldKind = 'pre-recorded' | 'live';

export interface JobsKnob {
  readonly count: number;
  /** Every nth job is live; 0: none. */
  readonly liveEvery: number;
  /** From one creation to the next. */
  readonly spacingMs: number;
  /** How many jobs share each instant of creation. */
  readonly tied: number;
  /** Age of the newest when the world begins; negative: dated in the future. */
  readonly newestAgeMs: number;
  readonly statuses: 'mixed' | 'done' | 'queued';
}

export interface DateHeaderKnob {
  /** How far the header is ahead of the clock that dates jobs, request by request and then from the start. */
  readonly offsetsMs: readonly number[];
  /** The header only changes so often. HTTP's own is 1,000. */
  readonly coarseMs: number;
}

export type DateKnob =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly status: 400 | 422 }
  | {
      readonly kind: 'honoured';
      readonly inclusive: boolean;
      /** Both sides are cut to it before they are compared. */
      readonly grain: 'millisecond' | 'second' | 'day';
      readonly field: 'created_at' | 'completed_at';
    };

export interface LimitKnob {
  /** Null: any. */
  readonly max: number | null;
  /** What happens above `max`: silently fewer, or a refusal. */
  readonly above: 'capped' | 400 | 413 | 422;
  /** When the request names none. */
  readonly default: number;
}

/** What stands in `next`; `url` is what the contract shows, on the deprecated path. */
export type NextShape =
  'url' | 'elsewhere' | 'relative' | 'null' | 'missing' | 'true' | 'false' | 'object' | 'number' | 'zero' | 'empty';

export interface NextKnob {
  /** What stands there when there is more. */
  readonly more: NextShape;
  /** What stands there at the end. */
  readonly end: NextShape;
  /** `onePage`: the last page with jobs still announces one, which is empty. `never`: there always seems to be more. */
  readonly late: 'no' | 'onePage' | 'never';
  /** Too early: from this many jobs on a page says that it is the last. */
  readonly nullFrom: number | null;
}

export interface EmptyPagesKnob {
  /** Pages that begin at `from` or later, but before `to`, are empty and announce more. */
  readonly from: number;
  readonly to: number;
  /** How often; null: always. */
  readonly times: number | null;
}

export type ArrayEncoding = 'repeat' | 'comma' | 'brackets' | 'indexed' | 'json';
export type MetadataEncoding = 'json' | 'brackets' | 'dotted';

export interface EncodingKnob<T extends string> {
  readonly understands: readonly T[];
  /** What becomes of a value that is written otherwise. `nothing`: no job matches. */
  readonly otherwise: 'ignored' | 'first' | 'nothing' | 400 | 422;
}

export interface UnreadableKnob {
  /** Every nth job is handed out so. */
  readonly every: number;
  readonly as:
    'null' | 'number' | 'text' | 'list' | 'emptyObject' | 'withoutId' | 'numberAsId' | 'emptyId' | 'objectAsId';
  /** Whether one is like the other, to the byte. */
  readonly identical: boolean;
}

export interface RepeatsKnob {
  /** Every nth job stands in two rows, one after the other. */
  readonly every: number;
  /** Whether the second row shows the job as it was at first. */
  readonly stale: boolean;
}

export interface CreatedAtKnob {
  /** Every nth job. The service itself knows its time, and orders and filters by it. */
  readonly every: number;
  readonly as: 'missing' | 'null' | 'number' | 'text' | 'empty' | 'seconds' | 'zone' | 'withoutZone' | 'day';
}

export interface ChangeKnob {
  /** `flip`: to any status. `return`: one that left is there again. */
  readonly what: 'arrive' | 'leave' | 'progress' | 'flip' | 'return';
  /** Every nth request, before it is answered, or every so many virtual milliseconds. */
  readonly per: 'request' | 'ms';
  readonly every: number;
  /** How many jobs at a time. */
  readonly count: number;
  /** Which job, as the list stands newest first. */
  readonly where: 'start' | 'middle' | 'end' | 'any';
  /** For arrivals: how far `created_at` is from the service's time. */
  readonly datedByMs: number;
  /** How often at most; null: for ever. */
  readonly times: number | null;
}

export interface BeyondKnob {
  readonly at: number;
  /** `stuck`: the page at `at`, again and again. `empty`: no items, and `next` is null. */
  readonly answer: 400 | 403 | 404 | 422 | 500 | 503 | 'empty' | 'stuck';
  /** What must not go beyond: where a page starts (`offset` of `at` is refused), or where it would end. */
  readonly counts: 'offset' | 'end';
}

export interface RateLimitKnob {
  /** Every nth GET; at least 2. */
  readonly every: number;
  readonly retryAfter: 'seconds' | 'date' | 'missing' | 'odd';
  readonly seconds: number;
}

export interface HiccupKnob {
  /** Every nth GET; at least 2. */
  readonly every: number;
  /** `breaks`: no byte of an answer. `cut`: half of it. */
  readonly as: 408 | 500 | 502 | 503 | 504 | 'breaks' | 'cut' | 'notJson' | 'emptyBody';
}

export type PostBody =
  'id' | 'job' | 'nested' | 'withoutId' | 'empty' | 'text' | 'list' | 'null' | 'numberAsId' | 'hugeId' | 'refusal';

export interface PostKnob {
  /** Whether a job is made. */
  readonly processed: boolean;
  /** `breaks`: no byte of an answer. `cut`: status 201 and half of the body. */
  readonly answer: number | 'breaks' | 'cut';
  readonly body: PostBody;
}

export interface MadeKnob {
  /** Virtual time until the job is in a list. */
  readonly afterMs: number;
  /** How far its `created_at` is from the moment of the POST. */
  readonly datedByMs: number;
  readonly showsCreatedAt: boolean;
  readonly showsMetadata: boolean;
  /** Whether the item repeats the request's body as `request_params`, audio included. */
  readonly showsRequest: boolean;
}

const honoured = { kind: 'honoured', inclusive: false, grain: 'millisecond', field: 'created_at' } as const;

/** The service that a reader of the contract would expect. */
export const rightService: WorldKnobs = {
  seed: 1,
  startAt: '2026-03-14T15:09:26.535Z',
  latencyMs: 40,
  clientOffsetMs: 0,
  jobs: { count: 30, liveEvery: 0, spacingMs: 60_000, tied: 1, newestAgeMs: 60_000, statuses: 'mixed' },
  dateHeader: { offsetsMs: [0], coarseMs: 1000 },
  beforeDate: honoured,
  afterDate: honoured,
  onDate: { ...honoured, inclusive: true, grain: 'day' },
  order: 'newest',
  ties: 'stable',
  limit: { max: null, above: 'capped', default: 20 },
  next: { more: 'url', end: 'null', late: 'no', nullFrom: null },
  cut: 'afterFilter',
  emptyPages: null,
  arrays: { understands: ['repeat', 'comma', 'brackets', 'indexed', 'json'], otherwise: 400 },
  metadata: { understands: ['json', 'brackets', 'dotted'], otherwise: 400 },
  unreadable: null,
  repeats: null,
  createdAt: null,
  absent: 'null',
  changes: [],
  beyond: null,
  rateLimit: null,
  hiccups: null,
  posts: [{ processed: true, answer: 201, body: 'id' }],
  made: { afterMs: 0, datedByMs: 0, showsCreatedAt: true, showsMetadata: true, showsRequest: false },
  combined: 'works',
  itemBytes: 0,
  replicaLagsMs: [0],
};
