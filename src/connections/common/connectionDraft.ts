import type { Failure } from '../../base/failure.ts';
import { checkApiKey, checkBaseUrl, checkConnectionName, checkHeaderName, sameName } from './connectionInput.ts';
import { good, type CheckedText } from '../../base/checkedText.ts';
import { parseUrl } from '../../base/webAddress.ts';

/** The questions of Connect to a Service, in order. */
export const draftFields = ['baseUrl', 'apiKeyHeader', 'key', 'name'] as const;
export type DraftField = (typeof draftFields)[number];

/** The answers so far, as typed. */
export type ConnectionDraft = Readonly<Record<DraftField, string>>;

/** The data that an answer is validated against. */
export interface DraftDeps {
  /** Names of the other connections. */
  readonly otherNames: readonly string[];
  /** A key is already stored for the draft's base URL: an empty answer keeps it. */
  readonly hasKey: boolean;
}

/** Validates one answer. An empty key is valid when one is already stored. */
export function checkDraftField(field: DraftField, typed: string, { otherNames, hasKey }: DraftDeps): CheckedText {
  switch (field) {
    case 'baseUrl':
      return checkBaseUrl(withoutEndpoint(typed));
    case 'apiKeyHeader':
      return checkHeaderName(typed);
    case 'key':
      return hasKey && typed.trim() === '' ? good('') : checkApiKey(typed);
    case 'name':
      return checkConnectionName(typed, otherNames);
  }
}

/** Returns an address without the path of an endpoint, which people copy from a service's documentation (contract 4). */
function withoutEndpoint(typed: string): string {
  const endpoint =
    /^(\s*[a-z]+:\/\/[^/?#]+[^?#]*?)\/v2(?:\/+(?:pre-recorded|live|transcription)(?:\/[^?#]*)?)?\/*(?:[?#].*)?$/is;
  return endpoint.exec(typed)?.[1] ?? typed;
}

/** Returns the question to return to after a connection test failed: the one whose answer is the most likely cause. */
export function findFieldBehind(failure: Failure): DraftField {
  switch (failure.code) {
    case 'keyRejected':
    case 'noKey':
      return 'key';
    case 'offline':
    case 'tls':
    case 'notFound':
    case 'notJson':
    case 'unexpectedShape':
    case 'redirected':
    case 'noConnection':
      return 'baseUrl';
    case 'proxy':
    case 'timeout':
    case 'rateLimited':
    case 'serverFailed':
    case 'rejected':
    case 'tooLarge':
    case 'jobNotFound':
    case 'resultGone':
    case 'cancelled':
      // No answer is wrong: stay at the last question, where Enter retries.
      return 'name';
  }
}

/** Returns an unused name derived from a base URL: its host, with a number if it is in use. */
export function suggestConnectionName(baseUrl: string, others: readonly string[]): string {
  const host = parseUrl(baseUrl)?.host ?? '';
  if (host === '' || !others.some((other) => sameName(other, host))) return host;
  for (let number = 2; ; number++) {
    const candidate = `${host} (${number})`;
    if (!others.some((other) => sameName(other, candidate))) return candidate;
  }
}
