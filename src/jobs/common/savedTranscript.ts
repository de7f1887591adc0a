import type { Job } from './job.ts';
import { t } from '@vscode/l10n';
import { isJsonObject } from '../../base/json/json.ts';
import { skipSpace } from '../../base/json/jsonText.ts';
import { parsedCharacters, parseInSteps } from '../../base/json/parseInSteps.ts';
import { SteppedJson, type PartRange } from '../../base/json/steppedJson.ts';
import { oneLine } from '../../base/outsideText.ts';
import { readFailure } from './result/addOns.ts';
import { readSubtitleLimits, type SubtitleLimits } from './result/captions.ts';
import type { SpeakerNames } from './result/speakerNames.ts';
import {
  chooseSubtitles,
  describeSubtitles,
  subtitleFormats,
  writeSubtitles,
  type SubtitleFormat,
  type SubtitleSource,
} from './result/subtitles.ts';
import { transcriptFormats, type TranscriptFormat } from './transcriptFormats.ts';
import { readLongTranscript, type Transcript } from './result/transcript.ts';
import { writeMarkdown, writeTranscript } from './result/transcriptText.ts';

/** Returns the file name extension of a format, without the dot. */
function transcriptExtension(format: TranscriptFormat): string {
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

/** The `id` of the version in the spoken language. */
export const originalVersion = 'original';

/** A transcript in one language: as spoken, or a translation. */
interface TranscriptVersion {
  /** {@link originalVersion}, or the language of the translation; unique within a result. */
  readonly id: string;
  /** The language as the service names it: `en`, `fr`; `en+fr` for several, `''` if unknown. */
  readonly language: string;
  readonly transcript: Transcript;
  readonly subtitles: Readonly<Record<SubtitleFormat, SubtitleSource>>;
  /** The formats that have content, without JSON. */
  readonly formats: readonly TranscriptFormat[];
}

/** The savable content of a job's result. */
export interface SavableResult {
  /** The JSON text of the result, as received. */
  readonly json: string;
  /** The transcript as spoken, if the service sent one, and its translations in the service's order. */
  readonly versions: readonly TranscriptVersion[];
  /** Translations that failed. */
  readonly failures: readonly { readonly language: string; readonly reason: string | undefined }[];
  /** Number of translations after the first hundred, which are not read. */
  readonly unreadTranslations: number;
  /** All formats that have content in any language. */
  readonly formats: readonly TranscriptFormat[];
  readonly limits: SubtitleLimits;
}

/** Maximum number of translations of one result. */
const maxTranslations = 100;

/**
 * Returns the result of a job, of any length; undefined if its item has none. The caller can yield to the event loop
 * between the steps.
 */
export function* readSavableResult({ raw }: Pick<Job, 'raw'>): Generator<undefined, SavableResult | undefined> {
  const json = new SteppedJson(raw, parsedCharacters);
  const item = yield* membersOf(json, skipSpace(raw, 0), ['result', 'request_params']);
  const result = item.get('result');
  const text = result && raw.slice(result.start, result.end);
  if (result === undefined || text === undefined || text === 'null') return undefined;
  const limits = yield* subtitleLimitsOf(json, item.get('request_params'));
  const parts = yield* membersOf(json, result.start, ['transcription', 'translation']);
  const versions: TranscriptVersion[] = [];
  const transcription = parts.get('transcription');
  const spoken = transcription && (yield* readLongTranscript(json, transcription));
  if (spoken !== undefined) versions.push(yield* makeVersion(originalVersion, spoken));
  const translations = yield* readTranslations(json, parts.get('translation'), versions);
  const offered = new Set(versions.flatMap(({ formats }) => formats));
  const formats = transcriptFormats.filter((format) => format === 'json' || offered.has(format));
  return { json: text, versions, ...translations, formats, limits };
}

function* membersOf(
  json: SteppedJson,
  start: number,
  names: readonly string[],
): Generator<undefined, ReadonlyMap<string, PartRange>> {
  // Of duplicate keys, the last one counts, as for `JSON.parse`.
  const found = new Map<string, PartRange>();
  for (const member of json.members(start)) {
    if (member === undefined) yield;
    else if (names.includes(member.key)) found.set(member.key, member);
  }
  return found;
}

function* subtitleLimitsOf(json: SteppedJson, request: PartRange | undefined): Generator<undefined, SubtitleLimits> {
  const members = request === undefined ? undefined : yield* membersOf(json, request.start, ['subtitles_config']);
  const config = members?.get('subtitles_config');
  const isSmall = config !== undefined && config.end - config.start <= parsedCharacters;
  return readSubtitleLimits(isSmall ? yield* parseInSteps(json, config) : undefined);
}

/** @param versions receives the translations. @returns those that failed, and the number of those that are not read */
function* readTranslations(
  json: SteppedJson,
  translation: PartRange | undefined,
  versions: TranscriptVersion[],
): Generator<undefined, Pick<SavableResult, 'failures' | 'unreadTranslations'>> {
  if (translation === undefined) return { failures: [], unreadTranslations: 0 };
  const failures: { language: string; reason: string | undefined }[] = [];
  const whole = yield* failureOf(json, translation);
  if (whole !== undefined) failures.push({ language: '', ...whole });
  const results = (yield* membersOf(json, translation.start, ['results'])).get('results');
  let count = 0;
  for (const part of results === undefined ? [] : json.elements(results.start)) {
    if (part === undefined) {
      yield;
      continue;
    }
    if (++count > maxTranslations) continue;
    const transcript = yield* readLongTranscript(json, part);
    if (transcript === undefined) continue;
    const language = describeLanguages(transcript.languages);
    const failure = yield* failureOf(json, part);
    if (failure !== undefined) failures.push({ language, ...failure });
    const version = yield* makeVersion(freeId(language, versions), transcript);
    if (version.formats.length > 0) versions.push(version);
  }
  return { failures, unreadTranslations: Math.max(0, count - maxTranslations) };
}

function* failureOf(
  json: SteppedJson,
  range: PartRange,
): Generator<undefined, { reason: string | undefined } | undefined> {
  const block: Record<string, unknown> = {};
  for (const [name, part] of yield* membersOf(json, range.start, ['success', 'error']))
    if (part.end - part.start <= parsedCharacters) block[name] = yield* parseInSteps(json, part);
  return isJsonObject(block) ? readFailure(block) : undefined;
}

function describeLanguages(languages: readonly string[]): string {
  return languages.slice(0, 3).join('+');
}

/** Returns `fr`, or `fr-2` if there are two translations into one language. */
function freeId(language: string, versions: readonly TranscriptVersion[]): string {
  const isTaken = (id: string): boolean => versions.some((each) => each.id.toLowerCase() === id.toLowerCase());
  const first = language === '' || language === originalVersion ? 'translation' : language;
  let id = first;
  for (let number = 2; isTaken(id); number++) id = `${first}-${number}`;
  return id;
}

function* makeVersion(id: string, transcript: Transcript): Generator<undefined, TranscriptVersion> {
  const subtitles = {
    srt: yield* chooseSubtitles(transcript, 'srt'),
    vtt: yield* chooseSubtitles(transcript, 'vtt'),
  };
  const formats: readonly TranscriptFormat[] = [
    ...(hasWords(transcript) ? (['text', 'turns', 'markdown'] as const) : []),
    ...subtitleFormats.filter((format) => subtitles[format].type !== 'none'),
  ];
  return { id, language: describeLanguages(transcript.languages), transcript, subtitles, formats };
}

function hasWords({ utterances, fullText = '' }: Transcript): boolean {
  return utterances.length > 0 ? utterances.some(({ text }) => text.trim() !== '') : fullText.trim() !== '';
}

/** Selects what to save of a result. */
export interface TranscriptChoice {
  readonly formats: readonly TranscriptFormat[];
  /** `all`, or any of {@link originalVersion} and languages of translations, such as `fr`. */
  readonly languages: 'all' | readonly string[];
}

/** A file to be written. */
export interface TranscriptFile {
  readonly format: TranscriptFormat;
  /** Undefined for JSON, which contains all languages. */
  readonly version: TranscriptVersion | undefined;
  /** Without the dot. */
  readonly extension: string;
  /** True for text with speakers if the text without them is saved, too. */
  readonly isBesideText: boolean;
  /** Facts about the file that the user should know, such as subtitles of the service that could not be used; sentences. */
  readonly notes: readonly string[];
}

/** What a choice gives: its files, and sentences about what is missing. */
export interface TranscriptFiles {
  readonly files: readonly TranscriptFile[];
  readonly missing: readonly string[];
}

/** Returns the files of a result for a choice of formats and languages, by language and then by format. */
export function chooseTranscriptFiles(
  { versions, failures, unreadTranslations, formats: offered }: SavableResult,
  { formats, languages }: TranscriptChoice,
): TranscriptFiles {
  const files: TranscriptFile[] = [];
  const missing: string[] = [];
  const wanted = transcriptFormats.filter((format) => formats.includes(format));
  const chosen = new Set<TranscriptVersion>();
  for (const language of languages === 'all' ? [] : languages) {
    const found = versions.filter((version) => isInLanguage(version, language));
    for (const version of found) chosen.add(version);
    if (found.length === 0) missing.push(describeAbsence(language, failures));
  }
  if (languages === 'all') {
    for (const version of versions) chosen.add(version);
    for (const { language } of failures)
      if (!versions.some((version) => isInLanguage(version, language)))
        missing.push(describeAbsence(language, failures));
  }
  if (unreadTranslations > 0 && (languages === 'all' || missing.length > 0))
    missing.push(
      t(
        'Only the first {0} translations are read; the service sent {1}.',
        maxTranslations,
        maxTranslations + unreadTranslations,
      ),
    );
  for (const version of versions) {
    if (!chosen.has(version)) continue;
    for (const format of wanted) {
      if (format === 'json') continue;
      if (version.formats.includes(format)) files.push(makeFile(format, version, wanted));
      else missing.push(describeEmptyFormat(format, version));
    }
  }
  if (wanted.includes('json') && offered.includes('json')) files.push(makeFile('json', undefined, wanted));
  return { files, missing: [...new Set(missing)] };
}

function makeFile(
  format: TranscriptFormat,
  version: TranscriptVersion | undefined,
  all: readonly TranscriptFormat[],
): TranscriptFile {
  const source = format === 'srt' || format === 'vtt' ? version?.subtitles[format] : undefined;
  const note = source && describeSubtitles(format.toUpperCase(), source);
  const isBesideText = format === 'turns' && all.includes('text');
  const notes = note === undefined ? [] : [note];
  return { format, version, extension: transcriptExtension(format), isBesideText, notes };
}

/** True for the original under its name, and for a translation under its id or language, also for `fr` if it is `fr-CA`. */
function isInLanguage({ id, language }: TranscriptVersion, wanted: string): boolean {
  const code = wanted.toLowerCase();
  if (id === originalVersion || code === originalVersion) return id === code;
  return [id, language].some((each) => each.toLowerCase() === code || each.toLowerCase().split(/[-_]/)[0] === code);
}

function describeAbsence(language: string, failures: SavableResult['failures']): string {
  if (language.toLowerCase() === originalVersion) return t('The service sent no transcript in the spoken language.');
  const failure = failures.find((each) => each.language === language) ?? failures[0];
  const shown = oneLine(language, 40);
  if (failure === undefined) return t('The service sent no translation into {0}.', shown);
  const reason = oneLine(failure.reason ?? '');
  if (shown === '') return reason === '' ? t('The translation failed.') : t('The translation failed: {0}', reason);
  return reason === ''
    ? t('The translation into {0} failed.', shown)
    : t('The translation into {0} failed: {1}', shown, reason);
}

function describeEmptyFormat(format: TranscriptFormat, { id, subtitles }: TranscriptVersion): string {
  const source = format === 'srt' || format === 'vtt' ? subtitles[format] : undefined;
  const note = source && describeSubtitles(format.toUpperCase(), source);
  if (note !== undefined) return note;
  return id === originalVersion
    ? t('The transcript has nothing to save as {0}.', format.toUpperCase())
    : t('The translation into {0} has nothing to save as {1}.', id, format.toUpperCase());
}

/** What a file contains besides the transcript. */
export interface TranscriptFileOptions {
  /** The heading of Markdown. */
  readonly title: string;
  /** Names that the user gave the speakers. */
  readonly names?: SpeakerNames | undefined;
  /** Lines before the heading of Markdown. */
  readonly frontMatter?: string | undefined;
  /** Below the heading of Markdown, as `formatJobLink` returns it. */
  readonly jobLink?: string | undefined;
}

/**
 * Returns the content of a file; undefined if it would be empty. The caller can yield to the event loop between the
 * steps.
 */
export function* writeTranscriptFile(
  { json, limits }: SavableResult,
  { format, version }: TranscriptFile,
  { title, names, frontMatter = '', jobLink }: TranscriptFileOptions,
): Generator<undefined, string | undefined> {
  if (format === 'json') return `${json}\n`;
  if (version === undefined) return undefined;
  const { transcript, subtitles } = version;
  if (format === 'srt' || format === 'vtt')
    return yield* writeSubtitles(transcript, format, subtitles[format], limits, names);
  if (format === 'markdown') {
    const text = yield* writeMarkdown(transcript, { title, jobLink, names });
    return text === undefined ? undefined : frontMatter + text;
  }
  return yield* writeTranscript(transcript, { speakers: format === 'turns', times: format === 'turns', names });
}
