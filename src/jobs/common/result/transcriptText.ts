import { fileLine } from '../../../base/outsideText.ts';
import { linePieces, pieceCharacters } from './linePieces.ts';
import { t } from '@vscode/l10n';
import type { Transcript } from './transcript.ts';
import { nameSpeaker, type SpeakerNames } from './speakerNames.ts';
import { eachTurn, formatPosition, labelTurn, type Turn } from './turns.ts';

/** Data to write in addition to the spoken text. */
export interface TranscriptMarks {
  readonly speakers: boolean;
  readonly times: boolean;
  /** Names that the user gave to the speakers. */
  readonly names?: SpeakerNames | undefined;
}

/**
 * Returns the transcript as plain text: one paragraph per turn, with time and speaker if requested. Without utterances,
 * the text as the service sent it; undefined if there is neither. The caller can yield to the event loop between the
 * steps.
 */
export function* writeTranscript(
  transcript: Transcript,
  marks: TranscriptMarks,
): Generator<undefined, string | undefined> {
  const paragraphs = new Paragraphs();
  for (const turn of eachTurn(transcript)) paragraphs.add(yield* writeTurn(turn, marks));
  if (!paragraphs.isEmpty) return `${paragraphs.join()}\n`;
  return transcript.fullText === undefined ? undefined : `${transcript.fullText.trim()}\n`;
}

/** Writes one turn as a paragraph: "00:12 · Speaker 1 (en) · text". */
function* writeTurn(turn: Turn, { speakers, times, names }: TranscriptMarks): Generator<undefined, string> {
  const start = turn.utterances[0]?.startMs;
  let text = '';
  for (const piece of linePieces(turn.utterances.map((each) => each.text))) {
    text += piece;
    yield;
  }
  const parts = [
    times && start !== undefined ? formatPosition(start) : '',
    speakers ? labelTurn(turn, names) : '',
    text,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Data to write in Markdown besides the spoken text. */
interface MarkdownMarks {
  readonly title: string;
  /** A link that the editor opens, as `formatJobLink` returns it. */
  readonly jobLink?: string | undefined;
  /** Names that the user gave to the speakers. */
  readonly names?: SpeakerNames | undefined;
}

/**
 * Returns the transcript as Markdown with a title. Spoken text and names are escaped, so that none of it becomes
 * markup. The caller can yield to the event loop between the steps.
 */
export function* writeMarkdown(
  transcript: Transcript,
  { title, jobLink, names }: MarkdownMarks,
): Generator<undefined, string | undefined> {
  const { fullText } = transcript;
  const paragraphs = new Paragraphs();
  for (const turn of eachTurn(transcript)) paragraphs.add(yield* markdownTurn(turn, names));
  if (paragraphs.isEmpty) {
    if (fullText === undefined) return undefined;
    for (const each of paragraphsOf(fullText)) paragraphs.add(yield* markdownLine([each]));
  }
  const links = jobLink === undefined ? [] : [`[${escapeMarkdown(t('Open Job'))}](<${jobLink}>)`];
  return `${[`# ${escapeMarkdown(fileLine(title))}`, ...links, paragraphs.join()].join('\n\n')}\n`;
}

/** Paragraphs of a text. Joins some of them whenever they are long enough, because joining millions at once takes long. */
class Paragraphs {
  readonly #joined: string[] = [];
  #open: string[] = [];
  #characters = 0;

  get isEmpty(): boolean {
    return this.#joined.length + this.#open.length === 0;
  }

  add(paragraph: string): void {
    this.#open.push(paragraph);
    this.#characters += paragraph.length + 1;
    if (this.#characters < pieceCharacters) return;
    this.#joined.push(this.#open.join('\n\n'));
    this.#open = [];
    this.#characters = 0;
  }

  join(): string {
    return [...this.#joined, ...this.#open].join('\n\n');
  }
}

/** Yields the parts of a text between empty lines. */
function* paragraphsOf(text: string): Generator<string, void> {
  let at = 0;
  for (const { index, 0: gap } of text.matchAll(/\n\s*\n/g)) {
    yield text.slice(at, index);
    at = index + gap.length;
  }
  yield text.slice(at);
}

/** Returns texts as one line of Markdown. Only the first piece is at the beginning of the line. */
function* markdownLine(texts: Iterable<string>): Generator<undefined, string> {
  let line = '';
  let last = '';
  for (const piece of linePieces(texts)) {
    yield;
    if (piece === '') continue;
    if (last !== '') line += escapeWithin(last, line === '', false);
    last = piece;
  }
  return line + escapeWithin(last, line === '', true);
}

/** Escapes a part of a line. Characters that are markup only at the beginning or the end of a line are not escaped elsewhere. */
function escapeWithin(text: string, isFirst: boolean, isLast: boolean): string {
  const [before, after] = [isFirst ? '' : 'x', isLast ? '' : ' x'];
  const escaped = escapeMarkdown(`${before}${text}${after}`);
  return escaped.slice(before.length, escaped.length - after.length);
}

function* markdownTurn(turn: Turn, names: SpeakerNames | undefined): Generator<undefined, string> {
  const start = turn.utterances[0]?.startMs;
  const given = nameSpeaker(turn, names);
  const name = given === undefined ? undefined : escapeMarkdown(given);
  const language = turn.language === undefined ? undefined : escapeMarkdown(turn.language);
  const label = name !== undefined && language !== undefined ? t('{0} ({1})', name, language) : (name ?? language);
  const head = [start === undefined ? '' : formatPosition(start), label ?? ''].filter((part) => part !== '');
  const text = yield* markdownLine(turn.utterances.map((each) => each.text));
  return head.length === 0 ? text : `**${head.join(' · ')}**  \n${text}`;
}

/**
 * Matches text that could start markup, HTML or a link in one line of Markdown: some of it anywhere, some only at the
 * beginning (headings, lists, quotes, tables, underlines of headings), and some before or after certain characters:
 * `==`, `https://`, `:smile:`, `example.com`, `&copy;`, and the `#` that ends a heading. Does not match a full stop
 * that ends a sentence.
 */
const markup =
  /[\\`*_{}[\]<~$^]|^[#+\-=>|:]|(?<=^\d{1,9})[.)]|=(?==)|(?<==)=|:(?=\/\/|[\w+-]{1,50}:)|(?<=\b(?:mailto|xmpp)):|\.(?=\p{L})|&(?=#?\w{1,50};)|#(?=#{0,50}$)/giu;

function escapeMarkdown(text: string): string {
  return text.replaceAll(markup, String.raw`\$&`);
}
