import { checkBaseUrl } from './baseUrl.ts';
import { good, type CheckedText } from './checkedText.ts';
import { checkApiKey } from './connectionKey.ts';
import { checkConnectionName } from './connectionName.ts';
import type { Failure } from '../failure.ts';
import { checkHeaderName } from './headerName.ts';

/** What Connect to a Service asks for, in this order. */
export const draftFields = ['baseUrl', 'apiKeyHeader', 'key', 'name'] as const;
export type DraftField = (typeof draftFields)[number];

/** The answers so far, as typed. */
export type ConnectionDraft = Readonly<Record<DraftField, string>>;

/** What an answer is held against. */
export interface DraftSurroundings {
  /** Names that other connections have. */
  readonly otherNames: readonly string[];
  /** There is a key already for the base URL of the draft: an empty answer keeps it. */
  readonly hasKey: boolean;
}

/** Reads one answer. An empty key is good where there is one already. */
export function checkDraftField(
  field: DraftField,
  typed: string,
  { otherNames, hasKey }: DraftSurroundings,
): CheckedText {
  switch (field) {
    case 'baseUrl':
      return checkBaseUrl(typed);
    case 'apiKeyHeader':
      return checkHeaderName(typed);
    case 'key':
      return hasKey && typed.trim() === '' ? good('') : checkApiKey(typed);
    case 'name':
      return checkConnectionName(typed, otherNames);
  }
}

/** The question to go back to when a test of the connection failed: the one whose answer is most likely wrong. */
export function fieldBehind(failure: Failure): DraftField {
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
    case 'cancelled':
      // No answer is wrong: stay at the last question, where Enter tries again.
      return 'name';
  }
}
