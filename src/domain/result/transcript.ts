import { integer, list, number, text } from '../decode/decoder.ts';
import { readShape } from '../decode/readShape.ts';
import type { JsonObject } from '../json/json.ts';
import { countOf, memberList, memberObject, tellAbsent, tellUnreadable, toMs, type OnGap } from './resultMembers.ts';

/** What was said, as `result.transcription` has it. */
export interface Transcript {
  /** The whole as one text, as the service wrote it. */
  readonly fullText: string | undefined;
  /** Codes of the languages that were found. */
  readonly languages: readonly string[];
  /** In the service's order. */
  readonly utterances: readonly Utterance[];
  readonly subtitles: readonly Subtitles[];
}

/** What one speaker said without a pause. Positions are milliseconds from the beginning of the audio. */
export interface Utterance {
  readonly text: string;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  /** Counted from 0. */
  readonly speaker: number | undefined;
  /** Counted from 0. */
  readonly channel: number | undefined;
  readonly language: string | undefined;
  /** From 0 to 1. */
  readonly confidence: number | undefined;
}

/** Subtitles that the service made. */
export interface Subtitles {
  /** The service's word: `srt`, `vtt`. */
  readonly format: string;
  readonly text: string;
}

/** The transcript of a result; undefined when it has none. */
export function readTranscript(result: JsonObject, onGap: OnGap): Transcript | undefined {
  const path = 'result.transcription';
  const transcription = memberObject(result, 'transcription', 'result', onGap);
  if (transcription === undefined) return undefined;
  const shape = { full_transcript: text, languages: list(text) } as const;
  const { full_transcript: fullText, languages } = readShape(transcription, shape, path, tellUnreadable(onGap));
  const transcript = {
    fullText,
    languages: languages ?? [],
    utterances: memberList(transcription, 'utterances', path, onGap, readUtterance),
    subtitles: readSubtitles(transcription, path, onGap),
  };
  if (transcription['utterances'] === undefined) onGap(`${path}.utterances`);
  return transcript;
}

const spokenShape = { text: text, start: number, end: number } as const;
/** What only some results say of an utterance. */
const traitShape = { speaker: integer(), channel: integer(), language: text, confidence: number } as const;

function readUtterance(value: JsonObject, path: string, onGap: OnGap): Utterance | undefined {
  const { text, start, end } = readShape(value, spokenShape, path, tellAbsent(onGap));
  const { speaker, channel, language, confidence } = readShape(value, traitShape, path, tellUnreadable(onGap));
  const startMs = toMs(start);
  const endMs = toMs(end);
  if (start !== undefined && startMs === undefined) onGap(`${path}.start`);
  if (end !== undefined && (endMs === undefined || endMs < (startMs ?? 0))) onGap(`${path}.end`);
  if (text === undefined) return undefined;
  return {
    text,
    startMs,
    endMs: endMs !== undefined && endMs >= (startMs ?? 0) ? endMs : undefined,
    speaker: countOf(speaker),
    channel: countOf(channel),
    language,
    confidence: confidence !== undefined && confidence >= 0 && confidence <= 1 ? confidence : undefined,
  };
}

const subtitleShape = { format: text, subtitles: text } as const;

/** Subtitles of a transcript, or of a translation, which has them in the same place. */
export function readSubtitles(holder: JsonObject, path: string, onGap: OnGap): readonly Subtitles[] {
  return memberList(holder, 'subtitles', path, onGap, (value, at) => {
    const { format, subtitles } = readShape(value, subtitleShape, at, tellAbsent(onGap));
    return format === undefined || subtitles === undefined ? undefined : { format, text: subtitles };
  });
}
