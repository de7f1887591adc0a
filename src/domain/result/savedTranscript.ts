import type { Job } from '../jobs/job.ts';
import { isJsonObject, parseJson } from '../json/json.ts';
import { readMembers } from '../json/jsonText.ts';
import { oneLine } from '../outsideText.ts';
import type { SpeakerNames } from './speakerNames.ts';
import { hasSubtitles, writeSubtitles } from './subtitles.ts';
import { readTranscript, type Transcript } from './transcript.ts';
import { writeMarkdown, writeTranscript } from './transcriptText.ts';

/** The formats of a file with a transcript. `text` is what was said and nothing else, `turns` adds speakers and times. */
export const transcriptFormats = ['text', 'turns', 'markdown', 'srt', 'vtt', 'json'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** The file name extension of a format, without the dot. */
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

/** What can be saved of a job's result. */
export interface SavableResult {
  readonly transcript: Transcript | undefined;
  /** The JSON text of the result, as received. */
  readonly json: string;
}

/** The result of a job; undefined when its item has none. Never throws. */
export function readSavableResult(job: Pick<Job, 'raw'>): SavableResult | undefined {
  const json = lastMember(job.raw, 'result');
  if (json === undefined || json === 'null') return undefined;
  // The rest of a large result, such as translations, takes longer to parse than the transcript.
  const transcription = parseJson(lastMember(json, 'transcription') ?? 'null');
  const transcript = isJsonObject(transcription) ? readTranscript({ transcription }, () => undefined) : undefined;
  return { transcript, json };
}

function lastMember(object: string, wanted: string): string | undefined {
  return readMembers(object).findLast(({ key }) => key === wanted)?.text;
}

/** The formats in which there is something to save: none without a transcript but JSON, no subtitles without times. */
export function savableFormats({ transcript }: SavableResult): readonly TranscriptFormat[] {
  if (transcript === undefined) return ['json'];
  return transcriptFormats.filter((format) => {
    switch (format) {
      case 'text':
      case 'turns':
      case 'markdown':
        return hasWords(transcript);
      case 'srt':
      case 'vtt':
        return hasSubtitles(transcript, format);
      case 'json':
        return true;
    }
  });
}

/**
 * The content of a file with a transcript; undefined when there is nothing to save in this format.
 * @param title heading of Markdown.
 * @param names what a person called the speakers.
 */
export function writeTranscriptFile(
  { transcript, json }: SavableResult,
  format: TranscriptFormat,
  title: string,
  names?: SpeakerNames,
): string | undefined {
  if (format === 'json') return `${json}\n`;
  if (transcript === undefined) return undefined;
  if (format === 'srt' || format === 'vtt') return writeSubtitles(transcript, format);
  if (!hasWords(transcript)) return undefined;
  if (format === 'markdown') return writeMarkdown(transcript, title, names);
  return writeTranscript(transcript, { speakers: format === 'turns', times: format === 'turns', names });
}

function hasWords({ utterances, fullText = '' }: Transcript): boolean {
  return utterances.length > 0 ? utterances.some(({ text }) => text.trim() !== '') : fullText.trim() !== '';
}

/** In UTF-16 units. Three bytes each in UTF-8, they fit into the 255 bytes of a name together with number and extension. */
const longestName = 60;
/** Names that Windows keeps for devices, whatever follows their first dot. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A file name that every file system takes, made from a job's label.
 * @param label text from outside.
 * @param fallback used when nothing of the label can be used; a job's id.
 * @param isTaken whether a name is in use; then " (2)" follows, or the first number that is free.
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
  const cut = oneLine(plain, longestName).replaceAll(/^[\s.]+|[\s.]+$/g, '');
  return cut.replace(devices, (name) => `${name}_`);
}
