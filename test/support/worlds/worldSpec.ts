/**
 * Open points of the contract, as plain data. A {@link WorldSpec} contains only the differences from {@link rightService}, so that a
 * counterexample is short and can be stored as an example. Each knob cites the sentence that leaves it open; if a value violates a
 * sentence, `readability` reports it.
 */
export interface WorldKnobs {
  /** Determines ids, statuses, which jobs leave, and the order of ties. */
  readonly seed: number;
  /** The service's initial time, by the clock that dates jobs. ISO 8601. */
  readonly startAt: string;
  /** Virtual duration of one request. */
  readonly latencyMs: number;
  /** Lead of the client's clock over the clock that dates jobs; may be negative. Contract 2.2 says only UTC. */
  readonly clientOffsetMs: number;
  /** The initial jobs. */
  readonly jobs: JobsKnob;
  /** The `Date` header of responses. The contract names no response header. */
  readonly dateHeader: 'missing' | 'odd' | DateHeaderKnob;
  /** Contract 4.5: "keeps items that occurred before it". Timestamp, inclusiveness and precision are open. */
  readonly beforeDate: DateKnob;
  /** Contract 4.5: "keeps items after it". */
  readonly afterDate: DateKnob;
  /** Contract 4.5: "keeps items relevant to that date". */
  readonly onDate: DateKnob;
  /** Contract 4.1 and 4.2 say which jobs are listed, not in which order. */
  readonly order: 'newest' | 'oldest' | 'completedFirst' | 'completedLast' | 'id' | 'changed';
  /** As above: the order of jobs with the same timestamp, and whether it is the same each time. */
  readonly ties: 'stable' | 'shuffled';
  /** Contract 8: "Maximum value of limit: not shown"; a default is given only for the live list. */
  readonly limit: LimitKnob;
  /** Contract 2.1: "URL that fetches the next page; null when there is none". */
  readonly next: NextKnob;
  /**
   * Contract 4.5: "starting point of the page", in the list before or after filtering; short pages are not excluded.
   */
  readonly cut: 'afterFilter' | 'beforeFilter' | 'beforeFilterShortIsEnd';
  /** Contract 4.5: `limit` is "the maximum number of items returned", so a page may be empty. */
  readonly emptyPages: EmptyPagesKnob | null;
  /** Contract 4.5: "Encoding of array and object values in the query string: not shown". */
  readonly arrays: EncodingKnob<ArrayEncoding>;
  /** As above, for `custom_metadata`. */
  readonly metadata: EncodingKnob<MetadataEncoding>;
  /** Contract 2.2: "Nullability and required status of the item fields: not shown"; items need not be objects. */
  readonly unreadable: UnreadableKnob | null;
  /** Contract 2.2: `id` is "identifier of the job", not of the row: a job may have two rows. */
  readonly repeats: RepeatsKnob | null;
  /** Contract 2.2, nullability, for `created_at`. */
  readonly createdAt: CreatedAtKnob | null;
  /** Contract 2.2, nullability: how an absent `completed_at` or `error_code` is written. */
  readonly absent: 'null' | 'missing';
  /** Contract 3: "Transitions: not shown"; nothing guarantees that a list is stable. Applied in this order. */
  readonly changes: readonly ChangeKnob[];
  /** Contract 8 has no maximum for `offset`, and 7.3 no error statuses. */
  readonly beyond: BeyondKnob | null;
  /** Contract 8: "rate limits: not shown". */
  readonly rateLimit: RateLimitKnob | null;
  /** Contract 7.3: "HTTP error statuses and error response bodies: not shown". */
  readonly hiccups: HiccupKnob | null;
  /** Contract 4.4: "Response body and the set of required fields: not shown". Used one per POST, cyclically. */
  readonly posts: readonly PostKnob[];
  /** Contract 4.4 and 2.2: when and how a submitted job appears in a list is not shown. */
  readonly made: MadeKnob;
  /** Contract 4.3: deprecated; "The shape of its items: not shown". */
  readonly combined: 'works' | 'withoutKind' | 404 | 410;
  /** Additional bytes per item. Contract 2.2: `post_session_metadata` may contain anything. */
  readonly itemBytes: number;
  /**
   * Virtual age of the state that each response shows, cyclically. The contract does not guarantee read-your-writes.
   */
  readonly replicaLagsMs: readonly number[];
}

/** A world as its differences from {@link rightService}. */
export type WorldSpec = Partial<WorldKnobs>;

export type WorldStatus = 'queued' | 'processing' | 'done' | 'error';
export type WorldKind = 'pre-recorded' | 'live';

export interface JobsKnob {
  readonly count: number;
  /** Every nth job is live; 0: none. */
  readonly liveEvery: number;
  /** Time between creations. */
  readonly spacingMs: number;
  /** The number of jobs that share a creation time. */
  readonly tied: number;
  /** Initial age of the newest job; negative: dated in the future. */
  readonly newestAgeMs: number;
  readonly statuses: 'mixed' | 'done' | 'queued';
}

interface DateHeaderKnob {
  /** Lead of the header over the clock that dates jobs, one offset per request, cyclically. */
  readonly offsetsMs: readonly number[];
  /** Precision of the header. HTTP's own is 1,000. */
  readonly coarseMs: number;
}

export type DateKnob =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly status: 400 | 422 }
  | {
      readonly kind: 'honoured';
      readonly inclusive: boolean;
      /** Both sides are truncated to it before they are compared. */
      readonly grain: 'millisecond' | 'second' | 'day';
      readonly field: 'created_at' | 'completed_at';
    };

interface LimitKnob {
  /** Null: no maximum. */
  readonly max: number | null;
  /** Behaviour above `max`: silently fewer items, or an error status. */
  readonly above: 'capped' | 400 | 413 | 422;
  /** Used if the request has no limit. */
  readonly default: number;
}

/** The content of `next`; `url` is what the contract shows, on the deprecated path. */
export type NextShape =
  'url' | 'elsewhere' | 'relative' | 'null' | 'missing' | 'true' | 'false' | 'object' | 'number' | 'zero' | 'empty';

interface NextKnob {
  /** Its content if there is more. */
  readonly more: NextShape;
  /** Its content at the end. */
  readonly end: NextShape;
  /**
   * `onePage`: the last page with jobs announces another one, which is empty. `never`: there always seems to be more.
   */
  readonly late: 'no' | 'onePage' | 'never';
  /** From this many jobs on, pages claim too early to be the last. */
  readonly nullFrom: number | null;
}

interface EmptyPagesKnob {
  /** Pages that begin at `from` or later, but before `to`, are empty and announce more. */
  readonly from: number;
  readonly to: number;
  /** Number of times; null: always. */
  readonly times: number | null;
}

export type ArrayEncoding = 'repeat' | 'comma' | 'brackets' | 'indexed' | 'json';
export type MetadataEncoding = 'json' | 'brackets' | 'dotted';

export interface EncodingKnob<T extends string> {
  readonly understands: readonly T[];
  /** The effect of a value in another encoding. `nothing`: no job matches. */
  readonly otherwise: 'ignored' | 'first' | 'nothing' | 400 | 422;
}

interface UnreadableKnob {
  /** Every nth job is unreadable. */
  readonly every: number;
  readonly as:
    'null' | 'number' | 'text' | 'list' | 'emptyObject' | 'withoutId' | 'numberAsId' | 'emptyId' | 'objectAsId';
  /** True if all unreadable items are identical byte by byte. */
  readonly identical: boolean;
}

interface RepeatsKnob {
  /** Every nth job has two consecutive rows. */
  readonly every: number;
  /** True if the second row shows the job's first state. */
  readonly stale: boolean;
}

interface CreatedAtKnob {
  /** Every nth job. The service itself knows the time, and sorts and filters by it. */
  readonly every: number;
  readonly as: 'missing' | 'null' | 'number' | 'text' | 'empty' | 'seconds' | 'zone' | 'withoutZone' | 'day';
}

export interface ChangeKnob {
  /** `flip`: to any status. `return`: a job that left is listed again. */
  readonly what: 'arrive' | 'leave' | 'progress' | 'flip' | 'return';
  /** Before every nth response, or at an interval of virtual milliseconds. */
  readonly per: 'request' | 'ms';
  readonly every: number;
  /** The number of jobs per change. */
  readonly count: number;
  /** Position of the job in the list, newest first. */
  readonly where: 'start' | 'middle' | 'end' | 'any';
  /** For arrivals: the offset of `created_at` from the service's time. */
  readonly datedByMs: number;
  /** Maximum number of changes; null: unlimited, or until the world rests. */
  readonly times: number | null;
}

interface BeyondKnob {
  readonly at: number;
  /** `stuck`: always the page at `at`. `empty`: no items, and `next` is null. */
  readonly answer: 400 | 403 | 404 | 422 | 500 | 503 | 'empty' | 'stuck';
  /** Subject of the limit: the start of a page (an `offset` of `at` is rejected), or its end. */
  readonly counts: 'offset' | 'end';
}

export interface RateLimitKnob {
  /** Every nth GET; at least 2. */
  readonly every: number;
  readonly retryAfter: 'seconds' | 'date' | 'missing' | 'odd';
  readonly seconds: number;
}

interface HiccupKnob {
  /** Every nth GET; at least 2. */
  readonly every: number;
  /** `breaks`: no byte of a response. `cut`: half of it. */
  readonly as: 408 | 500 | 502 | 503 | 504 | 'breaks' | 'cut' | 'notJson' | 'emptyBody';
}

type PostBody =
  'id' | 'job' | 'nested' | 'withoutId' | 'empty' | 'text' | 'list' | 'null' | 'numberAsId' | 'hugeId' | 'refusal';

export interface PostKnob {
  /** True if a job is created. */
  readonly processed: boolean;
  /** `breaks`: no byte of a response. `cut`: status 201 and half of the body. */
  readonly answer: number | 'breaks' | 'cut';
  readonly body: PostBody;
}

interface MadeKnob {
  /** Virtual time until the job is listed. */
  readonly afterMs: number;
  /** The offset of its `created_at` from the time of the POST. */
  readonly datedByMs: number;
  readonly showsCreatedAt: boolean;
  readonly showsMetadata: boolean;
  /** True if the item repeats the request's body as `request_params`, including the audio. */
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
