import { digest } from '../../../../src/service/ports.ts';
import type { BatchRequest } from '../../../../src/service/submit/runBatch.ts';

/** So many requests, whose bodies are their numbers. */
export function batchRequests(total: number): readonly BatchRequest[] {
  return Array.from({ length: total }, (_, index) => ({
    item: digest(`file:///${index}.json`),
    label: `${index}.json`,
    request: { file: `file:///${index}.json`, body: String(index), audioUrl: undefined },
  }));
}
