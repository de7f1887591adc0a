import { isArray } from '../../base/json/json.ts';
import { oneLine } from '../../base/outsideText.ts';
import { metadataOf } from './itemFacts.ts';
import type { Job } from './job.ts';
import { originalVersion, type TranscriptFile } from './savedTranscript.ts';

/** The name of a file without a pattern of the user. */
const usualNamePattern = '{title}';

/** In UTF-16 units, for each value of a pattern. */
const maxValueLength = 60;
/** In UTF-8. With language, number and extension, a name fits into the 255 bytes of file systems. */
const maxStemBytes = 200;
const maxLanguageBytes = 30;
/** In characters. The rest of a longer pattern is ignored. */
const maxPatternLength = 500;

/**
 * Names that Windows reserves for devices, whatever follows the first dot or the blanks before it. It reads the
 * superscripts as digits.
 */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/iu;

/** Data for a file name. */
export interface TranscriptNaming {
  readonly job: Pick<Job, 'raw' | 'id' | 'kind' | 'createdAtMs'>;
  /** The job's title; text from outside. */
  readonly title: string;
  /** `{title}`, `{id}`, `{kind}`, `{date}`, `{time}` (UTC), `{language}`, `{format}`; others are keys of `custom_metadata`. */
  readonly pattern?: string | undefined;
  /** Hides secrets in values. */
  readonly mask?: ((text: string) => string) | undefined;
}

/** Returns the usual name of a file for 1, otherwise the name with this number: `title (2).fr.srt`. */
export type NumberedName = (number: number) => string;

/**
 * Returns file names that are valid in every file system. Translations contain their language even if the pattern
 * doesn't: `title.fr.srt`. So do speakers beside a text without them: `title.speakers.txt`.
 */
export function nameTranscriptFile(
  { format, version, extension, isBesideText }: Omit<TranscriptFile, 'notes'>,
  { job, title, pattern = usualNamePattern, mask = (text) => text }: TranscriptNaming,
): NumberedName {
  const language = version?.language === '' ? version.id : (version?.language ?? '');
  const created = job.createdAtMs === undefined ? '' : new Date(job.createdAtMs).toISOString();
  const values: Readonly<Record<string, string>> = {
    title,
    id: job.id,
    kind: job.kind,
    date: created.slice(0, 10),
    time: created.slice(11, 16).replace(':', '-'),
    language,
    format,
  };
  const template = pattern.slice(0, maxPatternLength);
  const keys = new Set<string>();
  const filled = template.replaceAll(/\{([^{}]{1,60})\}/gu, (_, key: string) => {
    keys.add(key);
    return oneLine(mask(Object.hasOwn(values, key) ? (values[key] ?? '') : metadataValue(job, key)), maxValueLength);
  });
  const stem = safeStem(filled) || safeStem(mask(title)) || safeStem(mask(job.id)) || 'transcript';
  const isTranslation = version !== undefined && version.id !== originalVersion;
  const suffixes = [
    isBesideText && !keys.has('format') ? '.speakers' : '',
    isTranslation && !keys.has('language') ? `.${safeStem(mask(version.id), maxLanguageBytes) || 'translation'}` : '',
  ];
  return (number) => `${stem}${number === 1 ? '' : ` (${number})`}${suffixes.join('')}.${extension}`;
}

/**
 * Returns free names for the files of a job, with the same number for all of them: the first one that is free for all.
 * @param isTaken true if a name is in use
 */
export function chooseFreeNames(names: readonly NumberedName[], isTaken: (name: string) => boolean): readonly string[] {
  let number = 1;
  while (names.some((nameOf) => isTaken(nameOf(number)))) number++;
  const chosen = new Set<string>();
  return names.map((nameOf) => {
    let own = number;
    // Two files of the job may have the same name, because of its pattern.
    while (chosen.has(fileNameKey(nameOf(own))) || isTaken(nameOf(own))) own++;
    chosen.add(fileNameKey(nameOf(own)));
    return nameOf(own);
  });
}

/** Returns the same key for names that are one file in some file system, because of letter case or composed characters. */
export function fileNameKey(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

function metadataValue(job: Pick<Job, 'raw'>, key: string): string {
  const metadata = metadataOf(job);
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return value === undefined || value === null || typeof value === 'object' || isArray(value) ? '' : String(value);
}

function safeStem(text: string, maxBytes = maxStemBytes): string {
  const plain = oneLine(text.slice(0, 10_000).normalize('NFC'), 1000);
  const stem = cutToBytes(plain, maxBytes).replaceAll(/^[\s.<>:"/\\|?*]+|[\s.<>:"/\\|?*]+$/gu, '');
  return stem.replaceAll(/[<>:"/\\|?*]/gu, '-').replace(devices, (name) => `${name}_`);
}

/** Returns the beginning of a text, with "…" if it is cut, in at most this many bytes of UTF-8. Splits no character. */
function cutToBytes(text: string, maxBytes: number): string {
  let [bytes, fitting] = [0, 0];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > maxBytes) return `${text.slice(0, fitting)}…`;
    // "…" takes three.
    if (bytes <= maxBytes - 3) fitting += character.length;
  }
  return text;
}
