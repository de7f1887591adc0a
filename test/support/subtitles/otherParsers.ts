import assert from 'node:assert/strict';
import * as mediaCaptions from 'media-captions';
import webVttParser from 'webvtt-parser';
import { anything, list, number, record, text, type Decoder } from '../../../src/base/decode/decoder.ts';

/** A caption as parsers of others read it. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

const decodeCaptions = record({
  errors: list(anything),
  cues: list(record({ startTime: number, endTime: number, text })),
});

interface MediaCaptions {
  parseText(text: string, options: object): Promise<unknown>;
}

/** Reads subtitles with `media-captions`, as strictly as it can. Fails on any error. */
export async function parseStrictly(file: string, type: 'srt' | 'vtt'): Promise<readonly Cue[]> {
  // The package's own types cannot be resolved.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it is documented
  const parser = mediaCaptions as unknown as MediaCaptions;
  const { errors, cues } = decode(decodeCaptions, await parser.parseText(file, { type, strict: true, errors: true }));
  assert.deepEqual(errors, [], file);
  return cues.map(({ startTime, endTime, text: shown }) => ({
    startMs: Math.round(startTime * 1000),
    endMs: Math.round(endTime * 1000),
    text: shown,
  }));
}

const decodeTree = record({ errors: list(record({ message: text })), cues: list(anything) });

/** Returns the deviations from the standard of WebVTT that `webvtt-parser` finds, and the number of captions. */
export function parseWebVtt(file: string): { readonly errors: readonly string[]; readonly cues: number } {
  const { errors, cues } = decode(decodeTree, new webVttParser.WebVTTParser().parse(file, 'metadata'));
  return { errors: errors.map(({ message }) => message), cues: cues.length };
}

function decode<T>(decoder: Decoder<T>, value: unknown): T {
  return decoder(JSON.parse(JSON.stringify(value)));
}
