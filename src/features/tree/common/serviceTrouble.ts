import type { Failure, FailureCode } from '../../../base/failure.ts';

/** Failures of the service, or of the way to it, rather than of one list. */
const serviceFailures: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'noKey',
  'keyRejected',
  'rateLimited',
  'serverFailed',
  'timeout',
  'offline',
  'proxy',
  'tls',
  'redirected',
  'notJson',
]);

/** Returns a failure that all requested lists have in common, if the service is the reason; undefined if one list could be read. */
export function findServiceTrouble<F extends { readonly failure: Failure }>(
  lists: readonly { readonly loaded: boolean; readonly failure: F | undefined }[],
): F | undefined {
  const requested = lists.filter(({ loaded, failure }) => loaded || failure !== undefined);
  const failures = requested.flatMap(({ failure }) => failure ?? []);
  const codes = new Set(failures.map(({ failure }) => failure.code));
  const isCommon =
    failures.length === requested.length && codes.size === 1 && [...codes].every((code) => serviceFailures.has(code));
  return isCommon ? failures.at(-1) : undefined;
}
