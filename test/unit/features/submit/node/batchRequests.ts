import { digest } from '../../../../../src/base/digest.ts';
import type { BatchRequest } from '../../../../../src/features/submit/node/runBatch.ts';

/** Source of the requests of a batch. */
export type BatchKind = 'files' | 'resubmit';

/** Returns `total` requests, with their numbers as bodies. Requests of kind `resubmit` all come from one file. */
export function batchRequests(total: number, kind: BatchKind = 'files'): readonly BatchRequest[] {
  if (kind === 'resubmit') {
    return Array.from({ length: total }, (_, index) => ({
      item: digest(`job-${index}`),
      label: 'same.json',
      request: { file: 'file:///same.json', body: String(index), audioUrl: undefined, replaces: `job-${index}` },
    }));
  }
  return Array.from({ length: total }, (_, index) => ({
    item: digest(`file:///${index}.json`),
    label: `${index}.json`,
    request: { file: `file:///${index}.json`, body: String(index), audioUrl: undefined },
  }));
}
