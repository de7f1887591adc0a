import { list, number, optional, record, text, type Decoded } from '../../../base/decode/decoder.ts';
import { foldDiacritics } from '../../../base/foldDiacritics.ts';
import { fileLine } from '../../../base/outsideText.ts';
import { speakerKey, type SpeakerNames } from './speakerNames.ts';
import type { Transcript, Translation, Utterance } from './transcript.ts';
import { groupTurns, formatPosition, labelTurn } from './turns.ts';

const line = record({
  /** Formatted start time; undefined if the service sent none. */
  time: optional(text),
  /** Speaker and, where it changes, language, in the first line of a turn; undefined in its other lines. */
  label: optional(text),
  /** The `speakerKey`, in the first line of a turn whose speaker is known. */
  speaker: optional(text),
  text,
  /** From 0 to 1. */
  confidence: optional(number),
  /** The text in the languages of the view; empty if the service sent no translation of it. */
  translations: list(text),
});

/** Decodes a {@link TranscriptView} from a message between editor and page. */
export const transcriptView = record({ lines: list(line), languages: list(text) });

/**
 * A transcript as lines for display, with the languages of its translations. Has one line per utterance; the first line
 * of a turn shows the speaker.
 */
export type TranscriptView = Decoded<typeof transcriptView>;
export type TranscriptLine = Decoded<typeof line>;

/** Returns the lines of a transcript; without utterances, the paragraphs of its text. Undefined if it has neither. */
export function buildTranscriptView(
  transcript: Transcript,
  names?: SpeakerNames,
  translations: readonly Translation[] = [],
): TranscriptView | undefined {
  const translated = translations.map((each) => alignTranslation(transcript.utterances, each));
  let place = 0;
  let lastLanguage: string | undefined;
  const lines = groupTurns(transcript).flatMap((turn) => {
    // Names a language where it changes.
    const label = labelTurn(turn.language === lastLanguage ? { ...turn, language: undefined } : turn, names);
    lastLanguage = turn.language ?? lastLanguage;
    const speaker = speakerKey(turn);
    return turn.utterances.map(({ text, startMs, confidence }, index) => ({
      time: startMs === undefined ? undefined : formatPosition(startMs),
      label: index === 0 ? label : undefined,
      speaker: index === 0 ? speaker : undefined,
      text: text.trim(),
      confidence,
      translations: textsAt(translated, place++),
    }));
  });
  if (lines.length > 0) return { lines, languages: translations.map(({ language }) => language) };
  const paragraphs = (transcript.fullText ?? '').split(/\n\s*\n/).filter((each) => each.trim() !== '');
  if (paragraphs.length === 0) return undefined;
  return {
    lines: paragraphs.map((each) => ({
      time: undefined,
      label: '',
      speaker: undefined,
      text: each.trim(),
      confidence: undefined,
      translations: [],
    })),
    languages: [],
  };
}

function textsAt(translated: readonly (readonly string[])[], place: number): string[] {
  return translated.map((texts) => texts[place] ?? '');
}

/** Returns the translation of each utterance: by index if the numbers are equal, otherwise by time. */
function alignTranslation(
  utterances: readonly Utterance[],
  { utterances: translated }: Translation,
): readonly string[] {
  if (translated.length === utterances.length) return translated.map(({ text }) => text.trim());
  const texts = utterances.map((): string[] => []);
  let place = 0;
  for (const { text, startMs = -Infinity } of translated) {
    for (let next = utterances[place + 1]; (next?.startMs ?? Infinity) <= startMs; next = utterances[place + 1])
      place++;
    texts[place]?.push(text.trim());
  }
  return texts.map((parts) => parts.join(' '));
}

/** A search hit: line index, and range in the line's text or in one of its translations. */
export interface TranscriptHit {
  readonly line: number;
  /** Index of the translation; undefined for the original. */
  readonly place: number | undefined;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns all occurrences of a text, ignoring case and diacritics, in reading order; none for an empty text.
 * @param places indices of the translations to search besides the original.
 */
export function findInTranscript(
  { lines }: TranscriptView,
  wanted: string,
  places: readonly number[] = [],
): readonly TranscriptHit[] {
  if (wanted.trim() === '') return [];
  const folded = foldDiacritics(wanted);
  const pattern = new RegExp(folded.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  return lines.flatMap(({ text, translations }, line) =>
    [undefined, ...places].flatMap((place) => {
      const searched = place === undefined ? text : (translations[place] ?? '');
      const hits = [...foldDiacritics(searched).matchAll(pattern)];
      return hits.map((hit) => ({ line, place, start: hit.index, end: hit.index + hit[0].length }));
    }),
  );
}

/** Returns the turn that begins at a line, as text for the clipboard: "00:12 · Speaker 1 (en) · text". */
export function writeViewTurn({ lines }: TranscriptView, first: number): string {
  const { time, label } = lines[first] ?? {};
  const texts: string[] = [];
  for (let index = first; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined || (index > first && line.label !== undefined)) break;
    texts.push(fileLine(line.text));
  }
  return [time ?? '', label ?? '', texts.join(' ')].filter((part) => part !== '').join(' · ');
}

/** Returns all turns, one paragraph each. */
export function writeViewTranscript(view: TranscriptView): string {
  const firsts = view.lines.flatMap(({ label }, index) => (label === undefined ? [] : [index]));
  return firsts.map((first) => writeViewTurn(view, first)).join('\n\n');
}
