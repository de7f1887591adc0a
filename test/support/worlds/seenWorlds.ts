import { rightService, type ChangeKnob, type WorldSpec } from './worldSpec.ts';

const busy = { ...rightService.jobs, count: 2000, spacingMs: 30, newestAgeMs: 0 };
const calm = { ...rightService.jobs, count: 200, spacingMs: 600_000 };
const leave: ChangeKnob = {
  what: 'leave',
  per: 'request',
  every: 1,
  count: 1,
  where: 'start',
  datedByMs: 0,
  times: null,
};
const arrive: ChangeKnob = { ...leave, what: 'arrive' };
const made = rightService.made;

/**
 * Worlds in which jobs were once lost, miscounted, reported as rejected or not found, named by their peculiarity,
 * including those that properties have found since. Run before the generated ones: `examples: seenWorldExamples`.
 */
export const seenWorlds: Readonly<Record<string, WorldSpec>> = {
  'Date 3 s behind, 2,000 jobs of the last minute': { jobs: busy, dateHeader: { offsetsMs: [-3000], coarseMs: 1000 } },
  'Date 10 s behind, 2,000 jobs of the last minute': {
    jobs: busy,
    dateHeader: { offsetsMs: [-10_000], coarseMs: 1000 },
  },
  'Date 1 h behind, 2,000 jobs of the last minute': {
    jobs: busy,
    dateHeader: { offsetsMs: [-3_600_000], coarseMs: 1000 },
  },
  'Date 1 h behind, a calm account': { jobs: calm, dateHeader: { offsetsMs: [-3_600_000], coarseMs: 1000 } },
  'Date ahead, jobs arrive': { jobs: calm, dateHeader: { offsetsMs: [600_000], coarseMs: 1000 }, changes: [arrive] },
  'Date jumps': { jobs: calm, dateHeader: { offsetsMs: [0, -60_000, 3_600_000], coarseMs: 1000 } },
  'no Date': { jobs: calm, dateHeader: 'missing' },
  'before_date counts whole days': {
    jobs: calm,
    beforeDate: { kind: 'honoured', inclusive: false, grain: 'day', field: 'created_at' },
  },
  'before_date counts whole days, the last included': {
    jobs: calm,
    beforeDate: { kind: 'honoured', inclusive: true, grain: 'day', field: 'created_at' },
  },
  'before_date looks at completed_at': {
    jobs: calm,
    beforeDate: { kind: 'honoured', inclusive: false, grain: 'millisecond', field: 'completed_at' },
  },
  'before_date is ignored, jobs arrive': { jobs: calm, beforeDate: { kind: 'ignored' }, changes: [arrive] },
  'before_date is refused': { jobs: calm, beforeDate: { kind: 'refused', status: 422 } },
  'one job leaves': { jobs: { ...calm, count: 1090 }, changes: [{ ...leave, every: 2, times: 1 }] },
  'a job leaves every tenth request': { jobs: { ...calm, count: 1090 }, changes: [{ ...leave, every: 10 }] },
  'one leaves and one arrives at each request': { jobs: { ...calm, count: 780 }, changes: [leave, arrive] },
  'limits above 50 are refused with 400': { jobs: calm, limit: { max: 50, above: 400, default: 20 } },
  'limits above 50 are refused with 422': { jobs: calm, limit: { max: 50, above: 422, default: 20 } },
  'pages of one job': { limit: { max: 1, above: 'capped', default: 1 } },
  'two like unreadable items, and one leaves': {
    jobs: calm,
    unreadable: { every: 2, as: 'null', identical: true },
    changes: [{ ...leave, every: 2 }],
  },
  'a page in the middle stays empty': { jobs: calm, emptyPages: { from: 40, to: 60, times: null } },
  'a page in the middle is empty once': { jobs: calm, emptyPages: { from: 20, to: 60, times: 1 } },
  'next is true': { jobs: calm, next: { ...rightService.next, more: 'true' } },
  'next is an object': { jobs: calm, next: { ...rightService.next, more: 'object' } },
  'empty beyond an offset, next null': { jobs: calm, beyond: { at: 100, answer: 'empty', counts: 'offset' } },
  '403 beyond an offset': { jobs: calm, beyond: { at: 100, answer: 403, counts: 'offset' } },
  '404 beyond an offset': { jobs: calm, beyond: { at: 100, answer: 404, counts: 'offset' } },
  '500 beyond an offset': { jobs: calm, beyond: { at: 100, answer: 500, counts: 'offset' } },
  '503 beyond an offset': { jobs: calm, beyond: { at: 100, answer: 503, counts: 'end' } },
  'processed, 503': { posts: [{ processed: true, answer: 503, body: 'refusal' }] },
  'processed, cut off': { posts: [{ processed: true, answer: 'cut', body: 'id' }] },
  'processed, 301': { posts: [{ processed: true, answer: 301, body: 'empty' }] },
  'processed, 302': { posts: [{ processed: true, answer: 302, body: 'empty' }] },
  'processed, 408': { posts: [{ processed: true, answer: 408, body: 'empty' }] },
  'processed, 409': { posts: [{ processed: true, answer: 409, body: 'refusal' }] },
  'processed, a status that is none': { posts: [{ processed: true, answer: 799, body: 'id' }] },
  'a new job without metadata and audio': { made: { ...made, showsMetadata: false } },
  'a new job dated minutes early': { made: { ...made, datedByMs: -600_000 } },
  'a new job dated minutes late': { made: { ...made, datedByMs: 600_000 } },
  'a new job without created_at, no Date': { made: { ...made, showsCreatedAt: false }, dateHeader: 'missing' },
  'a new job that is listed late': { made: { ...made, afterMs: 30_000 } },
};

/** For `fc.assert` of a property whose only value is a world's spec. */
export const seenWorldExamples: [WorldSpec][] = Object.values(seenWorlds).map((spec) => [spec]);
