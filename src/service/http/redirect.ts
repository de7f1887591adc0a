import { Failure } from '../../domain/failure.ts';
import type { HttpResponse } from './exchange.ts';

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** How often a GET follows a redirect. */
const maxRedirects = 3;

/**
 * Where an answer to a GET sends us, or undefined when it is no redirect.
 * A name and password in the address are left out: with them the request would carry an `authorization` that nobody gave us.
 * @throws Failure `redirected` when that is another origin, no URL, or a place we have been to.
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
