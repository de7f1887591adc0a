import type { JsonObject, JsonValue } from '../domain/json/json.ts';
import { draw } from './mix32.ts';
import { present } from './present.ts';
import { type NonEmpty, Random } from './random.ts';
import { sampleId, sampleRequestId } from './sampleId.ts';
import type { SampleJob } from './sampleJob.ts';
import { sampleLiveParams } from './sampleLiveParams.ts';
import { trait } from './trait.ts';

/** Frequent causes are listed more than once. */
const errorCodes: NonEmpty<number> = [
  400, 400, 403, 404, 404, 408, 413, 415, 422, 422, 429, 500, 500, 502, 503, 504, 599,
];

/** What is settled about a job before the rest of it is made up: its place in time and among the filters. */
export interface JobOutline extends Pick<SampleJob, 'kind' | 'outcome' | 'createdAt' | 'startsAt' | 'endsAt'> {
  readonly serial: number;
  /** `undefined`: the field is absent. */
  readonly metadata: JsonObject | null | undefined;
}

/** The sample job of a serial number: the same seed and outline make the same job. */
export function generateJob(seed: number, outline: JobOutline): SampleJob {
  const { serial, metadata, ...plan } = outline;
  const random = new Random(draw(seed, serial, trait.fields));
  return {
    ...plan,
    id: sampleId(seed, serial),
    requestId: sampleRequestId(draw(seed, serial, trait.requestId)),
    errorCode: random.pick(errorCodes),
    fields: present({
      custom_metadata: metadata,
      post_session_metadata: postSession(plan.kind, random),
      ...(plan.kind === 'live' ? { request_params: sampleLiveParams(random) } : { file: audioFile(random) }),
    }),
  };
}

function postSession(kind: SampleJob['kind'], random: Random): JsonValue | undefined {
  if (random.chance(0.1)) return undefined;
  if (kind === 'pre-recorded' || random.chance(0.6)) return {};
  return {
    ended_by: random.pick(['agent', 'caller', 'timeout']),
    rating: random.chance(0.5) ? random.integer(1, 5) : null,
    reconnects: random.integer(0, 3),
  };
}

/** Outside the contract, and sent by a public service on some items. */
function audioFile(random: Random): JsonObject | null | undefined {
  if (random.chance(0.4)) return undefined;
  if (random.chance(0.05)) return null;
  const filename = `${random.pick(['call', 'episode', 'interview', 'meeting', 'voicemail'])}-${random.integer(1, 9999)}.${random.pick(['mp3', 'wav', 'm4a', 'ogg'])}`;
  const uploaded = random.chance(0.3);
  return {
    id: sampleId(random.integer(0, 2 ** 31), random.integer(0, 2 ** 31)),
    filename,
    source: uploaded ? null : `https://media.example.com/audio/${filename}`,
    audio_duration: random.chance(0.9) ? random.integer(8_000, 7_200_000) / 1000 : null,
    number_of_channels: random.chance(0.9) ? random.integer(1, 2) : null,
  };
}
