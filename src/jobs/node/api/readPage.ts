import type { SchemaDeviation } from '../../../base/decode/readShape.ts';
import { Failure } from '../../../base/failure.ts';
import { createHash } from 'node:crypto';
import { decodePage, maxItemDepth, type DecodedPage, type PageOptions } from '../../common/decodePage.ts';
import type { JobKind, ListEntry, WholeText } from '../../common/job.ts';
import { endOfPart } from '../../../base/json/jsonText.ts';
import { SteppedJson, type PartRange } from '../../../base/json/steppedJson.ts';
import { makeLeanLargeItem } from '../../common/result/leanItem.ts';
import { PageSplitter, type ItemRange } from './pageSplitter.ts';

/**
 * Texts up to this length are parsed at once, longer ones in steps of about this length. The slowest text, an object of distinct
 * names, takes 30 to 60 ms at this length on a busy machine.
 */
const usualStepCharacters = 256 * 1024;

/**
 * Max length of items that are parsed. Of longer ones, only the small fields are found by index, and the text is kept
 * separately.
 */
const maxParsedCharacters = 256 * 1024;

/** Characters kept of a large item that cannot be decoded. */
const keptCharacters = 1000;
/** Characters that are hashed in one step. */
const hashedCharacters = 1024 * 1024;
/** Maximum length of a page URL in characters; a longer one is only known to be present. */
const maxUrlCharacters = 16 * 1024;

/** The request that a page responds to. */
export interface PageQuery extends PageOptions {
  /** Job kind of the endpoint; undefined for the combined one. */
  readonly kind: JobKind | undefined;
}

/**
 * Reads the response of a list endpoint (contract 2.1) within a budget, in steps: the caller yields to the event loop
 * at each `yield`. For a large item, `raw` has only the small fields, and `whole` has the text. The parts of the text
 * that are not in `raw` are not checked to be valid JSON.
 * @throws Failure as {@link decodePage}.
 */
export function* readPage(
  text: string,
  { kind, limit = Infinity, sharesText }: PageQuery,
  stepCharacters = usualStepCharacters,
): Generator<undefined, DecodedPage> {
  if (text.length <= stepCharacters) return decodePage(text, kind, { limit, sharesText });
  // One item above the limit is enough for `decodePage` to detect that there are too many.
  const splitter = new PageSplitter(text, limit + 1);
  while (splitter.advance(stepCharacters)) yield;
  if (!splitter.isObject) throw new Failure(/^\s*["[]/.test(text) ? 'unexpectedShape' : 'notJson');

  const { items, members } = splitter;
  const envelope = [...members].map(([name, range]) => `${JSON.stringify(name)}:${shortValue(text, range)}`);
  if (items === undefined) return decodePage(`{${envelope.join(',')}}`, kind);
  const entries: ListEntry[] = [];
  const deviations = new Map<string, SchemaDeviation>();
  let hasMore = false;
  const json = new SteppedJson(text, stepCharacters);
  for (const batch of batches(items, stepCharacters)) {
    const [first] = batch;
    const isLarge = first !== undefined && first.end - first.start > maxParsedCharacters;
    const isReadable = isLarge && text[first.start] === '{' && first.depth <= maxItemDepth;
    const large = isReadable ? yield* makeLeanLargeItem(json, first.start) : undefined;
    const texts = isLarge
      ? [large?.raw ?? JSON.stringify(`${text.slice(first.start, first.start + keptCharacters)}…`)]
      : batch.map(({ start, end }) => text.slice(start, end));
    const page = decodePage(`{${[...envelope, `"items":[${texts.join(',')}]`].join(',')}}`, kind, {
      limit: limit - entries.length,
      sharesText,
    });
    for (const entry of page.entries) {
      if (!isLarge) entries.push(entry);
      else {
        const cut = entry.type === 'job' && large !== undefined && large.cutFields.length > 0 && large;
        const whole = yield* readWholeText(text, first, large?.resultCharacters);
        entries.push({ ...entry, whole, ...(cut && { cutFields: cut.cutFields }) });
      }
    }
    hasMore ||= page.hasMore;
    for (const each of page.deviations) deviations.set(`${each.kind} ${each.path}`, each);
    if (isLarge && first.depth > maxItemDepth) deviations.set('tooDeep items[]', { kind: 'tooDeep', path: 'items[]' });
    yield;
  }
  return { entries, hasMore, deviations: [...deviations.values()] };
}

/**
 * Yields items in batches, one per parsing step; a large item is a batch of its own. Yields at least one batch, so that
 * an empty page is decoded, too.
 */
function* batches(items: readonly ItemRange[], stepCharacters: number): Generator<readonly ItemRange[]> {
  let batch: ItemRange[] = [];
  let characters = 0;
  for (const item of items) {
    const length = item.end - item.start;
    if (batch.length > 0 && characters + length > Math.min(stepCharacters, maxParsedCharacters)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += length;
  }
  yield batch;
}

/** Returns the text of a large item, which shares the memory of the page, with its hash, computed in steps. */
function* readWholeText(
  page: string,
  { start, end }: PartRange,
  omittedCharacters = end - start,
): Generator<undefined, WholeText> {
  const hash = createHash('sha256');
  for (let at = start; at < end;) {
    const until = Math.min(end, endOfPart(page, at, hashedCharacters));
    hash.update(page.slice(at, until));
    at = until;
    yield;
  }
  return { text: page.slice(start, end), omittedCharacters, digest: hash.digest('base64') };
}

/** Returns the text of a value, or a placeholder if it is too long. */
function shortValue(text: string, { start, end }: PartRange): string {
  if (end - start <= maxUrlCharacters) return text.slice(start, end);
  return /^\s*"/.test(text.slice(start, start + 100)) ? '"…"' : '{}';
}
