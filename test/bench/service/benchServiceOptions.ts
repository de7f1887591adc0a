/** Options of the benchmark service. */
export interface BenchServiceOptions {
  readonly jobs: number;
  /** Delay of each response. */
  readonly latencyMs?: number;
  /** The number of changes, spread over the responses: a job arrives in the requested list or leaves it. */
  readonly changes?: number;
  /** Items are generated for each response and not stored: there are a million. */
  readonly fleeting?: boolean;
}
