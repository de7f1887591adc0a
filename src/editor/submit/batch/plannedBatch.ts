import type { Finding } from '../../../domain/request/finding.ts';
import type { BatchSource } from '../../../domain/submission/batch.ts';
import type { BatchRequest } from '../../../service/submit/runBatch.ts';
import type { RequestText } from '../requestText.ts';

/** A request that has passed the gate, with what is to be warned of. */
export interface PlannedRequest extends BatchRequest {
  readonly warnings: readonly Finding[];
}

/** The requests that a source gives. */
export interface PlannedBatch {
  readonly source: BatchSource;
  readonly requests: readonly PlannedRequest[];
  /** What the source has that cannot be sent: sentences for people. */
  readonly leftOut: readonly string[];
  /** The texts of the files, by URI; empty for a list. */
  readonly texts: ReadonlyMap<string, RequestText>;
}

/** Warnings of many requests, one per code with the number of requests that have it, the commonest first. */
export function countedWarnings(requests: readonly PlannedRequest[]): readonly (readonly [Finding, number])[] {
  const counted = new Map<string, readonly [Finding, number]>();
  for (const { warnings } of requests) {
    for (const warning of new Map(warnings.map((each) => [each.code, each])).values()) {
      const [first, count] = counted.get(warning.code) ?? [warning, 0];
      counted.set(warning.code, [first, count + 1]);
    }
  }
  return [...counted.values()].toSorted(([, a], [, b]) => b - a);
}
