import type { FailureCode } from '../../../src/domain/failure.ts';
import type { SubmitOutcome } from '../../../src/service/ports.ts';
import { bodyFaults } from './bodyFaults.ts';
import { pageFaults } from './pageFaults.ts';
import { roadFaults } from './roadFaults.ts';
import type { Fault } from './scene.ts';
import { statusFaults } from './statusFaults.ts';

/** One fault, and what must come of it. */
export interface FaultRow {
  readonly name: string;
  readonly fault: Fault;
  /** How a GET ends (a page, or a failure), and how many requests the service saw. */
  readonly get: readonly [FailureCode | 'page', number];
  /** How a POST ends, and how many requests the service saw: never more than one. */
  readonly post: readonly [SubmitOutcome['type'], 0 | 1];
  /** How long a call may take; only where the fault is about that. */
  readonly timeoutMs?: number;
}

/** Every fault that we know of, one row each. */
export const faultMatrix: readonly FaultRow[] = [...roadFaults, ...bodyFaults, ...statusFaults, ...pageFaults];
