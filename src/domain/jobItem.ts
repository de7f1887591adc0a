import type { Job } from './job.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** The item that a job was read from, as it came. */
export function jobItem({ raw }: Pick<Job, 'raw'>): JsonObject {
  const item: unknown = JSON.parse(raw);
  return isJsonObject(item) ? item : {};
}

/** The metadata that the caller attached to a job; empty when there is none. */
export function metadataOf(job: Pick<Job, 'raw'>): JsonObject {
  const metadata = jobItem(job)['custom_metadata'];
  return isJsonObject(metadata) ? metadata : {};
}
