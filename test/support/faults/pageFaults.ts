import type { FaultRow } from './faultMatrix.ts';
import { pageScenarios } from './pageScenarios.ts';

/** Misleading pages. Reading one takes one request, whatever its URLs say; the pager handles the list as a whole. */
export const pageFaults: readonly FaultRow[] = Object.entries(pageScenarios).map(([name, play]) => ({
  name: `page: ${name}`,
  fault: { type: 'play', play },
  get: ['page', 1],
  post: ['accepted', 1],
}));
