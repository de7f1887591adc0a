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

/** Reads the list with the public service's own SDK, which follows `next`. */
export async function sdkList(peers: string, baseUrl: string, limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const page of sdkPages(peers, baseUrl, limit)) ids.push(...page);
  return ids;
}

/** Yields the ids of each page as read by that SDK. Throws the SDK's errors, and never ends if `next` never does. */
export async function* sdkPages(
  peers: string,
  baseUrl: string,
  limit: number,
): AsyncGenerator<readonly string[], void, undefined> {
  const { GladiaClient } = createRequire(join(peers, 'x.js'))('@gladiaio/sdk') as Sdk;
  const client = new GladiaClient({ apiKey: 'none', apiUrl: baseUrl }).preRecordedV2();
  let page = await client.list({ status: ['done'], offset: 0, limit });
  for (;;) {
    yield page.items.map(({ id }) => id);
    if (page.next === null) return;
    page = await client.list({ url: page.next });
  }
}
