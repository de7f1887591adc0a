import { list, number, optional, record, text, type Decoded } from '../decode/decoder.ts';
import type { Transcript } from './transcript.ts';
import { groupTurns, formatPosition, labelTurn } from './turns.ts';

const line = record({
  /** Where it begins, ready to read; undefined when the service does not say. */
  time: optional(text),
  /** Who begins to speak here and in which language; undefined within a turn. */
  label: optional(text),
  text,
  /** From 0 to 1. */
  confidence: optional(number),
});

/** Reads a {@link TranscriptView} that crossed the border between editor and page. */
export const transcriptView = record({ lines: list(line) });

/** A transcript as lines to read: one for each utterance, of which the first of a turn says who speaks. */
export type TranscriptView = Decoded<typeof transcriptView>;
export type TranscriptLine = Decoded<typeof line>;

/** The lines of a transcript; without utterances, the paragraphs of its text. Undefined when it has neither. */
export function buildTranscriptView(transcript: Transcript): TranscriptView | undefined {
  const lines = groupTurns(transcript).flatMap((turn) => {
    const label = labelTurn(turn);
    return turn.utterances.map(({ text, startMs, confidence }, index) => ({
      time: startMs === undefined ? undefined : formatPosition(startMs),
      label: index === 0 ? label : undefined,
      text: text.trim(),
      confidence,
    }));
  });
  if (lines.length > 0) return { lines };
  const paragraphs = (transcript.fullText ?? '').split(/\n\s*\n/).filter((each) => each.trim() !== '');
  if (paragraphs.length === 0) return undefined;
  return {
    lines: paragraphs.map((each) => ({ time: undefined, label: '', text: each.trim(), confidence: undefined })),
  };
}

/** One hit of a search: which line, and where in its text. */
export interface TranscriptHit {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Where a text occurs in the lines, whatever the case of its letters; nothing for an empty one. In the order of reading. */
export function findInTranscript({ lines }: TranscriptView, wanted: string): readonly TranscriptHit[] {
  if (wanted.trim() === '') return [];
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  return lines.flatMap(({ text }, line) =>
    [...text.matchAll(pattern)].map((match) => ({ line, start: match.index, end: match.index + match[0].length })),
  );
}

/** The turn that begins with a line, as it is copied: "00:12 · Speaker 1 (en) · text". */
export function writeViewTurn({ lines }: TranscriptView, first: number): string {
  const next = lines.findIndex((each, index) => index > first && each.label !== undefined);
  const turn = lines.slice(first, next === -1 ? lines.length : next);
  const { time, label } = turn[0] ?? {};
  return [time ?? '', label ?? '', turn.map((each) => each.text).join(' ')].filter((part) => part !== '').join(' · ');
}

/** All turns, a paragraph each. */
export function writeViewTranscript(view: TranscriptView): string {
  const firsts = view.lines.flatMap(({ label }, index) => (label === undefined ? [] : [index]));
  return firsts.map((first) => writeViewTurn(view, first)).join('\n\n');
}
