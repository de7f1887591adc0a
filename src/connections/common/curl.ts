import { t } from '@vscode/l10n';
import { keyVariable } from './connection.ts';

/** A request as a shell command for people to paste. */
export interface CurlRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Headers without the key, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the header that carries the key; the command takes its value from {@link keyVariable}. */
  readonly keyHeader: string;
  /** Sent from standard input unchanged, except that a final line break is added if missing. */
  readonly body?: string;
}

/**
 * Returns a `curl` command for POSIX shells, as its first line says. All parts are quoted against shell expansion. The
 * key is a variable, so that it is not saved in the shell history. curl reads the header from a here-document, so that
 * the key is not visible in the process list either.
 */
export function formatCurl({ method, url, headers, keyHeader, body }: CurlRequest): string {
  const keyFile = body === undefined ? '@-' : '@/dev/fd/3';
  const lines = [
    `curl --request ${method}`,
    // Brackets and braces in a URL are literal.
    ...(/[[\]{}]/u.test(url) ? ['--globoff'] : []),
    `--url ${quoted(url)}`,
    `--header ${keyFile}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ['--data-binary @-']),
  ];
  const shell = t('For a POSIX shell such as sh, bash or zsh. The variable {0} holds the key.', keyVariable);
  const command = `: ${quoted(shell)}\n${lines.join(' \\\n  ')}`;
  // The shell must expand only the variable: a header name may contain these two characters.
  const key = `${keyHeader.replaceAll(/[$`]/g, String.raw`\$&`)}: $${keyVariable}\nKEY\n`;
  if (body === undefined) return `${command} <<KEY\n${key}`;
  const mark = endMark(body);
  return `${command} 3<<KEY <<'${mark}'\n${key}${body}${body.endsWith('\n') ? '' : '\n'}${mark}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a here-document delimiter that is not a line of the body. */
function endMark(body: string): string {
  const lines = new Set(body.split('\n'));
  let mark = 'JSON';
  while (lines.has(mark)) mark += '_';
  return mark;
}

/** The destination of a request, and its key header. */
export interface RequestTarget {
  readonly url: string;
  /** Name of the header that carries the key. */
  readonly keyHeader: string;
}

/** Mask for the key; its length does not depend on the key. */
const mask = '••••••••';

/** Path below the base URL to which requests are sent (contract 4.4). */
export const submitPath = '/v2/pre-recorded';

/** Headers of a submit besides the key. */
export const submitHeaders = { 'content-type': 'application/json' } as const;

/**
 * Returns a request as it would be sent, in the form of HTTP. Never contains a key.
 * @param body as in `GateResult`
 */
export function formatPreview({ url, keyHeader }: RequestTarget, body: string): string {
  const headers = Object.entries({ ...submitHeaders, [keyHeader]: mask });
  return [`POST ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\n');
}
