import type { SchemaDeviation } from '../../domain/decode/readShape.ts';
import { Failure } from '../../domain/failure.ts';
import { decodePage, type DecodedPage } from '../../domain/jobs/decodePage.ts';
import type { JobKind, ListEntry } from '../../domain/jobs/job.ts';
import { PageSplitter, type ItemRange, type PartRange } from './pageSplitter.ts';

/**
 * Texts up to this length are parsed at once, longer ones in steps of about this length. The slowest text, an object of distinct
 * names, takes 30 to 60 ms at this length on a busy machine.
 */
const usualStepCharacters = 256 * 1024;

/**
 * Limits of an item, besides its depth, which `decodePage` judges. A transcript holds five values per word, so hours of speech fit. The slowest item within these limits takes
 * about 100 ms to parse.
 */
const itemBounds = { characters: 4 * 1024 * 1024, values: 250_000, names: 25_000 } as const;

/** Characters kept of an item that exceeds the limits. */
const keptCharacters = 1000;
/** Maximum length of a page URL in characters; of a longer one only its presence is known. */
const maxUrlCharacters = 16 * 1024;

/** The request that a page responds to. */
export interface PageQuery {
  /** Job kind of the endpoint; undefined for the combined one. */
  readonly kind: JobKind | undefined;
  /** Requested number of items; undefined for the service's default. */
  readonly limit: number | undefined;
}

/**
 * Reads the response of a list endpoint (contract 2.1) within a budget, in steps: the caller yields to the event loop
 * at each `yield`.
 *
 * In a long text, an item that exceeds the limits becomes an unreadable entry with a truncated text; its omitted part is
 * not checked to be valid JSON.
 * @throws Failure as {@link decodePage}.
 */
export function* readPage(
  text: string,
  { kind, limit = Infinity }: PageQuery,
  stepCharacters = usualStepCharacters,
): Generator<undefined, DecodedPage> {
  if (text.length <= stepCharacters) return decodePage(text, kind, limit);
  // One item too many is enough for `decodePage` to see that there are.
  const splitter = new PageSplitter(text, limit + 1, itemBounds);
  while (splitter.advance(stepCharacters)) yield;
  if (!splitter.isObject) throw new Failure(/^\s*["[]/.test(text) ? 'unexpectedShape' : 'notJson');

  const { items, members } = splitter;
  const envelope = ['first', 'current', 'next'].flatMap((name) => {
    const range = members.get(name);
    return range === undefined ? [] : [`${JSON.stringify(name)}:${shortValue(text, range)}`];
  });
  if (items === undefined) return decodePage(`{${envelope.join(',')}}`, kind);
  const entries: ListEntry[] = [];
  const deviations = new Map<string, SchemaDeviation>();
  let hasMore = false;
  for (const batch of batches(text, items, stepCharacters)) {
    const part = `{${[...envelope, `"items":[${batch.join(',')}]`].join(',')}}`;
    const page = decodePage(part, kind, limit - entries.length);
    entries.push(...page.entries);
    hasMore ||= page.hasMore;
    for (const each of page.deviations) deviations.set(`${each.kind} ${each.path}`, each);
    yield;
  }
  return { entries, hasMore, deviations: [...deviations.values()] };
}

/** The texts of items, in batches for one parsing step each. At least one batch, so that an empty page is decoded, too. */
function* batches(text: string, items: readonly ItemRange[], stepCharacters: number): Generator<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const { start, end, isBeyondBounds } of items) {
    const item = isBeyondBounds
      ? JSON.stringify(`${text.slice(start, start + keptCharacters)}…`)
      : text.slice(start, end);
    if (batch.length > 0 && characters + item.length > stepCharacters) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += item.length;
  }
  yield batch;
}

/** The text of a value, or a placeholder if it is too long. */
function shortValue(text: string, { start, end }: PartRange): string {
  if (end - start <= maxUrlCharacters) return text.slice(start, end);
  return /^\s*"/.test(text.slice(start, start + 100)) ? '"…"' : '{}';
}
