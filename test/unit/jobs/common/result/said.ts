import type { Utterance } from '../../../../../src/jobs/common/result/transcript.ts';

/** Returns an utterance of an unknown speaker, without times of words. */
export function said(text: string, startMs: number | undefined, endMs?: number): Utterance {
  return {
    text,
    startMs,
    endMs,
    speaker: undefined,
    channel: undefined,
    language: undefined,
    confidence: undefined,
    words: [],
  };
}
