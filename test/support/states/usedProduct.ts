import type { DeliveryEnd, DeliveryPlan } from '../../../src/features/deliver/common/delivery.ts';
import type { JobWithNames } from '../../../src/features/details/common/namedSpeakers.ts';
import type { MarkedJob, Mute } from '../../../src/features/attention/common/handledMarks.ts';
import type { BoardLayout } from '../../../src/features/board/common/boardStorage.ts';
import type { JobFilter } from '../../../src/jobs/common/jobFilter.ts';
import type { PageState } from '../../../src/features/details/common/protocol.ts';
import type { BatchPlan } from '../../../src/features/submit/common/batch.ts';
import type { SubmissionOutcome } from '../../../src/jobs/common/submission.ts';
import type { WatchedJob } from '../../../src/features/watch/common/watchPlan.ts';

const name = 'Work';
const origin = 'https://api.example.com';
const atMs = Date.parse('2026-11-21T12:00:00Z');
const id = '45463597-20b7-4af7-b3b3-f5fb778203ab';

/** State left by using the product before an update to a later version: at least one of everything that is stored. */
export const usedProduct = {
  atMs,
  connection: { name, baseUrl: `${origin}/v2` },
  key: 'not-a-real-key',
  filters: {
    [name]: {
      statuses: ['queued', 'error'],
      time: { type: 'range', after: '2026-11-01T00:00:00.000Z', before: undefined },
      metadata: { customer: 'Northwind Bank', attempt: 2 },
    },
    Days: { statuses: [], time: { type: 'day', day: '2026-11-20' }, metadata: {} },
    Hours: { statuses: [], time: { type: 'last', hours: 24 }, metadata: {} },
    Today: { statuses: [], time: { type: 'today', utc: true }, metadata: {} },
    Yesterday: { statuses: ['error'], time: { type: 'yesterday' }, metadata: { customer: 'Northwind Bank' } },
  } satisfies Record<string, JobFilter> as Readonly<Record<string, JobFilter>>,
  watched: [
    {
      connection: name,
      origin,
      kind: 'live',
      id,
      label: 'Call 1',
      sinceMs: atMs,
      createdAtMs: atMs - 500,
      undated: undefined,
      misses: 0,
      missedSinceMs: undefined,
    },
    {
      connection: name,
      origin,
      kind: 'pre-recorded',
      id,
      label: 'podcast',
      sinceMs: atMs,
      createdAtMs: undefined,
      undated: undefined,
      misses: 1,
      missedSinceMs: undefined,
    },
  ] satisfies readonly WatchedJob[],
  failures: [JSON.stringify([name, origin, 'live', id])],
  page: {
    job: { connection: name, kind: 'live', id, side: true, createdAtMs: undefined },
    compared: undefined,
    unfolded: ['s1', 's1.2'],
    scrollY: 120,
  } satisfies PageState,
  outcomes: [
    { type: 'accepted', status: 201, id },
    { type: 'rejected', code: 'rejected', status: 422, requestId: 'r-1' },
    { type: 'unknown', code: 'timeout', lookedAtMs: atMs },
    { type: 'notSent', code: 'offline' },
  ] satisfies readonly SubmissionOutcome[],
  submission: {
    sentAtMs: atMs,
    expectedByMs: atMs + 45_000,
    file: 'file:///work/podcast.transcription.json',
    bodyHash: 'b0d7',
    audioHash: 'a0d1',
    tag: { key: 'run', value: 'r-7' },
    batch: '000001',
  },
  plan: {
    connection: name,
    origin,
    startedAtMs: atMs,
    total: 3,
    source: {
      type: 'list',
      template: 'file:///work/template.transcription.json',
      list: 'file:///work/urls.csv',
      titleKey: undefined,
      metadataKeys: undefined,
    },
    skipped: ['item-3'],
    leftOut: undefined,
  } satisfies BatchPlan,
  items: [
    {
      item: 'item-1',
      label: 'audio.example/1.mp3',
      file: 'file:///work/template.transcription.json',
      outcome: { type: 'accepted', status: 201, id },
    },
    {
      item: 'item-2',
      label: 'audio.example/2.mp3',
      file: 'file:///work/template.transcription.json',
      outcome: { type: 'rejected', code: 'rejected', status: 422, requestId: 'r-1' },
    },
  ],
  /** Failures that were marked as handled, and the time from which they count as new. */
  handled: [
    { kind: 'live', id, createdAtMs: atMs - 5000, completedAtMs: atMs - 1000 },
    { kind: 'pre-recorded', id: 'undated', createdAtMs: undefined, completedAtMs: undefined },
  ] satisfies readonly MarkedJob[],
  sinceMs: atMs - 3_600_000,
  /** A group that is hidden until it stops. */
  muted: { group: '422 customer=Northwind Bank', fromMs: atMs, untilMs: undefined } satisfies Mute,
  namedSpeakers: [
    { job: JSON.stringify([origin, 'pre-recorded', id]), speakers: [{ speaker: '0/', name: 'Inès' }] },
  ] satisfies readonly JobWithNames[],
  /** The files of a job that were saved when it was done. */
  deliveryPlan: {
    folder: 'file:///work/transcripts',
    root: 'file:///work',
    formats: ['markdown', 'srt'],
    languages: ['*'],
    name: '{title}',
  } satisfies DeliveryPlan,
  delivered: { kind: 'pre-recorded', id, label: 'Call 1', group: 'g-1' },
  deliveredFile: { folder: 'f01d', name: 'Call 1.md', hash: 'f11e', format: 'markdown', language: 'original' },
  deliveryEnd: { type: 'saved', remarks: ['No SubRip: the result has no times.'] } satisfies DeliveryEnd,
  layout: {
    columns: [
      { key: 'id', width: 300 },
      { key: 'metadata.customer', width: 120 },
    ],
    order: { key: 'id', isDescending: false },
    folded: [],
  } satisfies BoardLayout,
  /** Additional fields of a submission that repeats a failed job. */
  repeated: { label: 'audio.example/1.mp3', replaces: 'failed-1' },
  repeatedAudioUrl: 'https://audio.example/1.mp3?token=not-stored',
  /** A batch that repeats failed jobs. */
  resubmission: {
    connection: name,
    origin,
    startedAtMs: atMs + 1000,
    total: 1,
    source: { type: 'resubmit', jobs: [{ job: 'failed-1', file: undefined, bodyHash: 'b0d7', label: undefined }] },
    skipped: [],
    leftOut: undefined,
  } satisfies BatchPlan,
  /** A batch of a list with rows that were left out. */
  partial: {
    connection: name,
    origin,
    startedAtMs: atMs + 2000,
    total: 1,
    source: {
      type: 'list',
      template: 'file:///work/template.transcription.json',
      list: 'file:///work/urls.csv',
      titleKey: 'title',
      metadataKeys: ['customer'],
    },
    skipped: [],
    leftOut: [{ row: 2, reason: 'No URL' }],
  } satisfies BatchPlan,
} as const;
