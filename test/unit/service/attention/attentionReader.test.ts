import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leastOverdueMs, type OverdueLimit } from '../../../../src/domain/attention/overdue.ts';
import { Failure } from '../../../../src/domain/failure.ts';
import { type Job } from '../../../../src/domain/jobs/job.ts';
import type { ListEndpoint, ListParams } from '../../../../src/domain/jobs/listParams.ts';
import { AttentionReader } from '../../../../src/service/attention/attentionReader.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { fakeReader } from '../../../support/lists/fakeLists.ts';

const hourMs = 3_600_000;
const tenMinutes: OverdueLimit = { type: 'unmeasured', afterMs: leastOverdueMs, finished: 0 };
const query = {
  kind: 'pre-recorded',
  listSource: 'byKind',
  limit: tenMinutes,
  sinceMs: (nowMs: number) => nowMs - 24 * hourMs,
  unhandled: (failed: readonly Job[]) => failed,
  signal: new AbortController().signal,
} as const;

interface Asked {
  readonly endpoint: ListEndpoint;
  readonly params: ListParams;
}

/** A service with these jobs, which records every request. Its clock is ahead of ours. */
function service(jobs: readonly Job[], { aheadMs = 0, clock = new FakeClock() } = {}) {
  const asked: Asked[] = [];
  const source = fakeReader(async (endpoint, params) => {
    asked.push({ endpoint, params });
    const { offset = 0, limit = 20, statuses = [], beforeDate } = params;
    const matching = jobs.filter(
      ({ status, createdAtMs = 0 }) =>
        statuses.some((each) => each === status) && (beforeDate === undefined || createdAtMs < Date.parse(beforeDate)),
    );
    return {
      entries: matching.slice(offset, offset + limit),
      hasMore: offset + limit < matching.length,
      serviceDateMs: clock.now() + aheadMs,
      deviations: [],
    };
  });
  return { source, asked, clock, reader: new AttentionReader(source, clock) };
}

describe('AttentionReader', () => {
  const nowMs = new FakeClock().now();
  const at = (id: string, status: string, agoMs: number): Job =>
    bareJob({ id, status, kind: 'pre-recorded', createdAtMs: nowMs - agoMs, completedAtMs: nowMs - agoMs + 1000 });

  it('asks the combined endpoint by kind where that is used', async () => {
    const { reader, asked } = service([]);
    await reader.read({ ...query, listSource: 'combined' });
    assert.ok(
      asked.every(({ endpoint, params }) => endpoint === 'combined' && params.kinds?.join() === 'pre-recorded'),
    );
  });

  it('does not call failures all of them where an item of a page cannot be read', async () => {
    const { source } = service([at('bad', 'error', hourMs)]);
    const reader = new AttentionReader(
      fakeReader(async (endpoint, params) => {
        const page = await source.readPage(endpoint, params);
        return { ...page, entries: [...page.entries, { type: 'unreadable', raw: '7' }] };
      }),
      new FakeClock(),
    );
    const { failed } = await reader.read(query);
    assert.ok(failed.type === 'known');
    assert.deepEqual([failed.jobs.length, failed.hasMore, failed.hasOlder ?? false], [1, true, false]);
  });

  it('lets other failures through', async () => {
    const source = fakeReader(() => Promise.reject(new Failure('offline')));
    await assert.rejects(new AttentionReader(source, new FakeClock()).read(query), { code: 'offline' });
  });
});
