import { mixSeed, type JobState, type WorldJob } from './worldJobs.ts';
import type { WorldKnobs } from './worldSpec.ts';

/** True if lists contain an unreadable item in place of the job. */
export function isUnreadable({ unreadable }: WorldKnobs, job: WorldJob): boolean {
  return unreadable !== null && job.key % unreadable.every === 0;
}

/** Returns a job as a list item (contract 2.2), with this world's deviations. */
export function itemOf(knobs: WorldKnobs, job: WorldJob, state: JobState, endpoint: string): unknown {
  if (knobs.unreadable !== null && isUnreadable(knobs, job)) return unreadableItem(knobs.unreadable, job, state);
  return jobItem(knobs, job, state, endpoint);
}

/** Returns a job as a readable item, which POST responses may contain, too. */
export function jobItem(
  knobs: WorldKnobs,
  job: WorldJob,
  state: JobState,
  endpoint: string,
): Readonly<Record<string, unknown>> {
  const nothing = knobs.absent === 'null' ? null : undefined;
  return {
    id: job.id,
    request_id: `G-${mixSeed(knobs.seed, job.key, 11) % 100_000_000}`,
    version: state.version,
    status: state.status,
    created_at: createdAt(knobs, job),
    completed_at: state.completedAt === undefined ? nothing : new Date(state.completedAt).toISOString(),
    ...(endpoint === 'transcription' && knobs.combined === 'withoutKind' ? {} : { kind: job.kind }),
    custom_metadata: job.origin === undefined ? job.metadata : (job.origin.metadata ?? nothing),
    post_session_metadata: knobs.itemBytes > 0 ? { padding: padding(knobs.itemBytes) } : {},
    error_code: state.status === 'error' ? 500 : nothing,
    ...(job.kind === 'live' && { request_params: { encoding: 'wav/pcm', sample_rate: 16_000, channels: 1 } }),
    ...(job.origin?.request !== undefined && { request_params: job.origin.request }),
  };
}

/** Returns `created_at` as shown by this world; undefined if omitted. */
function createdAt(knobs: WorldKnobs, job: WorldJob): unknown {
  if (job.origin?.showsCreatedAt === false) return knobs.absent === 'null' ? null : undefined;
  const iso = new Date(job.createdAt).toISOString();
  if (knobs.createdAt === null || job.key % knobs.createdAt.every !== 0) return iso;
  switch (knobs.createdAt.as) {
    case 'missing':
      return undefined;
    case 'null':
      return null;
    case 'number':
      return job.createdAt;
    case 'text':
      return 'a while ago';
    case 'empty':
      return '';
    case 'seconds':
      return iso.replace(/\.\d+Z$/u, 'Z');
    case 'zone':
      return new Date(job.createdAt + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    case 'withoutZone':
      return iso.replace('Z', '');
    case 'day':
      return iso.slice(0, 10);
  }
}

function unreadableItem(
  { as, identical }: NonNullable<WorldKnobs['unreadable']>,
  job: WorldJob,
  { status }: JobState,
): unknown {
  const mark = identical ? 7 : job.key;
  switch (as) {
    case 'null':
      return null;
    case 'number':
      return mark;
    case 'text':
      return `item ${mark}`;
    case 'list':
      return [mark];
    case 'emptyObject':
      return {};
    case 'withoutId':
      return { status, version: mark };
    case 'numberAsId':
      return { id: mark, status };
    case 'emptyId':
      return { id: '', status, version: mark };
    case 'objectAsId':
      return { id: { value: mark }, status };
  }
}

let paddingText = '';

function padding(bytes: number): string {
  if (paddingText.length < bytes) paddingText = 'x'.repeat(bytes);
  return paddingText.slice(0, bytes);
}
