import type { FailureCode } from '../../../src/base/failure.ts';
import type { SubmitOutcome } from '../../../src/jobs/common/submission.ts';
import { bodyFaults } from './bodyFaults.ts';
import { pageFaults } from './pageFaults.ts';
import { roadFaults } from './roadFaults.ts';
import type { Fault } from './scene.ts';
import { statusFaults } from './statusFaults.ts';

/** One fault with the expected results. */
export interface FaultRow {
  readonly name: string;
  readonly fault: Fault;
  /** The result of a GET (a page or a failure), and the number of requests that the service saw. */
  readonly get: readonly [FailureCode | 'page', number];
  /** The outcome of a POST, and the number of requests that the service saw: never more than one. */
  readonly post: readonly [SubmitOutcome['type'], 0 | 1];
  /** Request timeout; only set for faults that depend on it. */
  readonly timeoutMs?: number;
}

/** All known faults, one row each. */
export const faultMatrix: readonly FaultRow[] = [...roadFaults, ...bodyFaults, ...statusFaults, ...pageFaults];
