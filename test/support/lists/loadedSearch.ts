import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJobQuery } from '../../../src/jobs/common/findJobs.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { LoadedSearch } from '../../../src/jobs/node/jobSearch.ts';
import { bareJob } from '../builders/bareJob.ts';

const customers = ['Indigo', 'Umber', 'Beryl', 'Sable'];

/** Returns a job with an id, a request id and a customer of its own number. */
export function searchedJob(index: number): Job {
  const id = `job-${index.toString(36).padStart(6, '0')}`;
  const metadata = { customer: customers[index % 4] ?? '', note: 'recorded for quality '.repeat(20) };
  const item = { id, request_id: `G-${index}`, status: 'done', custom_metadata: metadata };
  return bareJob({ id, raw: JSON.stringify(item) });
}

/** Defines a test that searches this number of loaded jobs, a multiple of ten thousand. */
export function testLoadedSearch(count: number): void {
  test(`a search of ${count} loaded jobs does not block the editor, and reads each once`, async () => {
    let reads = 0;
    const jobs = Array.from({ length: count }, (_, index): Job => {
      const { raw, ...rest } = searchedJob(index);
      return {
        ...rest,
        get raw() {
          reads++;
          return raw;
        },
      };
    });
    const search = new LoadedSearch(jobs, (job) => job);
    // Counts event loop turns of other work, because durations depend on the machine's load.
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);
    const first = await search.find(parseJobQuery('customer: beryl'), count / 2, new AbortController().signal);
    const turnsOfFirst = turns;
    const readsOfFirst = reads;
    const again = await search.find(parseJobQuery(`g-${count - 1}`), count / 2, new AbortController().signal);
    clearInterval(ticking);
    assert.equal(first?.length, count / 4);
    assert.equal(again?.[0]?.id, searchedJob(count - 1).id);
    assert.ok(turnsOfFirst > count / 10_000, `${turnsOfFirst} turns`);
    assert.ok(readsOfFirst >= jobs.length);
    assert.equal(reads, readsOfFirst, 'items were read again');
  });
}
