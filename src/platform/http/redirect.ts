import { Failure } from '../../base/failure.ts';
import type { HttpResponse } from './exchange.ts';

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Maximum number of redirects of a GET. */
const maxRedirects = 3;

/**
 * Returns the target of a redirect response to a GET; undefined if it is not a redirect. User name and password are
 * removed from the URL, because they would add an `authorization` header.
 * @throws Failure `redirected` for another origin, an invalid URL, or a redirect loop.
 */
export function resolveRedirect(answer: HttpResponse, from: URL, visited: ReadonlySet<string>): URL | undefined {
  if (!redirectStatuses.has(answer.status)) return undefined;
  const location = answer.headers.location ?? '';
  const refused = (cause: string): Failure => new Failure('redirected', { status: answer.status, cause });
  if (location === '' || !URL.canParse(location, from.href)) throw refused('no address given');
  const target = new URL(location, from);
  target.hash = '';
  target.username = '';
  target.password = '';
  if (target.origin !== from.origin) throw refused(target.origin);
  if (visited.has(target.href) || visited.size > maxRedirects) throw refused('redirects without end');
  return target;
}
