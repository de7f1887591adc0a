import { statSync } from 'node:fs';
import type { Row } from '../outcome.ts';

/** Measures the size of the package. */
export const row: Row = ({ vsix }) =>
  Promise.resolve([
    {
      title: 'VSIX',
      measured: 'size of the package',
      value: statSync(vsix).size / 1000,
      unit: 'KB',
      atMost: 750,
      facts: [],
    },
  ]);
