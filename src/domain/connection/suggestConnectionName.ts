import { sameName } from './connectionName.ts';

/** A name that is free, made from a base URL: its host, numbered when taken. */
export function suggestConnectionName(baseUrl: string, others: readonly string[]): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  if (host === '' || !others.some((other) => sameName(other, host))) return host;
  for (let number = 2; ; number++) {
    const candidate = `${host} (${number})`;
    if (!others.some((other) => sameName(other, candidate))) return candidate;
  }
}
