import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOverdue } from '../../../../src/domain/attention/overdue.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';

describe('readOverdue', () => {
  it('knows nothing when the service sent what was created later than asked', () => {
    const old = bareJob({ id: 'old', status: 'queued', createdAtMs: 1000 });
    const young = bareJob({ id: 'young', status: 'queued', createdAtMs: 10_000 });
    assert.deepEqual(readOverdue([old, young], 5000, false), { type: 'unknown' });
    assert.deepEqual(readOverdue([old], 5000, true), { type: 'known', jobs: [old], hasMore: true });
  });
});
