import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { FileTarget } from '../../../src/jobs/node/export/fileTarget.ts';
import { exportBatches, writeExport } from '../../../src/jobs/node/export/exporter.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { heldBytes } from '../heldBytes.ts';
import { measuredList, openStore } from '../lists/openStore.ts';
import type { Row } from '../outcome.ts';
import { startBenchService } from '../service/startBenchService.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';

const megabyte = 2 ** 20;
const looks = 50;

/** Exports a million jobs and samples the memory in use: on the heap, and outside it for the ids read so far. */
export const row: Row = async ({ quick }) => {
  const jobs = quick ? 50_000 : 1_000_000;
  const service = await startBenchService({ jobs, fleeting: true });
  const { store, lists, dispose } = openStore(service.baseUrl, 100);
  const folder = temporaryFolder();
  const question = store.queryOf(measuredList);
  const target = await FileTarget.open(join(folder.path, 'jobs.json'));
  const before = heldBytes();
  let withGarbage = 0;
  const held: number[] = [];
  const startMs = performance.now();
  const batches = exportBatches(lists, [question], 100, new AbortController().signal);
  const { written } = await writeExport(batches, 'json', target, {
    keyMask: new KeyMask('bench key, which is masked'),
    onProgress: (count) => {
      withGarbage = Math.max(withGarbage, process.memoryUsage().heapUsed);
      if (count >= ((held.length + 1) * jobs) / looks) held.push((heldBytes() - before) / megabyte);
    },
  });
  const ms = performance.now() - startMs;
  assert.equal(written, jobs);
  folder.remove();
  dispose();
  service.stop();
  return [
    {
      title: 'Export memory',
      measured: `peak growth of the memory that is held while ${jobs.toLocaleString('en')} jobs go to a file`,
      value: Math.max(...held),
      unit: 'MB',
      atMost: 160,
      facts: [
        { what: 'held at the end, the ids met included', value: held.at(-1) ?? Number.NaN, unit: 'MB', runs: held },
        {
          what: 'heap at its largest, with the garbage of the young generation',
          value: withGarbage / megabyte,
          unit: 'MB',
        },
        { what: 'the whole export', value: ms, unit: 'ms' },
      ],
    },
  ];
};
