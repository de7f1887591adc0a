import { canonicalizeJson } from '../../../base/json/formatJson.ts';
import { isJsonObject } from '../../../base/json/json.ts';
import { findMembers } from '../../../base/json/jsonText.ts';
import { dayMs, minuteMs } from '../../../base/time.ts';
import { metadataOf, readItemFacts } from '../../../jobs/common/itemFacts.ts';
import type { Job } from '../../../jobs/common/job.ts';
import type { Submission } from '../../../jobs/common/submission.ts';

/** Reason why a job probably belongs to a submission: the same tag, the same audio, or only the time. */
export type MatchConfidence = 'tag' | 'audio' | 'time';

/** A time range by the service's clock, in milliseconds since the epoch. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** True if a submission had this audio URL; undefined if that can't be known. */
export type AudioMatch = (submission: Pick<Submission, 'audioHash' | 'audioKeyId'>, url: string) => boolean | undefined;

/** Tolerance: services may set the creation time later, and clocks differ. */
const marginMs = 2 * minuteMs;

/**
 * Returns the time range in which the job of a submission was created.
 * @param clockOffsetMs the service's clock minus the local clock.
 */
export function creationWindow(submission: Submission, clockOffsetMs: number): TimeWindow {
  return {
    fromMs: submission.sentAtMs + clockOffsetMs - marginMs,
    untilMs: submission.expectedByMs + clockOffsetMs + marginMs,
  };
}

/** True if the job of a submission may still be created, so that a search at this time, by the local clock, may be too early. */
export function mayStillAppear(submission: Submission, atMs: number): boolean {
  return atMs <= creationWindow(submission, 0).untilMs;
}

/** True if the outcome of a submission is unknown, and its job was not searched for, or only while it could still appear. */
export function needsSearch(submission: Submission): boolean {
  const { outcome } = submission;
  return outcome.type === 'unknown' && mayStillAppear(submission, outcome.lookedAtMs ?? -Infinity);
}

/**
 * Rates how confidently a job matches a submission; undefined if it certainly belongs to another one. Tag and audio decide if the service
 * returns them; the contract guarantees neither, so otherwise only the time is compared.
 */
export function matchConfidence(
  submission: Submission,
  job: Job,
  window: TimeWindow,
  isAudio: AudioMatch,
): MatchConfidence | undefined {
  const { tag } = submission;
  const itsTag = tag === undefined ? undefined : metadataOf(job)[tag.key];
  if (tag !== undefined && itsTag === tag.value) return 'tag';
  const { createdAtMs } = job;
  if (createdAtMs !== undefined && (createdAtMs < window.fromMs || createdAtMs > window.untilMs)) return undefined;
  // The tag belongs to another submission.
  if (itsTag !== undefined) return undefined;
  const audioUrl = audioUrlOf(job);
  const isSame = audioUrl === undefined ? undefined : isAudio(submission, audioUrl);
  if (isSame !== undefined) return isSame ? 'audio' : undefined;
  return tag === undefined && createdAtMs !== undefined ? 'time' : undefined;
}

/** In characters. Larger metadata count as metadata of another request. */
const maxCompared = 100_000;

/**
 * True if a job has exactly these metadata, in any order; false if there are none to compare.
 * @param metadata JSON text
 */
export function hasSameMetadata(job: Pick<Job, 'raw'>, metadata: string | undefined): boolean {
  const found = findMembers(job.raw, ['custom_metadata']).get('custom_metadata');
  if (metadata?.startsWith('{') !== true || found === undefined) return false;
  if (Math.max(metadata.length, found.length) > maxCompared) return false;
  const canonical = canonicalizeJson(metadata);
  return canonical !== '{}' && canonical === canonicalizeJson(found);
}

/** Jobs created this long before are older than the submission, even if the service's dates are wrong. */
const certainlyOlderMs = dayMs;

/** True if the fields of a job contradict the submission. Missing fields are no contradiction. */
export function isCertainlyOther(submission: Submission, job: Job, window: TimeWindow, isAudio: AudioMatch): boolean {
  const { tag } = submission;
  const { createdAtMs } = job;
  if (createdAtMs !== undefined && createdAtMs < window.fromMs - certainlyOlderMs) return true;
  if (tag !== undefined && metadataOf(job)[tag.key] !== undefined) return metadataOf(job)[tag.key] !== tag.value;
  const audioUrl = audioUrlOf(job);
  return audioUrl !== undefined && isAudio(submission, audioUrl) === false;
}

/** Returns the audio URL of an item, from the fields that services are known to use; the contract shows none. */
function audioUrlOf(job: Pick<Job, 'raw'>): string | undefined {
  const { request_params: params, file } = readItemFacts(job, ['request_params', 'file']);
  const urls = [
    isJsonObject(params) ? params['audio_url'] : undefined,
    isJsonObject(file) ? file['source'] : undefined,
  ];
  return urls.find((url) => typeof url === 'string');
}
