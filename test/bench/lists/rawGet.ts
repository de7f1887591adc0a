import { get, type Agent } from 'node:http';

/** Returns the response text of one GET, with nothing but Node's own HTTP. */
export function rawGet(url: string, agent: Agent, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve(Buffer.concat(chunks).toString()))
        .on('error', reject);
    }).on('error', reject);
  });
}
