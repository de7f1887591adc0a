import {
  buildAttention,
  type Attention,
  type AttentionParts,
  type KindReading,
} from '../../../../src/domain/attention/attention.ts';
import { nothingHandled } from '../../../../src/domain/attention/handledMarks.ts';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import { listedJob } from '../../../support/builders/listedJob.ts';

const minuteMs = 60_000;
export const attentionAtMs = Date.UTC(2026, 10, 20, 12);

/** A job created `minutes` before {@link attentionAtMs}; a failed one failed three minutes after its creation. */
export function jobOfAge(id: string, status: string, minutes: number, changes = {}): Job {
  const createdAt = attentionAtMs - minutes * minuteMs;
  return listedJob({
    id,
    status,
    created_at: new Date(createdAt).toISOString(),
    completed_at: status === 'error' ? new Date(createdAt + 3 * minuteMs).toISOString() : null,
    ...changes,
  });
}

/** A reading of one kind without any jobs, except for the changes. */
export function kindReading(changes: Partial<KindReading> = {}): KindReading {
  return {
    kind: 'live',
    limit: {
      type: 'measured',
      afterMs: 10 * minuteMs,
      p95Ms: 4 * minuteMs,
      finished: 200,
      isNewest: true,
      obeysStatuses: true,
    },
    overdue: { type: 'known', jobs: [], hasMore: false },
    failed: { type: 'known', jobs: [], hasMore: false, isNewest: true },
    ...changes,
  };
}

/** The attention that results from such readings. */
export function anAttention(kinds: readonly KindReading[], changes: Partial<AttentionParts> = {}): Attention {
  return buildAttention({
    kinds,
    partlyFailed: [],
    unknown: [],
    atMs: attentionAtMs,
    failure: undefined,
    marks: nothingHandled,
    ...changes,
  });
}
