import { minuteMs } from '../../../../../src/base/time.ts';
import {
  buildAttention,
  type Attention,
  type AttentionParts,
  type ListReading,
} from '../../../../../src/features/attention/common/attention.ts';
import { nothingHandled } from '../../../../../src/features/attention/common/handledMarks.ts';
import type { OverdueLimit } from '../../../../../src/features/attention/common/overdue.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { listedJob } from '../../../../support/builders/listedJob.ts';

export const attentionAtMs = Date.UTC(2026, 10, 20, 12);

/** Creates a job of an age in `minutes` at {@link attentionAtMs}. If it failed, it did so three minutes after its creation. */
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

/** Limits where 95 % of 200 live jobs took at most four minutes. */
export const liveLimits: ReadonlyMap<string, OverdueLimit> = new Map<string, OverdueLimit>([
  ['live', { type: 'measured', afterMs: 10 * minuteMs, p95Ms: 4 * minuteMs, finished: 200, isNewest: true }],
]);

/** A list that was just read completely. */
export const wholeList = { type: 'read', isCut: false, hasUnreadable: false, isFresh: true } as const;
/** A list that was read completely, and whose first page was read again since. */
export const listBefore: ListReading = { ...wholeList, isFresh: false };
/** A list that has more jobs than are read. */
export const cutList: ListReading = { ...wholeList, isCut: true };

/** Returns which of these live jobs need attention. They are all jobs of the service, except for the changes. */
export function anAttention(jobs: readonly Job[] = [], changes: Partial<AttentionParts> = {}): Attention {
  return buildAttention({
    jobs,
    unfinished: [wholeList],
    failed: [wholeList],
    limits: liveLimits,
    atMs: attentionAtMs,
    isClockKnown: true,
    partlyFailed: [],
    unknown: [],
    failure: undefined,
    marks: nothingHandled,
    ...changes,
  });
}
