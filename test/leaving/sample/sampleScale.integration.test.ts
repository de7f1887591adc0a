import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { LaneIndex } from '../../../src/sample/laneIndex.ts';
import { SampleArchive } from '../../../src/sample/sampleArchive.ts';
import { SampleJobs } from '../../../src/sample/sampleJobs.ts';
import { sampleQuery } from '../../../src/sample/sampleQuery.ts';
import { start } from '../../unit/sample/sampleClient.ts';

/** The cost of one list: jobs created, cells examined, creation times computed. */
interface Work {
  readonly made: number;
  readonly looked: number;
  readonly timed: number;
}

function workOf(jobs: SampleJobs, search: string): Work {
  const made = mock.method(SampleArchive.prototype, 'job');
  const looked = mock.method(LaneIndex.prototype, 'has');
  const timed = mock.method(SampleArchive.prototype, 'createdAt');
  try {
    const query = sampleQuery(search, undefined);
    const page = jobs.list(query.filter, query.offset, query.limit, start);
    assert.equal(page.items.length, 20, search);
    return { made: made.mock.callCount(), looked: looked.mock.callCount(), timed: timed.mock.callCount() };
  } finally {
    mock.restoreAll();
  }
}

const sizes = [1_000, 1_000_000];

test('a page costs the same however many jobs there are and wherever it lies', () => {
  for (const size of sizes) {
    const jobs = new SampleJobs(1, size, start);
    const filters = [
      ['', size],
      ['status=done', 0.7 * size],
      ['status=error', 0.1 * size],
      ['status=queued,processing,error', 0.1 * size],
      ['kind=live', 0.3 * size],
      ['kind=pre-recorded&status=done', 0.45 * size],
      ['before_date=2026-05-15', 0.7 * size],
      ['after_date=2026-03-01&before_date=2026-05-15&status=done', 0.4 * size],
    ] as const;
    for (const [filter, atLeast] of filters) {
      for (const offset of [0, Math.floor(atLeast / 2), Math.floor(atLeast) - 20]) {
        const work = workOf(jobs, `${filter}&offset=${offset}`);
        const told = `${size} jobs, ${filter}, offset ${offset}: ${JSON.stringify(work)}`;
        assert.ok(work.made <= 20, told);
        // At most one block per row, and one more for each end of the range.
        assert.ok(work.looked <= 512 * (20 + 2 + 1), told);
        // Two binary searches, and one time for each created job.
        assert.ok(work.timed <= 20 + 2 * 20, told);
      }
    }
  }
});

test('a list by metadata makes no more jobs than it shows, and looks at each cell of its range once', () => {
  const size = 200_000;
  const jobs = new SampleJobs(1, size, start);
  const all = workOf(jobs, 'custom_metadata[language]=fr&offset=5000');
  assert.ok(all.made <= 20);
  assert.ok(all.looked <= size, String(all.looked));
  const day = workOf(jobs, 'custom_metadata[language]=fr&date=2026-05-10');
  assert.ok(day.looked < size / 20, String(day.looked));
});

test('no job is made, and none is kept, by starting with a million', () => {
  const made = mock.method(SampleArchive.prototype, 'job');
  const before = process.memoryUsage();
  const jobs = new SampleJobs(1, 1_000_000, start);
  const after = process.memoryUsage();
  assert.equal(made.mock.callCount(), 0);
  mock.restoreAll();
  assert.ok(after.arrayBuffers - before.arrayBuffers < 2_000_000);
  const query = sampleQuery('offset=999980', undefined);
  const last = jobs.list(query.filter, query.offset, query.limit, start);
  assert.equal(last.items.length, 20);
  assert.equal(last.hasMore, false);
});
