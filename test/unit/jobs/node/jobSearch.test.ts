import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, isFailure } from '../../../../src/base/failure.ts';
import { parseJobQuery } from '../../../../src/jobs/common/findJobs.ts';
import type { Job } from '../../../../src/jobs/common/job.ts';
import type { ListParams, ListQuery } from '../../../../src/jobs/common/listParams.ts';
import {
  findCreated,
  HeldJobs,
  LoadedSearch,
  locateJob,
  searchJob,
  searchPages,
} from '../../../../src/jobs/node/jobSearch.ts';
import type { ListPage } from '../../../../src/jobs/common/decodePage.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { MovingList } from '../../../support/movingList/movingList.ts';
import { fakeReader } from '../../../support/lists/fakeLists.ts';
import { searchedJob as job, testLoadedSearch } from '../../../support/lists/loadedSearch.ts';

const questions: readonly ListQuery[] = [
  { endpoint: 'pre-recorded', params: {} },
  { endpoint: 'live', params: {} },
];

const never = new AbortController().signal;

const itself = (job: Job): Job => job;

testLoadedSearch(10_000);

test('the best matches come first, up to the max', async () => {
  const search = new LoadedSearch([30, 3, 31, 300, 5].map(job), itself);
  const ids = async (typed: string, max = 10): Promise<unknown> =>
    (await search.find(parseJobQuery(typed), max, never))?.map(
      ({ raw }) => (JSON.parse(raw) as { request_id: string }).request_id,
    );
  assert.deepEqual(await ids('g-3'), ['G-3', 'G-30', 'G-31', 'G-300']);
  assert.deepEqual(await ids('g-3', 2), ['G-3', 'G-30']);
  assert.deepEqual(await ids('', 2), ['G-30', 'G-3']);
});

test('a search of long transcripts does not block the editor, and lists them after all other matches', async () => {
  const words = Array.from({ length: 20_000 }, (_, at) => ({ word: ` word${at}`, start: at / 4, end: at / 4 + 0.2 }));
  const long = (index: number): Job => {
    const text = `${words.map(({ word }) => word).join('')} ${index === 30 ? 'needle' : ''}`;
    const transcription = { full_transcript: text, utterances: [{ text, words }] };
    return bareJob({ id: `long-${index}`, raw: JSON.stringify({ id: `long-${index}`, result: { transcription } }) });
  };
  const named = bareJob({ id: 'other', raw: '{"id":"other","custom_metadata":{"a":"needle"}}' });
  const search = new LoadedSearch([...Array.from({ length: 60 }, (_, index) => long(index)), named], itself);
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  const found = await search.find(parseJobQuery('needle'), 10, never);
  clearInterval(ticking);
  assert.deepEqual(
    found?.map(({ id }) => id),
    ['other', 'long-30'],
  );
  assert.ok(turns > 3, `${turns} turns`);
  assert.equal((await search.find(parseJobQuery('needle word19999'), 10, never))?.length, 1);
});

test('cached transcripts are searched, and the others are counted', async () => {
  const spoken = (id: string): Job => {
    const raw = JSON.stringify({ id, result: { transcription: { full_transcript: 'needle' } } });
    return bareJob({ id, raw });
  };
  const search = new LoadedSearch([spoken('a'), spoken('b'), spoken('c')], (job) => (job.id === 'b' ? undefined : job));
  const found = await search.find(parseJobQuery('needle'), 10, never);
  assert.deepEqual([found?.map(({ id }) => id), search.unread], [['a', 'c'], 1]);
  await search.find(parseJobQuery('b'), 10, never);
  assert.equal(search.unread, 0, 'found without its transcript');
});

test('a cancelled search ends', async () => {
  const search = new LoadedSearch(
    Array.from({ length: 50_000 }, (_, index) => job(index)),
    itself,
  );
  const stop = new AbortController();
  const searching = search.find(parseJobQuery('g-1'), 10, stop.signal);
  stop.abort();
  assert.equal(await searching, undefined);
});

test('further pages are read up to the max, shared among the lists', async () => {
  const list = new MovingList({ jobs: 1000, status: () => 'done' });
  const pages: [number, number][] = [];
  const options = { query: parseJobQuery('nothing'), limit: 50, max: 300, signal: never };
  const outcome = await searchPages(list, questions, {
    ...options,
    onPage: (found, read) => pages.push([found.length, read]),
  });
  assert.equal(outcome, 'bounded');
  const [, read = 0] = pages.at(-1) ?? [];
  assert.ok(read >= 300 && read < 400, `${read} read`);
  assert.ok(list.asked.some(({ endpoint }) => endpoint === 'live'));
});

test('a job on a late page is found, and the search reports that it read everything', async () => {
  const list = new MovingList({ jobs: 1000, status: () => 'done' });
  const found: string[] = [];
  const outcome = await searchPages(list, [{ endpoint: 'live', params: { statuses: ['done'] } }], {
    query: parseJobQuery('77'),
    limit: 50,
    max: 20_000,
    signal: never,
    onPage: (jobs) => found.push(...jobs.map(({ id }) => id)),
  });
  assert.equal(outcome, 'all');
  assert.equal(found.length, 19);
  assert.equal(new Set(found).size, 19);
});

test('all jobs that were read are kept, unless they are too many or too long', async () => {
  const list = new MovingList({ jobs: 1000, status: () => 'done' });
  const held = new HeldJobs();
  await searchPages(list, [{ endpoint: 'live', params: { statuses: ['done'] } }], {
    query: parseJobQuery('nothing'),
    limit: 50,
    max: 20_000,
    signal: never,
    onPage: (_found, _read, jobs) => held.add(jobs),
  });
  assert.equal(new Set(held.jobs?.map(({ id }) => id)).size, 1000);
  held.add(Array.from({ length: 4_000 }, (_, index) => job(index)));
  assert.equal(held.jobs?.length, 5_000);
  held.add([job(0)]);
  assert.equal(held.jobs, undefined);
  held.add([job(0)]);
  assert.equal(held.jobs, undefined);
  const long = new HeldJobs();
  for (const id of ['a', 'b', 'c']) long.add([bareJob({ id, raw: ' '.repeat(12_000_000) })]);
  assert.equal(long.jobs, undefined);
});

test('a search of a list whose jobs may have moved does not report that it read everything', async () => {
  const list = new MovingList({ jobs: 200, status: () => 'done' });
  const read: number[] = [];
  const outcome = await searchPages(list, [{ endpoint: 'live', params: {} }], {
    query: parseJobQuery('nothing'),
    limit: 50,
    max: 20_000,
    signal: never,
    onPage: (_jobs, count) => read.push(count),
  });
  assert.deepEqual([outcome, read.at(-1)], ['unproved', 200]);
});

test('a search with an unreadable item, which may be the job, does not report that it read everything', async () => {
  const search = (entries: ListPage['entries']) =>
    searchPages(
      fakeReader(() => Promise.resolve({ entries, hasMore: false, serviceDateMs: undefined, deviations: [] })),
      questions,
      {
        query: parseJobQuery('nothing'),
        limit: 50,
        max: 20_000,
        signal: never,
        onPage: () => undefined,
      },
    );
  assert.equal(await search([job(1)]), 'all');
  assert.equal(await search([job(1), { type: 'unreadable', raw: '"nothing"' }]), 'unproved');
});

test('a search of further pages can be cancelled', async () => {
  const stop = new AbortController();
  const list = new MovingList({ jobs: 1000, status: () => 'done' });
  const source = fakeReader(async (endpoint, params, signal) => {
    const page = await list.answer(endpoint, params);
    if (signal?.aborted === true) throw new Failure('cancelled');
    return page;
  });
  const searching = searchPages(source, questions, {
    query: parseJobQuery('nothing'),
    limit: 10,
    max: 20_000,
    signal: stop.signal,
    onPage: () => stop.abort(),
  });
  await assert.rejects(searching, (error) => isFailure(error, 'cancelled'));
  assert.ok(list.asked.length <= 10);
});

test('a job found by its full ID ends the search', async () => {
  const list = new MovingList({ jobs: 1000, status: () => 'done' });
  const options = { limit: 50, max: 20_000, signal: never };
  const found: string[] = [];
  const outcome = await searchPages(list, questions, {
    ...options,
    query: parseJobQuery('J900'),
    onPage: (jobs) => found.push(...jobs.map(({ id }) => id)),
  });
  assert.deepEqual([outcome, found], ['found', ['j900']]);
  assert.ok(list.asked.length < 10);
});

test('a job is searched by its ID within a max of jobs', async () => {
  const list = new MovingList({ jobs: 1000, status: () => 'done' });
  const options = { limit: 50, max: 300, signal: never };
  const question: ListQuery = { endpoint: 'live', params: {} };
  assert.equal((await searchJob(list, question, 'j900', options))?.id, 'j900');
  assert.equal(await searchJob(list, question, 'j100', options), undefined);
});

/** A service with a job each minute, which obeys `after_date` and `before_date` by default. */
function datedService({ obeys = true, refuses = false } = {}) {
  const asked: string[] = [];
  const all = Array.from({ length: 500 }, (_, index) => ({ ...job(index), createdAtMs: (1000 - index) * 60_000 }));
  const source = fakeReader((endpoint, params): Promise<ListPage> => {
    const { offset = 0, limit = 20, afterDate, beforeDate } = params;
    asked.push(`${endpoint} ${afterDate ?? '-'} ${beforeDate ?? '-'}`);
    if (refuses && afterDate !== undefined) return Promise.reject(new Failure('rejected', { status: 400 }));
    const isIn = ({ createdAtMs }: { readonly createdAtMs: number }): boolean =>
      !obeys ||
      ((afterDate === undefined || createdAtMs > Date.parse(afterDate)) &&
        (beforeDate === undefined || createdAtMs < Date.parse(beforeDate)));
    const matching = all.filter(isIn).map((each) => ({ ...each, kind: endpoint }));
    const entries = matching.slice(offset, offset + limit);
    return Promise.resolve({
      entries,
      hasMore: offset + limit < matching.length,
      serviceDateMs: undefined,
      deviations: [],
    });
  });
  return { source, asked, wanted: { kind: 'pre-recorded', id: job(400).id, createdAtMs: 600 * 60_000 } as const };
}

const range = '1970-01-01T09:59:59.000Z 1970-01-01T10:00:01.000Z';

test('a job is found with one request by its creation time', async () => {
  const { source, asked, wanted } = datedService();
  assert.equal((await locateJob(source, wanted, never))?.id, wanted.id);
  assert.deepEqual(asked, [`pre-recorded ${range}`]);
});

test('a job among hundreds of the same millisecond is found with few requests', async () => {
  const createdAtMs = 600 * 60_000;
  const all = Array.from({ length: 400 }, (_, index) => ({ ...job(index), createdAtMs }));
  const asked: ListParams[] = [];
  const source = fakeReader(async (_endpoint, params) => {
    asked.push(params);
    const { offset = 0, limit = 20 } = params;
    const hasMore = offset + limit < all.length;
    return { entries: all.slice(offset, offset + limit), hasMore, serviceDateMs: undefined, deviations: [] };
  });
  const found = await locateJob(source, { kind: 'live', id: job(390).id, createdAtMs }, never);
  assert.equal(found?.id, job(390).id);
  assert.ok(asked.length <= 12 && asked.every(({ afterDate }) => afterDate !== undefined), `${asked.length} requests`);
});

test('a job submitted from here is found with one request by its submission time', async () => {
  const { source, asked, wanted } = datedService();
  const { kind, id } = wanted;
  assert.equal((await locateJob(source, { kind, id, sentAtMs: 610 * 60_000 }, never))?.id, id);
  assert.deepEqual(asked, ['pre-recorded 1970-01-01T09:55:00.000Z 1970-01-01T10:25:00.000Z']);
});

test('a job without a time, or of a service that ignores or rejects times, is searched in the whole list', async () => {
  for (const service of [{ obeys: false }, { refuses: true }]) {
    const { source, asked, wanted } = datedService(service);
    assert.equal((await locateJob(source, wanted, never))?.id, wanted.id);
    assert.equal(asked[0], `pre-recorded ${range}`);
    assert.ok(asked.slice(1).some((each) => each.startsWith('pre-recorded - ')));
  }
  const { source, asked, wanted } = datedService();
  assert.equal((await locateJob(source, { kind: wanted.kind, id: wanted.id }, never))?.id, wanted.id);
  assert.equal(asked[0], 'pre-recorded - -');
});

test('findCreated sends only one query, even if the job is missing', async () => {
  for (const service of [{}, { obeys: false }, { refuses: true }]) {
    const { source, asked, wanted } = datedService(service);
    const found = await findCreated(source, { ...wanted, id: 'other' }, never);
    assert.equal(found, undefined);
    // The limit may be the cause of a rejection, which one more request shows.
    assert.deepEqual([...new Set(asked)], [`pre-recorded ${range}`]);
    assert.ok(asked.length <= ('refuses' in service ? 2 : 1));
  }
});
