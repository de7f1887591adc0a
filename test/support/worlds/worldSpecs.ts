import * as fc from 'fast-check';
import { unprocessedStatuses } from './worldPosts.ts';
import {
  type ChangeKnob,
  type DateKnob,
  type EncodingKnob,
  type NextShape,
  type WorldKnobs,
  type WorldSpec,
} from './worldSpec.ts';

/** Options for generating worlds. */
export interface WorldSpecsOptions {
  /** Factor by which a knob is likelier right than odd: 6 gives about four odd knobs per world, 1 extreme worlds. */
  readonly calm?: number;
  readonly maxJobs?: number;
  /** Knobs that keep their right value. */
  readonly without?: readonly (keyof WorldKnobs)[];
  /** Includes items of 400 kB; slow. */
  readonly largeItems?: boolean;
}

/** An arbitrary of all worlds; they shrink to `{}`, the right service with thirty jobs. */
export function worldSpecs({
  calm = 6,
  maxJobs = 400,
  without = [],
  largeItems = false,
}: WorldSpecsOptions = {}): fc.Arbitrary<WorldSpec> {
  const rare = <T>(odd: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: calm, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: odd },
    );
  const often = <T>(odd: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 1, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: odd },
    );
  const drawn = plain({
    seed: often(fc.integer({ min: 2, max: 9999 })),
    startAt: rare(among('2026-03-14T00:00:03.000Z', '2026-03-14T23:59:58.999Z', '2028-02-29T12:00:00.000Z')),
    latencyMs: rare(among(1, 300, 5000)),
    clientOffsetMs: rare(offsets),
    jobs: often(jobs(maxJobs)),
    dateHeader: rare(dateHeader),
    beforeDate: rare(dateKnob),
    afterDate: rare(dateKnob),
    onDate: rare(dateKnob),
    order: rare(among('oldest', 'completedLast', 'completedFirst', 'id', 'changed')),
    ties: rare(fc.constant('shuffled')),
    limit: rare(limit),
    next: rare(next),
    cut: rare(among('beforeFilter', 'beforeFilterShortIsEnd')),
    emptyPages: rare(emptyPages),
    arrays: rare(encoding(['repeat', 'comma', 'brackets', 'indexed', 'json'])),
    metadata: rare(encoding(['json', 'brackets', 'dotted'])),
    unreadable: rare(unreadable),
    repeats: rare(plain({ every: small, stale: fc.boolean() })),
    createdAt: rare(createdAt),
    absent: rare(fc.constant('missing')),
    changes: often(fc.array(change, { minLength: 1, maxLength: 3 })),
    beyond: rare(beyond),
    rateLimit: rare(rateLimit),
    hiccups: rare(hiccups),
    posts: often(fc.array(post, { minLength: 1, maxLength: 3 })),
    made: often(made),
    combined: rare(among('withoutKind', 404, 410)),
    itemBytes: rare(largeItems ? among(400_000, 2_000_000) : among(1000, 4000)),
    replicaLagsMs: rare(fc.array(among(0, 100, 1000, 30_000), { minLength: 1, maxLength: 3 })),
  });
  return drawn.map((knobs) => {
    const right: readonly string[] = without;
    return Object.fromEntries(
      Object.entries(knobs).filter(([name, value]) => value !== undefined && !right.includes(name)),
    );
  });
}

/** Like `constantFrom`, with literal types for strings and numbers, too. */
function among<const T extends readonly (string | number | boolean | null)[]>(...values: T): fc.Arbitrary<T[number]> {
  return fc.constantFrom<T[number]>(...values);
}

/** A record without a null prototype, so that it prints like JSON. */
function plain<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true });
}

const small = fc.integer({ min: 1, max: 9 });
const offsets = among(-1000, 1000, -3000, 3000, -10_000, 10_000, -60_000, 600_000, -3_600_000, 3_600_000, 86_400_000);

const jobs = (maxJobs: number): fc.Arbitrary<WorldKnobs['jobs']> =>
  plain({
    count: fc.oneof(
      { withCrossShrink: true },
      fc.integer({ min: 0, max: Math.min(30, maxJobs) }),
      fc.nat(Math.min(130, maxJobs)),
      fc.nat(maxJobs),
    ),
    liveEvery: among(0, 0, 0, 3, 3, 1),
    spacingMs: among(60_000, 0, 1, 30, 999, 1000, 600_000, 3_600_000),
    tied: among(1, 2, 5, 40),
    newestAgeMs: among(60_000, 0, 1000, 86_400_000, -5000),
    statuses: among('mixed', 'done', 'queued'),
  });

const dateHeader: fc.Arbitrary<WorldKnobs['dateHeader']> = fc.oneof(
  { withCrossShrink: true },
  among('missing', 'odd'),
  plain({
    offsetsMs: fc.array(offsets, { minLength: 1, maxLength: 3 }),
    coarseMs: among(1000, 60_000, 3_600_000),
  }),
);

const dateKnob: fc.Arbitrary<DateKnob> = fc.oneof(
  { withCrossShrink: true },
  fc.constant({ kind: 'ignored' } as const),
  plain({ kind: fc.constant('refused'), status: among(400, 422) }),
  plain({
    kind: fc.constant('honoured'),
    inclusive: fc.boolean(),
    grain: among('millisecond', 'second', 'day'),
    field: among('created_at', 'completed_at'),
  }),
);

const limit: fc.Arbitrary<WorldKnobs['limit']> = plain({
  max: among(null, 100, 50, 17, 10, 5, 3, 2, 1),
  above: among('capped', 400, 422, 413),
  default: among(20, 1, 3, 100),
});

const oddNext: readonly NextShape[] = [
  'elsewhere',
  'relative',
  'null',
  'missing',
  'true',
  'false',
  'object',
  'number',
  'zero',
  'empty',
];

const next: fc.Arbitrary<WorldKnobs['next']> = plain({
  more: among('url', 'url', ...oddNext),
  end: among('null', 'null', 'missing', 'false', 'zero', 'empty', 'url'),
  late: among('no', 'no', 'onePage', 'never'),
  nullFrom: fc.option(fc.integer({ min: 1, max: 200 }), { freq: 1 }),
}).filter(({ more, end, late, nullFrom }) => more !== 'url' || end !== 'null' || late !== 'no' || nullFrom !== null);

const emptyPages: fc.Arbitrary<WorldKnobs['emptyPages']> = plain({
  from: fc.nat(100),
  length: fc.integer({ min: 1, max: 60 }),
  times: fc.option(small),
}).map(({ from, length, times }) => ({ from, to: from + length, times }));

const encoding = <T extends string>(all: readonly T[]): fc.Arbitrary<EncodingKnob<T>> =>
  plain({
    understands: fc.subarray([...all]),
    otherwise: among('ignored', 'first', 'nothing', 400, 422),
  });

const unreadable: fc.Arbitrary<WorldKnobs['unreadable']> = plain({
  every: small,
  as: among('null', 'number', 'text', 'list', 'emptyObject', 'withoutId', 'numberAsId', 'emptyId', 'objectAsId'),
  identical: fc.boolean(),
});

const createdAt: fc.Arbitrary<WorldKnobs['createdAt']> = plain({
  every: small,
  as: among('missing', 'null', 'number', 'text', 'empty', 'seconds', 'zone', 'withoutZone', 'day'),
});

const pace = fc.oneof(
  { withCrossShrink: true },
  plain({ per: among('request'), every: small }),
  plain({ per: among('ms'), every: among(1000, 100, 30) }),
);

const unpaced = plain({
  what: among('leave', 'arrive', 'progress', 'flip', 'return'),
  count: fc.oneof({ withCrossShrink: true }, fc.constant(1), fc.integer({ min: 1, max: 7 }), fc.constant(40)),
  where: among('start', 'middle', 'end', 'any'),
  datedByMs: fc.oneof({ withCrossShrink: true }, fc.constant(0), offsets),
  times: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 2 }),
});

const change: fc.Arbitrary<ChangeKnob> = fc.tuple(unpaced, pace).map(([what, when]) => ({ ...what, ...when }));

const beyond: fc.Arbitrary<WorldKnobs['beyond']> = plain({
  at: fc.oneof({ withCrossShrink: true }, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 300 })),
  answer: among(400, 403, 404, 422, 500, 503, 'empty', 'stuck'),
  counts: among('offset', 'end'),
});

const rateLimit: fc.Arbitrary<WorldKnobs['rateLimit']> = plain({
  every: fc.integer({ min: 2, max: 9 }),
  retryAfter: among('seconds', 'date', 'missing', 'odd'),
  seconds: among(1, 0, 30),
});

const hiccups: fc.Arbitrary<WorldKnobs['hiccups']> = plain({
  every: fc.integer({ min: 2, max: 9 }),
  as: among(500, 502, 503, 504, 408, 'breaks', 'cut', 'notJson', 'emptyBody'),
});

/** Accepted; processed or not, without saying so; correctly rejected. */
const post: fc.Arbitrary<WorldKnobs['posts'][number]> = fc.oneof(
  { withCrossShrink: true },
  plain({
    processed: fc.constant(true),
    answer: among(201, 200, 202, 204, 207, 'cut'),
    body: among('id', 'job', 'nested', 'withoutId', 'empty', 'text', 'list', 'null', 'numberAsId', 'hugeId'),
  }),
  plain({
    processed: fc.boolean(),
    answer: among(503, 500, 502, 504, 507, 301, 302, 303, 307, 308, 408, 409, 425, 418, 600, 799, 999, 'breaks'),
    body: among('refusal', 'empty', 'text', 'id'),
  }),
  plain({
    processed: fc.constant(false),
    answer: among(...unprocessedStatuses),
    body: among('refusal', 'empty', 'text'),
  }),
);

const made: fc.Arbitrary<WorldKnobs['made']> = plain({
  afterMs: among(0, 50, 1000, 30_000, 600_000),
  datedByMs: fc.oneof({ withCrossShrink: true }, fc.constant(0), offsets),
  showsCreatedAt: among(true, false),
  showsMetadata: among(true, false),
  showsRequest: among(false, true),
});
