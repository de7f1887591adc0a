import { isJsonObject, isPlainValue, writtenText, type JsonObject } from '../../base/json/json.ts';
import { oneLine } from '../../base/outsideText.ts';
import { metadataOf, readItemFacts } from './itemFacts.ts';
import type { Job } from './job.ts';
import { shownText } from './jobRow.ts';
import { toMs } from './result/resultMembers.ts';

/**
 * Returns the front matter of a job's Markdown file.
 * @param title the job's title
 * @param result JSON text of its result
 * @param languages of the transcript in the file
 * @param link as `formatJobLink` returns it
 */
export function frontMatterOf(
  job: Job,
  title: string,
  { json: result, languages }: { readonly json: string; readonly languages: readonly string[] },
  link: string | undefined,
): string {
  const metadata = metadataOf(job);
  return writeFrontMatter({
    id: job.id,
    createdAtMs: job.createdAtMs,
    title,
    customer: shownText(metadata, 'customer'),
    metadata: Object.entries(metadata).flatMap(([key, value]) =>
      isPlainValue(value) ? [[key, writtenText(value)] as const] : [],
    ),
    lengthMs: lengthOf(job, result),
    languages,
    link,
  });
}

/** In characters. Members of a longer result take too long to find at once. */
const maxResultLength = 8_000_000;

function lengthOf(job: Job, result: string): number | undefined {
  const ofFile = audioLengthMs(readItemFacts(job, ['file'])['file']);
  if (ofFile !== undefined || result.length > maxResultLength) return ofFile;
  return audioLengthMs(readItemFacts({ raw: result }, ['metadata'])['metadata']);
}

function audioLengthMs(part: JsonObject[string] | undefined): number | undefined {
  const seconds = isJsonObject(part) ? part['audio_duration'] : undefined;
  return typeof seconds === 'string' || typeof seconds === 'boolean' || !isPlainValue(seconds)
    ? undefined
    : toMs(Number(writtenText(seconds)));
}

/** What the front matter of a Markdown file says about its job. Texts are from outside. */
interface JobFrontMatter {
  readonly id: string;
  readonly createdAtMs: number | undefined;
  readonly title: string;
  readonly customer: string | undefined;
  /** Keys and values as the service lists them. */
  readonly metadata: readonly (readonly [key: string, value: string])[];
  readonly lengthMs: number | undefined;
  readonly languages: readonly string[];
  /** As `formatJobLink` returns it. */
  readonly link: string | undefined;
}

/** In characters. */
const [maxTextLength, maxMetadataLength] = [500, 200];
const [maxLanguages, maxMetadata] = [20, 20];

/**
 * Returns YAML front matter, with which a folder of Markdown files can be searched. Every text is in double quotes, as in
 * JSON, so that none becomes syntax.
 */
export function writeFrontMatter(facts: JobFrontMatter): string {
  const { id, createdAtMs, title, customer, metadata, lengthMs, languages, link } = facts;
  const created = createdAtMs === undefined ? undefined : new Date(createdAtMs).toISOString();
  // Keys that differ only in what is cut or replaced would be the same key, which YAML forbids: the first counts.
  const members = new Map<string, string>();
  for (const [key, value] of metadata.slice(0, maxMetadata)) {
    const shown = quoted(key, maxMetadataLength);
    if (!members.has(shown)) members.set(shown, quoted(value, maxMetadataLength));
  }
  const lines = [
    `id: ${quoted(id)}`,
    created === undefined ? undefined : `created: ${created}`,
    `title: ${quoted(title)}`,
    customer === undefined ? undefined : `customer: ${quoted(customer)}`,
    lengthMs === undefined ? undefined : `length: ${quoted(formatLength(lengthMs))}`,
    languages.length === 0
      ? undefined
      : `languages: [${languages
          .slice(0, maxLanguages)
          .map((each) => quoted(each))
          .join(', ')}]`,
    link === undefined ? undefined : `job: ${quoted(link)}`,
    ...(members.size === 0 ? [] : ['metadata:', ...[...members].map(([key, value]) => `  ${key}: ${value}`)]),
  ];
  return `---\n${lines.filter((line) => line !== undefined).join('\n')}\n---\n\n`;
}

/** A JSON string on one line, without characters that disturb, is a string of YAML, too. */
function quoted(text: string, longest = maxTextLength): string {
  // YAML allows all other characters that are left.
  return JSON.stringify(oneLine(text, longest)).replaceAll(
    /[\ufffe\uffff]/g,
    (each) => String.raw`\u${each.charCodeAt(0).toString(16)}`,
  );
}

/** Formats a length as hours, minutes and seconds: "01:02:03". */
function formatLength(lengthMs: number): string {
  const seconds = Math.round(lengthMs / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
