import { fileLine } from '../outsideText.ts';
import { t } from '@vscode/l10n';
import type { Transcript } from './transcript.ts';
import { nameSpeaker, type SpeakerNames } from './speakerNames.ts';
import { groupTurns, formatPosition, labelTurn, type Turn } from './turns.ts';

/** What to write in addition to the spoken text. */
export interface TranscriptMarks {
  readonly speakers: boolean;
  readonly times: boolean;
  /** Names that a person gave to the speakers. */
  readonly names?: SpeakerNames | undefined;
}

/**
 * The transcript as plain text: one paragraph per turn, with time and speaker if requested. Without utterances, the text as
 * the service sent it; undefined when there is neither.
 */
export function writeTranscript(transcript: Transcript, marks: TranscriptMarks): string | undefined {
  const turns = groupTurns(transcript);
  if (turns.length === 0) return transcript.fullText === undefined ? undefined : `${transcript.fullText.trim()}\n`;
  return `${turns.map((turn) => writeTurn(turn, marks)).join('\n\n')}\n`;
}

/** One turn as a paragraph: "00:12 · Speaker 1 (en) · text". */
function writeTurn(turn: Turn, { speakers, times, names }: TranscriptMarks): string {
  const start = turn.utterances[0]?.startMs;
  const text = turn.utterances.map((each) => fileLine(each.text)).join(' ');
  const parts = [
    times && start !== undefined ? formatPosition(start) : '',
    speakers ? labelTurn(turn, names) : '',
    text,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** The transcript as Markdown with a title. Spoken text and names are escaped, so that none of it becomes markup. */
export function writeMarkdown(transcript: Transcript, title: string, names?: SpeakerNames): string | undefined {
  const turns = groupTurns(transcript);
  if (turns.length === 0 && transcript.fullText === undefined) return undefined;
  const paragraphs =
    turns.length === 0
      ? (transcript.fullText ?? '').split(/\n\s*\n/).map((each) => escapeMarkdown(fileLine(each)))
      : turns.map((turn) => markdownTurn(turn, names));
  return `${[`# ${escapeMarkdown(fileLine(title))}`, ...paragraphs].join('\n\n')}\n`;
}

function markdownTurn(turn: Turn, names: SpeakerNames | undefined): string {
  const start = turn.utterances[0]?.startMs;
  const given = nameSpeaker(turn, names);
  const name = given === undefined ? undefined : escapeMarkdown(given);
  const language = turn.language === undefined ? undefined : escapeMarkdown(turn.language);
  const label = name !== undefined && language !== undefined ? t('{0} ({1})', name, language) : (name ?? language);
  const head = [start === undefined ? '' : formatPosition(start), label ?? ''].filter((part) => part !== '');
  // As one line: only its beginning is one.
  const text = escapeMarkdown(fileLine(turn.utterances.map((each) => each.text).join(' ')));
  return head.length === 0 ? text : `**${head.join(' · ')}**  \n${text}`;
}

/**
 * What could start markup, HTML or a link in one line of Markdown. Some of it always, some at the beginning only (headings, lists, quotes,
 * tables, underlines of headings), and some before or after certain characters: `==`, `https://`, `:smile:`, `example.com`, `&copy;`, and the
 * `#` that ends a heading. A full stop that ends a sentence is none of it.
 */
const markup =
  /[\\`*_{}[\]<~$^]|^[#+\-=>|:]|(?<=^\d{1,9})[.)]|=(?==)|(?<==)=|:(?=\/\/|[\w+-]{1,50}:)|(?<=\b(?:mailto|xmpp)):|\.(?=\p{L})|&(?=#?\w{1,50};)|#(?=#{0,50}$)/giu;

function escapeMarkdown(text: string): string {
  return text.replaceAll(markup, String.raw`\$&`);
}
