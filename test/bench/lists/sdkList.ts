import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next: string | null;
}

interface Sdk {
  readonly GladiaClient: new (options: { readonly apiKey: string; readonly apiUrl: string }) => {
    preRecordedV2(): {
      list(question: {
        readonly status: readonly string[];
        readonly offset: number;
        readonly limit: number;
      }): Promise<Page>;
      list(question: { readonly url: string }): Promise<Page>;
    };
  };
}

/** The list as the public service's own SDK gives it: it follows `next`. */
export async function sdkList(peers: string, baseUrl: string, limit: number): Promise<readonly string[]> {
  const { GladiaClient } = createRequire(join(peers, 'x.js'))('@gladiaio/sdk') as Sdk;
  const client = new GladiaClient({ apiKey: 'none', apiUrl: baseUrl }).preRecordedV2();
  const ids: string[] = [];
  let page = await client.list({ status: ['done'], offset: 0, limit });
  for (;;) {
    for (const { id } of page.items) ids.push(id);
    if (page.next === null) return ids;
    page = await client.list({ url: page.next });
  }
}
