import got from 'got';

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next: string | null;
}

/**
 * The lowest cost of reading a list through got, which supports the editor's proxies and certificates: each response as text, and
 * `JSON.parse`.
 */
export async function gotList(baseUrl: string, limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const searchParams = { status: 'done', offset, limit };
    const text = await got(`${baseUrl}/v2/pre-recorded`, { searchParams, retry: { limit: 0 } }).text();
    const page = JSON.parse(text) as Page;
    for (const { id } of page.items) ids.push(id);
    if (page.next === null) return ids;
  }
}
