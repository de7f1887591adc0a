/** Where a request would go, and how. */
export interface RequestTarget {
  readonly url: string;
  /** Name of the header that carries the key. */
  readonly keyHeader: string;
}

/** What stands for the key, whatever its length. */
const mask = '••••••••';

/** Headers of a submit besides the key. */
export const submitHeaders = { 'content-type': 'application/json' } as const;

/**
 * A request as it would be sent, in the shape of HTTP. Never holds a key.
 * @param body as in `GateResult`
 */
export function previewText({ url, keyHeader }: RequestTarget, body: string): string {
  const headers = Object.entries({ ...submitHeaders, [keyHeader]: mask });
  return [`POST ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\n');
}
