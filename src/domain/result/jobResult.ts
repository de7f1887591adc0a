import { integer, number } from '../decode/decoder.ts';
import { readShape } from '../decode/readShape.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { readAddOns, type AddOn } from './addOns.ts';
import { countOf, memberObject, tellUnreadable, toMs, type OnGap } from './resultMembers.ts';
import { readTranscript, type Transcript } from './transcript.ts';

/**
 * What an item says of its job's result. The contract shows none of it (2.2), so all is read tolerantly: what is not there is absent,
 * what is there and cannot be read is told in `gaps`, and nothing is guessed.
 */
export interface JobResult {
  readonly figures: ResultFigures;
  readonly transcript: Transcript | undefined;
  readonly addOns: readonly AddOn[];
  readonly gaps: readonly Gap[];
}

/** What the service measured; lengths of time in milliseconds. */
export interface ResultFigures {
  readonly audioMs: number | undefined;
  readonly billedMs: number | undefined;
  readonly processingMs: number | undefined;
  readonly channels: number | undefined;
}

/** Something that should be in a result and is not, or cannot be read: where (indexes left out), and how often. */
export interface Gap {
  readonly path: string;
  readonly count: number;
}

/** The result in an item; undefined when it has none. Never throws. */
export function readResult(item: JsonObject): JobResult | undefined {
  const result = item['result'];
  if (result === undefined || result === null) return undefined;
  const counts = new Map<string, number>();
  const onGap: OnGap = (path) => counts.set(path, (counts.get(path) ?? 0) + 1);
  if (!isJsonObject(result)) onGap('result');
  const parts = isJsonObject(result) ? result : {};
  const read = {
    figures: readFigures(item, parts, onGap),
    transcript: isJsonObject(result) ? readTranscript(parts, onGap) : undefined,
    addOns: readAddOns(parts, onGap),
  };
  return { ...read, gaps: [...counts].map(([path, count]) => ({ path, count })) };
}

const figureShape = {
  audio_duration: number,
  billing_time: number,
  transcription_time: number,
  number_of_distinct_channels: integer(),
} as const;

function readFigures(item: JsonObject, result: JsonObject, onGap: OnGap): ResultFigures {
  const metadata = memberObject(result, 'metadata', 'result', onGap);
  const read = readShape(metadata ?? {}, figureShape, 'result.metadata', metadata ? tellUnreadable(onGap) : ignore);
  const file = isJsonObject(item['file']) ? item['file'] : {};
  const own = readShape(file, { audio_duration: number, number_of_channels: integer() }, 'file', ignore);
  return {
    audioMs: toMs(read.audio_duration ?? own.audio_duration),
    billedMs: toMs(read.billing_time),
    processingMs: toMs(read.transcription_time),
    channels: countOf(read.number_of_distinct_channels) ?? countOf(own.number_of_channels),
  };
}

const ignore = (): void => undefined;
