import type { FaultRow } from './faultMatrix.ts';
import { pageScenarios } from './pageScenarios.ts';

/** Pages that lead astray. To read one takes one request, whatever its URLs say; what a list makes of them is the pager's. */
export const pageFaults: readonly FaultRow[] = Object.entries(pageScenarios).map(([name, play]) => ({
  name: `page: ${name}`,
  fault: { type: 'play', play },
  get: ['page', 1],
  post: ['accepted', 1],
}));
