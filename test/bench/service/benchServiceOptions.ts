/** What the service of the measurements is like. */
export interface BenchServiceOptions {
  readonly jobs: number;
  /** How long each answer is held back. */
  readonly latencyMs?: number;
  /** So many times, spread over the answers, a job arrives, or leaves the list that is asked for. */
  readonly changes?: number;
  /** Items are made for each answer and not kept: there are a million. */
  readonly fleeting?: boolean;
}
