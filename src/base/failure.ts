/** Every way in which a request can fail; `failureText` has a sentence for each. */
export const failureCodes = [
  'noConnection',
  'noKey',
  'keyRejected',
  'notFound',
  'jobNotFound',
  'resultGone',
  'rejected',
  'rateLimited',
  'serverFailed',
  'timeout',
  'offline',
  'proxy',
  'tls',
  'notJson',
  'unexpectedShape',
  'tooLarge',
  'redirected',
  'cancelled',
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** Details of a failure besides its code. Must never contain the key, a body, or the query of an audio URL. */
export interface FailureFacts {
  /** HTTP status, when there was a response. */
  readonly status?: number;
  /** The service's error message, truncated to one line. */
  readonly serviceMessage?: string;
  /** Field errors as the service sent them (`validation_errors` or a similar member). */
  readonly fieldErrors?: readonly string[];
  /** The service's request id, for its support. */
  readonly requestId?: string;
  /** Earliest time of a retry according to the service, in milliseconds since the epoch. */
  readonly retryAtMs?: number;
  /** System or library error code such as `ECONNREFUSED`. */
  readonly cause?: string;
  /** The timeout occurred while connecting. */
  readonly connecting?: true;
}

/** The product's error class. `message` is English and for the log; users see `failureText`. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly facts: FailureFacts;

  constructor(code: FailureCode, facts: FailureFacts = {}) {
    const status = facts.status === undefined ? '' : ` ${facts.status}`;
    const words = facts.serviceMessage ?? facts.cause;
    super(`${code}${status}${words === undefined ? '' : `: ${words}`}`);
    this.code = code;
    this.facts = facts;
  }
}

/** True if a thrown value is a {@link Failure}, optionally with this code. */
export function isFailure(error: unknown, code?: FailureCode): error is Failure {
  return error instanceof Failure && (code === undefined || error.code === code);
}

/** The reason why a list parameter is invalid. */
export type ParameterProblem =
  'notAnOffset' | 'notALimit' | 'notADate' | 'notADateTime' | 'nestedMetadata' | 'emptyMetadata' | 'unwritableMetadata';

/** True if the same request may succeed later without changes on this side. */
export function mayPass({ code, facts }: Failure): boolean {
  // Unlike other 4xx, "408 Request Timeout" asks for the same request again.
  return facts.status === 408 || !lasting.has(code);
}

const lasting: ReadonlySet<FailureCode> = new Set([
  'noConnection',
  'noKey',
  'notFound',
  'jobNotFound',
  'resultGone',
  'rejected',
  'tooLarge',
  'cancelled',
]);

/** True if a failure is one of the service, or of the way to it, rather than of one request. */
export function isServiceFailure({ code }: Failure): boolean {
  return serviceFailures.has(code);
}

const serviceFailures: ReadonlySet<FailureCode> = new Set([
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

/** An invalid list parameter of contract 4.5. Thrown before any request is sent. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  /** Name as in contract 4.5; with the key for metadata: `custom_metadata.user`. */
  readonly parameter: string;
  readonly problem: ParameterProblem;

  constructor(parameter: string, problem: ParameterProblem) {
    super(`${parameter}: ${problem}`);
    this.parameter = parameter;
    this.problem = problem;
  }
}

/** Returns the log text of an unexpected error, with the place where it was thrown, if known. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns the `code` of a system error, such as `ENOENT`; undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
