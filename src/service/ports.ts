import type { ConnectionEntry } from '../domain/connection/connection.ts';
import type { ListEntry } from '../domain/jobs/job.ts';
import type { Failure } from '../domain/failure.ts';
import type { SchemaDeviation } from '../domain/decode/readShape.ts';
import { createHash } from 'node:crypto';
import type { Disposable } from './disposable.ts';

/** The technical log. Lines contain no key, no body and no query of an audio URL. */
export interface Log {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** Secrets by name. The editor's `SecretStorage` has this shape. */
export interface SecretStore {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, secret: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  /** Names of all secrets. Missing in older editors; may reject in others. */
  keys?(): PromiseLike<readonly string[]>;
  /** Fires after changes by this or another window. */
  readonly onDidChange: (listener: (change: { readonly key: string }) => void) => Disposable;
}

/** A service and how to connect to it. Contains no key; {@link KeySource} provides it. */
export type Connection = ConnectionEntry;

/**
 * The only source of keys: called for each request, for the connection's own origin only. Returns undefined when there is no
 * key.
 */
export type KeySource = (connection: Connection) => Promise<string | undefined>;

/** One decoded response of a list endpoint (contract 2.1). */
export interface ListPage {
  /** As many as the service sent, in its order, including unreadable ones. */
  readonly entries: readonly ListEntry[];
  /** `next` was not null: there is more, or there may be. The URL itself is never used. */
  readonly hasMore: boolean;
  /** The service's clock (its `Date` header), milliseconds since the epoch. */
  readonly serviceDateMs: number | undefined;
  readonly deviations: readonly SchemaDeviation[];
  /** The service sent a 429 response before this page: callers should stop concurrent requests. */
  readonly slowDown?: boolean;
  /** The limit of the request that succeeded, which may be lower than the caller's; undefined when not known. */
  readonly limit?: number;
}

/** Values by name, stored as JSON for the next session. The editor's `Memento` has this shape. */
export interface StateStore {
  get(name: string): unknown;
  update(name: string, value: unknown): PromiseLike<void>;
}

/** Outcome of the single POST (contract 4.4). */
export type SubmitOutcome =
  /** Any 2xx, with the id if the response has a string `id`. */
  | { readonly type: 'accepted'; readonly status: number; readonly id: string | undefined }
  /** The response shows that the request was not processed: `postVerdict`. */
  | { readonly type: 'rejected'; readonly failure: Failure }
  /** The request may have been sent, and no response confirms or denies it: a job may or may not exist. */
  | { readonly type: 'unknown'; readonly failure: Failure }
  /** The request certainly did not leave this machine. */
  | { readonly type: 'notSent'; readonly failure: Failure };

/** Sends exactly one POST; never throws. */
export interface RequestSink {
  submit(body: string, signal?: AbortSignal): Promise<SubmitOutcome>;
}

/** SHA-256 of a text as UTF-8, hexadecimal. */
export function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The `code` of a system error, such as `ENOENT`; undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
