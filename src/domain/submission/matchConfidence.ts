import { isJsonObject } from '../json/json.ts';
import { readJobItem, metadataOf, type Job } from '../jobs/job.ts';
import type { Submission } from './submission.ts';

/** How surely a job is the one that a submission made: by its tag, by the same audio, or by the time alone. */
export type MatchConfidence = 'tag' | 'audio' | 'time';

/** A stretch of the service's time, milliseconds since the epoch. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Whether the audio that a submission's hash stands for is at a URL. */
export type AudioMatch = (audioHash: string, url: string) => boolean;

/** Services date a job when they get to it, and clocks are never quite together. */
const marginMs = 2 * 60_000;

/**
 * When the job of a submission was created, if there is one.
 * @param clockOffsetMs the service's clock minus ours.
 */
export function creationWindow(submission: Submission, clockOffsetMs: number): TimeWindow {
  return {
    fromMs: submission.sentAtMs + clockOffsetMs - marginMs,
    untilMs: submission.expectedByMs + clockOffsetMs + marginMs,
  };
}

/**
 * How alike a job is to what was submitted; undefined when it is certainly another one. What the service shows of tag and audio
 * decides; the contract promises neither, so that without both only the time is left.
 */
export function matchConfidence(
  submission: Submission,
  job: Job,
  window: TimeWindow,
  isAudio: AudioMatch,
): MatchConfidence | undefined {
  const { tag, audioHash } = submission;
  const itsTag = tag === undefined ? undefined : metadataOf(job)[tag.key];
  if (tag !== undefined && itsTag === tag.value) return 'tag';
  const { createdAtMs } = job;
  if (createdAtMs !== undefined && (createdAtMs < window.fromMs || createdAtMs > window.untilMs)) return undefined;
  // Somebody else's tag, or ours of another time.
  if (itsTag !== undefined) return undefined;
  const audioUrl = audioUrlOf(job);
  if (audioUrl !== undefined && audioHash !== undefined) return isAudio(audioHash, audioUrl) ? 'audio' : undefined;
  return tag === undefined && createdAtMs !== undefined ? 'time' : undefined;
}

/** Jobs created so long before are older than the submission, however badly the service dates them. */
const certainlyOlderMs = 24 * 3_600_000;

/** Whether what a job shows cannot be what was submitted. That it shows nothing says nothing. */
export function isCertainlyOther(submission: Submission, job: Job, window: TimeWindow, isAudio: AudioMatch): boolean {
  const { tag, audioHash } = submission;
  const { createdAtMs } = job;
  if (createdAtMs !== undefined && createdAtMs < window.fromMs - certainlyOlderMs) return true;
  if (tag !== undefined && metadataOf(job)[tag.key] !== undefined) return metadataOf(job)[tag.key] !== tag.value;
  const audioUrl = audioUrlOf(job);
  return audioUrl !== undefined && audioHash !== undefined && !isAudio(audioHash, audioUrl);
}

/** The audio that an item names, where services are seen to put it; the contract shows no such field. */
function audioUrlOf(job: Pick<Job, 'raw'>): string | undefined {
  const { request_params: params, file } = readJobItem(job);
  const urls = [
    isJsonObject(params) ? params['audio_url'] : undefined,
    isJsonObject(file) ? file['source'] : undefined,
  ];
  return urls.find((url) => typeof url === 'string');
}
