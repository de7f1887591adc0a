import { decodeJob } from './decodeJob.ts';
import { Failure } from '../../base/failure.ts';
import type { JobKind, ListEntry } from './job.ts';
import { isJsonObject, parseJson } from '../../base/json/json.ts';
import { ownText, readElementsOf } from '../../base/json/jsonText.ts';
import { extractWords } from '../../base/outsideText.ts';
import type { SchemaDeviation } from '../../base/decode/readShape.ts';

/** A decoded page of jobs (contract 2.1). The page URLs are never followed, so they are not kept. */
export interface DecodedPage {
  /** All entries that the service sent, in its order, including unreadable ones. */
  readonly entries: readonly ListEntry[];
  /** `next` was not null: there are more items, or there may be. `next` is the only end marker. */
  readonly hasMore: boolean;
  /** Without duplicates. */
  readonly deviations: readonly SchemaDeviation[];
}

/** One response of a list endpoint (contract 2.1). */
export interface ListPage extends DecodedPage {
  /** The service's clock (its `Date` header), milliseconds since the epoch. */
  readonly serviceDateMs: number | undefined;
  /** The service sent a 429 response before this page: callers should stop concurrent requests. */
  readonly slowDown?: boolean;
  /** The limit of the request that succeeded, which may be lower than the caller's; undefined when not known. */
  readonly limit?: number;
}

/** How to decode a page. */
export interface PageOptions {
  /** Requested number of items (contract 4.5). Excess items are dropped and `hasMore` is set, so that the next page starts with them. */
  readonly limit?: number | undefined;
  /**
   * The texts of the jobs share the memory of the page, for a reader that keeps whole pages: one job that is kept keeps
   * the texts of all the others.
   */
  readonly sharesText?: boolean | undefined;
}

/** Maximum nesting, which real jobs never reach and which could overflow recursive readers. */
export const maxItemDepth = 200;

/**
 * Decodes the response body of a list endpoint.
 * @param text the body, decoded to text.
 * @param requestedKind the kind of the endpoint; undefined for the combined one.
 * @throws Failure `notJson` if the text is not JSON, `unexpectedShape` if it has no array `items`.
 */
export function decodePage(text: string, requestedKind: JobKind | undefined, options: PageOptions = {}): DecodedPage {
  const { limit = Infinity, sharesText = false } = options;
  const page = parseJson(text);
  if (page === undefined) throw new Failure('notJson', { cause: extractWords(text) });
  if (!isJsonObject(page) || !Array.isArray(page['items'])) {
    throw new Failure('unexpectedShape', { cause: 'the answer is not a page of jobs' });
  }
  const deviations = new Map<string, SchemaDeviation>();
  const onDeviation = (deviation: SchemaDeviation): void => {
    const key = `${deviation.kind} ${deviation.path}`;
    if (!deviations.has(key)) deviations.set(key, deviation);
  };
  for (const field of ['first', 'current'] as const) {
    if (!Object.hasOwn(page, field)) onDeviation({ path: field, kind: 'missing' });
    else if (typeof page[field] !== 'string')
      onDeviation({ path: field, kind: page[field] === null ? 'null' : 'wrongType' });
  }
  const next = page['next'];
  if (next === undefined) onDeviation({ path: 'next', kind: 'missing' });
  else if (next !== null && typeof next !== 'string') onDeviation({ path: 'next', kind: 'wrongType' });
  const items: readonly unknown[] = page['items'].slice(0, limit);
  const isCut = items.length < page['items'].length;
  if (isCut) onDeviation({ path: 'items', kind: 'tooMany' });
  const texts = readElementsOf(text, 'items');
  return {
    entries: items.map((item, index) => {
      const { text: part, depth } = texts[index] ?? { text: '', depth: 0 };
      // Usually copied, because jobs outlive their page: only the top of a list is refreshed, and one remaining row
      // would keep the texts of a hundred others in memory.
      const raw = sharesText ? part : ownText(part);
      if (depth <= maxItemDepth) return decodeJob(item, raw, requestedKind, onDeviation);
      onDeviation({ path: 'items[]', kind: 'tooDeep' });
      return { type: 'unreadable', raw };
    }),
    hasMore: isCut || next !== null,
    deviations: [...deviations.values()],
  };
}
