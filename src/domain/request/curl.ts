import { t } from '@vscode/l10n';
import { keyVariable } from '../connection/connection.ts';

/** A request as a shell command for people to paste. */
export interface CurlRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Headers without the key, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the header that carries the key; the command takes its value from {@link keyVariable}. */
  readonly keyHeader: string;
  /** Sent from standard input, byte for byte but for a line break at its end. */
  readonly body?: string;
}

/**
 * A `curl` command for POSIX shells, which its first line says. Whatever the parts hold, the shell takes none of it for its own. A variable
 * stands for the key, so that no key is in a command, a history or a chat; curl reads the header from the shell, so that the key is not
 * among its arguments either, which every user of a machine can list.
 */
export function formatCurl({ method, url, headers, keyHeader, body }: CurlRequest): string {
  const keyFile = body === undefined ? '@-' : '@/dev/fd/3';
  const lines = [
    `curl --request ${method}`,
    // Brackets and braces in an address are meant as they are.
    ...(/[[\]{}]/u.test(url) ? ['--globoff'] : []),
    `--url ${quoted(url)}`,
    `--header ${keyFile}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ['--data-binary @-']),
  ];
  const shell = t('For a POSIX shell such as sh, bash or zsh. The variable {0} has the key.', keyVariable);
  const command = `: ${quoted(shell)}\n${lines.join(' \\\n  ')}`;
  // The shell fills in the variable, and nothing else: a header's name may have these two characters.
  const key = `${keyHeader.replaceAll(/[$`]/g, String.raw`\$&`)}: $${keyVariable}\nKEY\n`;
  if (body === undefined) return `${command} <<KEY\n${key}`;
  const mark = endMark(body);
  return `${command} 3<<KEY <<'${mark}'\n${key}${body}${body.endsWith('\n') ? '' : '\n'}${mark}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A line that the body does not have. */
function endMark(body: string): string {
  const lines = new Set(body.split('\n'));
  let mark = 'JSON';
  while (lines.has(mark)) mark += '_';
  return mark;
}

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
export function formatPreview({ url, keyHeader }: RequestTarget, body: string): string {
  const headers = Object.entries({ ...submitHeaders, [keyHeader]: mask });
  return [`POST ${url}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\n');
}
