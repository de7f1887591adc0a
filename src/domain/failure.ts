/** Every way in which the service or the road to it can fail us; one sentence each in `failureText`. */
export const failureCodes = [
  'noConnection',
  'noKey',
  'keyRejected',
  'notFound',
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

/** What is known of a failure besides its code. Nothing here may hold the key, a body, or the query of an audio URL. */
export interface FailureFacts {
  /** HTTP status, when an answer came. */
  readonly status?: number;
  /** The service's own words, cut to a line. */
  readonly serviceMessage?: string;
  /** Complaints about single fields, as the service sent them (`validation_errors` and the like). */
  readonly fieldErrors?: readonly string[];
  /** The service's identifier of the request, for its support. */
  readonly requestId?: string;
  /** When the service lets us come back, in milliseconds since the epoch. */
  readonly retryAtMs?: number;
  /** System or library code such as `ECONNREFUSED`, for the log and the sentence. */
  readonly cause?: string;
  /** The time was up while the connection was still being made. */
  readonly connecting?: true;
}

/** The one error class of the product. `message` is English and for the log; users read `failureText`. */
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

/** Whether something thrown is a {@link Failure} with this code. */
export function isFailure(error: unknown, code?: FailureCode): error is Failure {
  return error instanceof Failure && (code === undefined || error.code === code);
}

/** What can be wrong with a list parameter before it is sent. */
export type ParameterProblem =
  'notAnOffset' | 'notALimit' | 'notADate' | 'notADateTime' | 'nestedMetadata' | 'emptyMetadata' | 'unwritableMetadata';

/** A list parameter of contract 4.5 that cannot be sent. Thrown before anything leaves the machine. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  /** As contract 4.5 spells it; with the key for metadata: `custom_metadata.user`. */
  readonly parameter: string;
  readonly problem: ParameterProblem;

  constructor(parameter: string, problem: ParameterProblem) {
    super(`${parameter}: ${problem}`);
    this.parameter = parameter;
    this.problem = problem;
  }
}

/** What a log says of an error that nobody expected: with the place where it was thrown, if it tells one. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
