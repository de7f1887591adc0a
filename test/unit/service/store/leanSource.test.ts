import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import type { ListParams } from '../../../../src/domain/jobs/listParams.ts';
import type { PageSource } from '../../../../src/service/ports.ts';
import { LeanSource } from '../../../../src/service/store/leanSource.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';

const never = new AbortController().signal;
const createdAtMs = Date.UTC(2026, 10, 20, 12);

/** A done job whose result has so many characters of text. */
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

/** A service with these jobs; where it does not obey times, it lists the newest whatever is asked. */
function serviceOf(jobs: readonly Job[], obeysTimes = true) {
  const asked: ListParams[] = [];
  const source: PageSource = {
    listJobs: async (_endpoint, params) => {
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
    },
  };
  return { source, asked };
}

async function listed(source: LeanSource, most: number): Promise<readonly Job[]> {
  const { entries } = await source.listJobs('live', { limit: most });
  return entries.filter((entry): entry is Job => entry.type === 'job');
}

describe('Whole jobs', () => {
  it('are at hand although rows have no results, and cost no request', async () => {
    const all = [spokenJob(0, 5000), spokenJob(1, 10), bareJob({ id: 'bare' })];
    const { source, asked } = serviceOf(all);
    const whole = new LeanSource(source);
    const rows = await listed(whole, 20);
    assert.deepEqual(
      rows.map(({ omitted }) => omitted !== undefined),
      [true, false, false],
    );
    assert.ok((rows[0]?.raw.length ?? Infinity) < 100);
    assert.deepEqual(
      rows.map((row) => whole.whole(row)),
      all,
    );
    assert.deepEqual(await Promise.all(rows.map((row) => whole.readWhole(row, never))), all);
    assert.equal(asked.length, 1);
  });

  it('are kept up to a bound, and read again by the time of their creation, with one request', async () => {
    const all = Array.from({ length: 40 }, (_, place) => spokenJob(place, 1_000_000));
    const { source, asked } = serviceOf(all);
    const whole = new LeanSource(source);
    const rows = await listed(whole, 100);
    const atHand = rows.filter((row) => whole.whole(row) !== undefined);
    assert.ok(atHand.length >= 10 && atHand.length <= 16, `${atHand.length} at hand`);
    const [first] = rows;
    assert.ok(first && !atHand.includes(first));
    const before = asked.length;
    assert.equal(await whole.readWhole(first, never), all[0]);
    assert.deepEqual(asked.slice(before), [
      {
        limit: 20,
        afterDate: new Date(createdAtMs - 1000).toISOString(),
        beforeDate: new Date(createdAtMs + 1000).toISOString(),
      },
    ]);
    assert.deepEqual(whole.whole(first), all[0], 'at hand again');
  });

  it('give way in the order in which they were last used', async () => {
    const all = Array.from({ length: 24 }, (_, place) => spokenJob(place, 1_000_000));
    const { source } = serviceOf(all);
    const whole = new LeanSource(source);
    const atHand = (rows: readonly Job[]) => rows.filter((row) => whole.whole(row) !== undefined).map(({ id }) => id);
    const rows = await listed(whole, 12);
    const [first] = rows;
    assert(first && whole.whole(first));
    await whole.listJobs('live', { offset: 12, limit: 8 });
    assert.ok(whole.whole(first), 'used last before the others came');
    assert.ok(atHand(rows).length < rows.length);
  });

  it('are looked for where the service does not obey times, and said to be gone where they are', async () => {
    const all = Array.from({ length: 60 }, (_, place) => spokenJob(place, 1_000_000));
    const { source } = serviceOf(all, false);
    const whole = new LeanSource(source);
    const rows = await listed(whole, 100);
    const row = rows[30] ?? assert.fail('there is such a row');
    assert.equal(whole.whole(row), undefined);
    assert.equal((await whole.readWhole(row, never)).id, 'j30');
    const gone = { ...row, id: 'gone' };
    await assert.rejects(whole.readWhole(gone, never), { code: 'jobNotFound' });
  });

  it('are not given up for one that is longer than all that is kept', async () => {
    const whole = new LeanSource(serviceOf([spokenJob(0, 5000), spokenJob(1, 17_000_000)]).source);
    const [small, huge] = await listed(whole, 20);
    assert(small && huge);
    assert.deepEqual([whole.whole(small)?.id, whole.whole(huge)], ['j0', undefined]);
  });

  it('are said to be gone where the service has none any longer, and never those of another service', async () => {
    const all = Array.from({ length: 30 }, (_, place) => spokenJob(place, 1_000_000));
    const listedThen = [...all];
    const { source } = serviceOf(listedThen);
    const whole = new LeanSource(source);
    const rows = await listed(whole, 100);
    const row = rows[3] ?? assert.fail('there is such a row');
    assert.equal(whole.whole(row), undefined);
    const place = listedThen.findIndex(({ id }) => id === row.id);
    const { id, createdAtMs } = listedThen[place] ?? assert.fail('it is listed');
    listedThen[place] = bareJob({ id, createdAtMs, status: 'done', raw: JSON.stringify({ id, result: null }) });
    await assert.rejects(whole.readWhole(row, never), { code: 'resultGone' });
    const other = new LeanSource(serviceOf(all.map((_job, place) => spokenJob(place, 1_000_000, 'b'))).source);
    await listed(other, 100);
    assert.equal(other.whole(row), undefined);
    await assert.rejects(other.readWhole(row, never), { code: 'jobNotFound' });
    const again = new LeanSource(serviceOf(all).source);
    assert.equal((await again.readWhole(row, never)).id, row.id, 'the same service over a new connection');
  });

  it('are those of the row: another result is another content, the same one is the same row', async () => {
    const whole = new LeanSource(serviceOf([spokenJob(9, 5000)]).source);
    const first = whole.makeLean(spokenJob(0, 5000));
    assert.equal(whole.makeLean(spokenJob(0, 5000)), first);
    const second = whole.makeLean(spokenJob(0, 5000, 'b'));
    assert.equal(second.raw, first.raw);
    assert.notEqual(second.omitted?.digest, first.omitted?.digest);
    assert.equal(whole.whole(first), undefined);
    assert.deepEqual(whole.whole(second), spokenJob(0, 5000, 'b'));
  });
});
