import type { Job } from './job.ts';
import { skipSpace } from '../../base/json/jsonText.ts';
import { parsedCharacters } from '../../base/json/parseInSteps.ts';
import { SteppedJson, type PartRange } from '../../base/json/steppedJson.ts';
import { oneLine } from '../../base/outsideText.ts';
import type { SpeakerNames } from './result/speakerNames.ts';
import { hasSubtitles, writeSubtitles } from './result/subtitles.ts';
import { readLongTranscript, type Transcript } from './result/transcript.ts';
import { writeMarkdown, writeTranscript } from './result/transcriptText.ts';

/** The formats of a file with a transcript. `text` contains only the spoken text, `turns` adds speakers and times. */
export const transcriptFormats = ['text', 'turns', 'markdown', 'srt', 'vtt', 'json'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** Returns the file name extension of a format, without the dot. */
export function transcriptExtension(format: TranscriptFormat): string {
  switch (format) {
    case 'text':
    case 'turns':
      return 'txt';
    case 'markdown':
      return 'md';
    case 'srt':
    case 'vtt':
    case 'json':
      return format;
  }
}

/** The savable content of a job's result. */
export interface SavableResult {
  readonly transcript: Transcript | undefined;
  /** The JSON text of the result, as received. */
  readonly json: string;
  /** The formats that have content: only JSON without a transcript, no subtitles without times. */
  readonly formats: readonly TranscriptFormat[];
}

/**
 * Returns the result of a job, of any length; undefined if its item has none. The caller can yield to the event loop
 * between the steps.
 */
export function* readSavableResult({ raw }: Pick<Job, 'raw'>): Generator<undefined, SavableResult | undefined> {
  const json = new SteppedJson(raw, parsedCharacters);
  const result = yield* lastMember(json, skipSpace(raw, 0), 'result');
  const text = result && raw.slice(result.start, result.end);
  if (result === undefined || text === undefined || text === 'null') return undefined;
  // The rest of a large result, such as translations, takes longer to parse than the transcript.
  const transcription = yield* lastMember(json, result.start, 'transcription');
  const transcript = transcription && (yield* readLongTranscript(json, transcription));
  return { transcript, json: text, formats: yield* savableFormats(transcript) };
}

function* lastMember(json: SteppedJson, start: number, wanted: string): Generator<undefined, PartRange | undefined> {
  let last: PartRange | undefined;
  for (const member of json.members(start)) {
    if (member === undefined) yield;
    else if (member.key === wanted) last = member;
  }
  return last;
}

function* savableFormats(transcript: Transcript | undefined): Generator<undefined, readonly TranscriptFormat[]> {
  if (transcript === undefined) return ['json'];
  const formats: TranscriptFormat[] = hasWords(transcript) ? ['text', 'turns', 'markdown'] : [];
  for (const format of ['srt', 'vtt'] as const) if (yield* hasSubtitles(transcript, format)) formats.push(format);
  return [...formats, 'json'];
}

/**
 * Returns the content of a file with a transcript; undefined if there is nothing to save in this format. The caller can
 * yield to the event loop between the steps.
 * @param title heading of Markdown.
 * @param names names that the user gave the speakers.
 */
export function* writeTranscriptFile(
  { transcript, json, formats }: SavableResult,
  format: TranscriptFormat,
  title: string,
  names?: SpeakerNames,
): Generator<undefined, string | undefined> {
  if (!formats.includes(format)) return undefined;
  if (format === 'json' || transcript === undefined) return `${json}\n`;
  if (format === 'srt' || format === 'vtt') return yield* writeSubtitles(transcript, format);
  if (format === 'markdown') return yield* writeMarkdown(transcript, title, names);
  return yield* writeTranscript(transcript, { speakers: format === 'turns', times: format === 'turns', names });
}

function hasWords({ utterances, fullText = '' }: Transcript): boolean {
  return utterances.length > 0 ? utterances.some(({ text }) => text.trim() !== '') : fullText.trim() !== '';
}

/** In UTF-16 units. At three bytes each in UTF-8, they fit into the 255 bytes of a name together with number and extension. */
const maxNameLength = 60;
/** Names that Windows reserves for devices, whatever follows their first dot. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Returns a file name that is valid in every file system, made from a job's label.
 * @param label text from outside.
 * @param fallback used if no part of the label is usable; a job's id.
 * @param isTaken true if a name is in use; then " (2)" is appended, or the first number that is free.
 */
export function nameTranscriptFile(
  label: string,
  fallback: string,
  format: TranscriptFormat,
  isTaken: (name: string) => boolean = () => false,
): string {
  const stem = safeStem(label) || safeStem(fallback) || 'transcript';
  const extension = transcriptExtension(format);
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${stem}.${extension}` : `${stem} (${number}).${extension}`;
    if (!isTaken(name)) return name;
  }
}

function safeStem(text: string): string {
  const plain = oneLine(text, 1000).replaceAll(/[<>:"/\\|?*]/g, '-');
  const cut = oneLine(plain, maxNameLength).replaceAll(/^[\s.]+|[\s.]+$/g, '');
  return cut.replace(devices, (name) => `${name}_`);
}
