import got from 'got';
import { ownText, readElementsOf } from '../../../src/base/json/jsonText.ts';

interface Page {
  readonly items: readonly { readonly id: string; readonly created_at: string; readonly completed_at: string }[];
  readonly next: string | null;
}

interface KeptJob {
  readonly createdAtMs: number;
  readonly completedAtMs: number;
  readonly raw: string;
}

/**
 * The lowest cost of a reader whose jobs can be shown as they were sent: like {@link gotList}, plus each item's own text, found by its id,
 * and its two times.
 */
export async function keepingList(baseUrl: string, limit: number): Promise<ReadonlyMap<string, KeptJob>> {
  const jobs = new Map<string, KeptJob>();
  for (let offset = 0; ; offset += limit) {
    const searchParams = { status: 'done', offset, limit };
    const text = await got(`${baseUrl}/v2/pre-recorded`, { searchParams, retry: { limit: 0 } }).text();
    const page = JSON.parse(text) as Page;
    const texts = readElementsOf(text, 'items');
    for (const [index, { id, created_at, completed_at }] of page.items.entries()) {
      const raw = ownText(texts[index]?.text ?? '');
      jobs.set(id, { createdAtMs: Date.parse(created_at), completedAtMs: Date.parse(completed_at), raw });
    }
    if (page.next === null) return jobs;
  }
}
