import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import type { ListParams } from '../../../../../src/jobs/common/listParams.ts';
import { WholeJobs } from '../../../../../src/jobs/node/store/wholeJobs.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import type { ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const never = new AbortController().signal;
const createdAtMs = Date.UTC(2026, 10, 20, 12);

/** A done job with `characters` characters in the text of its result. */
function spokenJob(place: number, characters: number, word = 'a'): Job {
  const result = { transcription: { full_transcript: word.repeat(characters) } };
  const id = `j${place}`;
  return bareJob({
    id,
    status: 'done',
    createdAtMs: createdAtMs - place * 60_000,
    raw: JSON.stringify({ id, result }),
  });
}

/** A service with these jobs. If it does not obey times, it lists the newest for every query. */
function serviceOf(jobs: readonly Job[], obeysTimes = true) {
  const asked: ListParams[] = [];
  const source = fakeReader(async (_endpoint, params) => {
    asked.push(params);
    const { offset = 0, limit = 20, afterDate, beforeDate } = params;
    const matching = jobs.filter(
      ({ createdAtMs: at = 0 }) =>
        !obeysTimes ||
        ((afterDate === undefined || at >= Date.parse(afterDate)) &&
          (beforeDate === undefined || at < Date.parse(beforeDate))),
    );
    return {
      entries: matching.slice(offset, offset + limit),
      hasMore: offset + limit < matching.length,
      serviceDateMs: undefined,
      deviations: [],
    };
  });
  return { source, asked };
}

/** The jobs of a page, without their results. */
async function listed(source: ListReader, whole: WholeJobs, limit: number, offset = 0): Promise<readonly Job[]> {
  const lean = source.with({ makeLean: (entries) => whole.makeLeanEntries(entries) });
  const { entries } = await lean.readPage('live', { offset, limit });
  return entries.filter((entry): entry is Job => entry.type === 'job');
}

describe('Whole jobs', () => {
  it('are cached although rows have no results, and take no request', async () => {
    const all = [spokenJob(0, 5000), spokenJob(1, 10), bareJob({ id: 'bare' })];
    const { source, asked } = serviceOf(all);
    const whole = new WholeJobs(source);
    const rows = await listed(source, whole, 20);
    assert.deepEqual(
      rows.map(({ omitted }) => omitted !== undefined),
      [true, false, false],
    );
    assert.ok((rows[0]?.raw.length ?? Infinity) < 100);
    assert.deepEqual(
      rows.map((row) => whole.get(row)),
      all,
    );
    assert.deepEqual(await Promise.all(rows.map((row) => whole.read(row, never))), all);
    assert.equal(asked.length, 1);
  });

  it('are cached up to a max, and reread by their creation time with one request', async () => {
    const all = Array.from({ length: 40 }, (_, place) => spokenJob(place, 1_000_000));
    const { source, asked } = serviceOf(all);
    const whole = new WholeJobs(source);
    const rows = await listed(source, whole, 100);
    const atHand = rows.filter((row) => whole.get(row) !== undefined);
    assert.ok(atHand.length >= 10 && atHand.length <= 16, `${atHand.length} at hand`);
    const [first] = rows;
    assert.ok(first && !atHand.includes(first));
    const before = asked.length;
    assert.equal(await whole.read(first, never), all[0]);
    assert.deepEqual(asked.slice(before), [
      {
        limit: 20,
        afterDate: new Date(createdAtMs - 1000).toISOString(),
        beforeDate: new Date(createdAtMs + 1000).toISOString(),
      },
    ]);
    assert.deepEqual(whole.get(first), all[0], 'cached again');
  });

  it('are evicted in the order of their last use', async () => {
    const all = Array.from({ length: 24 }, (_, place) => spokenJob(place, 1_000_000));
    const { source } = serviceOf(all);
    const whole = new WholeJobs(source);
    const atHand = (rows: readonly Job[]) => rows.filter((row) => whole.get(row) !== undefined).map(({ id }) => id);
    const rows = await listed(source, whole, 12);
    const [first] = rows;
    assert(first && whole.get(first));
    await listed(source, whole, 8, 12);
    assert.ok(whole.get(first), 'used last before the others came');
    assert.ok(atHand(rows).length < rows.length);
  });

  it('are searched if the service does not obey times, and reported as not found if they are gone', async () => {
    const all = Array.from({ length: 60 }, (_, place) => spokenJob(place, 1_000_000));
    const { source } = serviceOf(all, false);
    const whole = new WholeJobs(source);
    const rows = await listed(source, whole, 100);
    const row = rows[30] ?? assert.fail('there is such a row');
    assert.equal(whole.get(row), undefined);
    assert.equal((await whole.read(row, never)).id, 'j30');
    const gone = { ...row, id: 'gone' };
    await assert.rejects(whole.read(gone, never), { code: 'jobNotFound' });
  });

  it('are not evicted for a job that is larger than the cache', async () => {
    const { source } = serviceOf([spokenJob(0, 5000), spokenJob(1, 17_000_000)]);
    const whole = new WholeJobs(source);
    const [small, huge] = await listed(source, whole, 20);
    assert(small && huge);
    assert.deepEqual([whole.get(small)?.id, whole.get(huge)], ['j0', undefined]);
  });

  it('are reported as gone if the service has no result any longer, and are never those of another service', async () => {
    const all = Array.from({ length: 30 }, (_, place) => spokenJob(place, 1_000_000));
    const listedThen = [...all];
    const { source } = serviceOf(listedThen);
    const whole = new WholeJobs(source);
    const rows = await listed(source, whole, 100);
    const row = rows[3] ?? assert.fail('there is such a row');
    assert.equal(whole.get(row), undefined);
    const place = listedThen.findIndex(({ id }) => id === row.id);
    const { id, createdAtMs } = listedThen[place] ?? assert.fail('it is listed');
    listedThen[place] = bareJob({ id, createdAtMs, status: 'done', raw: JSON.stringify({ id, result: null }) });
    await assert.rejects(whole.read(row, never), { code: 'resultGone' });
    const otherService = serviceOf(all.map((_job, place) => spokenJob(place, 1_000_000, 'b')));
    const other = new WholeJobs(otherService.source);
    await listed(otherService.source, other, 100);
    assert.equal(other.get(row), undefined);
    await assert.rejects(other.read(row, never), { code: 'jobNotFound' });
    const again = new WholeJobs(serviceOf(all).source);
    assert.equal((await again.read(row, never)).id, row.id, 'the same service over a new connection');
  });

  it('match their row: another result has another digest, and the same result the same row', async () => {
    const whole = new WholeJobs(serviceOf([spokenJob(9, 5000)]).source);
    const first = whole.makeLean(spokenJob(0, 5000));
    assert.equal(whole.makeLean(spokenJob(0, 5000)), first);
    const second = whole.makeLean(spokenJob(0, 5000, 'b'));
    assert.equal(second.raw, first.raw);
    assert.notEqual(second.omitted?.digest, first.omitted?.digest);
    assert.equal(whole.get(first), undefined);
    assert.deepEqual(whole.get(second), spokenJob(0, 5000, 'b'));
  });
});
