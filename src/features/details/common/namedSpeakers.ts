import { attempt, list, record, shortText, Undecodable, type Decoded } from '../../../base/decode/decoder.ts';
import { maxSpeakerName } from '../../../jobs/common/result/speakerNames.ts';

/** Global state key: the names of version 1, the most recently changed job last. */
export const namedSpeakersKey = 'speakerNames.1';
export const maxNamedJobs = 200;
export const maxNamedSpeakers = 100;
/** In characters. */
const maxKeyLength = 3000;

const decodeSpeaker = record({ speaker: shortText(maxKeyLength), name: shortText(maxSpeakerName) });
const decodeNamedJob = record({ job: shortText(maxKeyLength), speakers: list(decodeSpeaker, maxNamedSpeakers) });

/** The names of a job's speakers as stored. */
export type JobWithNames = Decoded<typeof decodeNamedJob>;

/** Returns the readable entries of what is stored. */
export function readNamedSpeakers(stored: unknown): readonly JobWithNames[] {
  return (Array.isArray(stored) ? stored.slice(-maxNamedJobs) : []).flatMap((each: unknown) => {
    const named = attempt(decodeNamedJob, each);
    return named instanceof Undecodable ? [] : [named];
  });
}
