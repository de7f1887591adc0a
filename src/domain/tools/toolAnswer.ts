import { t } from '@vscode/l10n';
import { jobFields } from '../decodeJob.ts';
import type { Job, ListEntry } from '../job.ts';
import type { JsonObject } from '../json.ts';

/** A model reads no more than this; what is longer is cut, and says so. In characters. */
const mostCharacters = 20_000;

/** Jobs in short, for a model: what tells them apart, none of what may be long. */
export function listAnswer(entries: readonly ListEntry[], hasMore: boolean): string {
  const jobs = entries.filter((entry) => entry.type === 'job').map(inShort);
  const unreadable = entries.length - jobs.length;
  return bounded(JSON.stringify({ jobs, ...(unreadable > 0 && { unreadable }), hasMore }, undefined, 1));
}

/** One job, whole. */
export function jobAnswer(job: Job): string {
  return bounded(job.raw);
}

/** The beginning of a text that is too long, with a word that it is only that. */
export function bounded(text: string): string {
  if (text.length <= mostCharacters) return text;
  return `${text.slice(0, mostCharacters)}\n${t('[cut: {0} more characters]', text.length - mostCharacters)}`;
}

function inShort(job: Job): JsonObject {
  const fields = jobFields(job);
  const metadata = JSON.stringify(fields.custom_metadata ?? {});
  return {
    id: job.id,
    kind: job.kind,
    status: job.status,
    created_at: fields.created_at ?? null,
    completed_at: fields.completed_at ?? null,
    ...(job.errorCode !== undefined && { error_code: job.errorCode }),
    ...(metadata !== '{}' && { custom_metadata: metadata.length > 300 ? `${metadata.slice(0, 300)}…` : metadata }),
  };
}
