import type { SchemaDeviation } from '../../domain/decode/readShape.ts';
import { Failure } from '../../domain/failure.ts';
import { decodePage, type DecodedPage } from '../../domain/jobs/decodePage.ts';
import type { JobKind, ListEntry } from '../../domain/jobs/job.ts';
import { PageSplitter, type ItemRange, type PartRange } from './pageSplitter.ts';

/**
 * Texts up to this length are parsed at once; longer ones in pieces of about this length. An object of names that are all
 * different takes the longest of all texts: 30 to 60 ms for this length, on a busy machine.
 */
const usualStepCharacters = 256 * 1024;

/**
 * What an item may take. A transcript holds five values a word, so that hours of speech fit in. Parsing as much as this takes
 * some 100 ms where it is made to be slow.
 */
const itemBounds = { depth: 200, characters: 4 * 1024 * 1024, values: 250_000, names: 25_000 } as const;

/** How much is kept of an item that takes more. */
const keptCharacters = 1000;
/** How long a page URL may be; of a longer one we only know that it is there. */
const maxUrlCharacters = 16 * 1024;

/** What was asked for. */
export interface PageQuery {
  /** Of the endpoint; undefined for the combined one. */
  readonly kind: JobKind | undefined;
  /** How many items; undefined: as many as the service likes. */
  readonly limit: number | undefined;
}

/**
 * Reads the answer of a list endpoint (contract 2.1) within a budget, and in steps: whoever drives it lets others have their
 * turn at each `yield`.
 *
 * In a long text an item that takes too much is an unreadable one, of which the beginning is kept, and whatever is left out is
 * skipped, not checked to be JSON.
 * @throws Failure as {@link decodePage}.
 */
export function* readPage(
  text: string,
  { kind, limit = Infinity }: PageQuery,
  stepCharacters = usualStepCharacters,
): Generator<undefined, DecodedPage> {
  if (text.length <= stepCharacters) return decodePage(text, kind, limit);
  const splitter = new PageSplitter(text, limit, itemBounds);
  while (splitter.advance(stepCharacters)) yield;
  if (!splitter.isObject) throw new Failure(/^\s*["[]/.test(text) ? 'unexpectedShape' : 'notJson');

  const { items = [], itemCount, members } = splitter;
  const envelope = ['first', 'current', 'next'].flatMap((name) => {
    const range = members.get(name);
    return range === undefined ? [] : [`${JSON.stringify(name)}:${shortValue(text, range)}`];
  });
  if (splitter.items === undefined) return decodePage(`{${envelope.join(',')}}`, kind);
  const entries: ListEntry[] = [];
  const deviations = new Map<string, SchemaDeviation>();
  const onDeviation = (deviation: SchemaDeviation): void => {
    deviations.set(`${deviation.kind} ${deviation.path}`, deviation);
  };
  let hasMore = false;
  if (itemCount > limit) {
    hasMore = true;
    onDeviation({ path: 'items', kind: 'tooMany' });
  }
  for (const batch of batches(text, items, stepCharacters)) {
    const page = decodePage(`{${[...envelope, `"items":[${batch.join(',')}]`].join(',')}}`, kind);
    entries.push(...page.entries);
    hasMore ||= page.hasMore;
    for (const each of page.deviations) onDeviation(each);
    yield;
  }
  return { entries, hasMore, deviations: [...deviations.values()] };
}

/** The texts of items, as many at a time as are parsed in one step. At least one batch, so that the page is read if it is empty. */
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

/** The text of a value, or of one that stands for it if it is long. */
function shortValue(text: string, { start, end }: PartRange): string {
  if (end - start <= maxUrlCharacters) return text.slice(start, end);
  return /^\s*"/.test(text.slice(start, start + 100)) ? '"…"' : '{}';
}
