import { strict as assert } from 'node:assert';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileTarget } from '../../../src/jobs/node/export/fileTarget.ts';
import { exportBatches, writeExport } from '../../../src/jobs/node/export/exporter.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { alternate } from '../alternate.ts';
import { medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import { measuredList, openStore } from '../lists/openStore.ts';
import { sdkList } from '../lists/sdkList.ts';
import type { Row } from '../outcome.ts';
import { startBenchService } from '../service/startBenchService.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';

const jobs = 10_000;
const pageSize = 100;
const latencyMs = 50;

/** Loads and exports a list from a service with latency. */
export const row: Row = async ({ quick, peers }) => {
  const service = await startBenchService({ jobs, latencyMs });
  const { baseUrl } = service;
  const folder = temporaryFolder();
  let read: readonly unknown[] = [];
  const runs = await alternate(
    {
      sdk: async () => {
        read = await sdkList(peers, baseUrl, pageSize);
        assert.equal(read.length, jobs);
      },
      sdkFile: () => writeSynced(join(folder.path, 'sdk.json'), JSON.stringify(read)),
      loadAll: async () => {
        const { store, loadAll, dispose } = openStore(baseUrl, pageSize);
        await loadAll(jobs);
        assert.equal(store.list(measuredList).jobs.entries.length, jobs);
        dispose();
      },
      exportJobs: async () => {
        const { store, lists, dispose } = openStore(baseUrl, pageSize);
        const batches = exportBatches(lists, [store.queryOf(measuredList)], pageSize, new AbortController().signal);
        const target = await FileTarget.open(join(folder.path, 'jobs.json'));
        const { written } = await writeExport(batches, 'json', target, {
          keyMask: new KeyMask('bench key, which is masked'),
        });
        assert.equal(written, jobs);
        dispose();
      },
    },
    { rounds: quick ? 1 : 7, warmUps: 0 },
  );
  folder.remove();
  service.stop();
  const sdkToFile = runs.sdk.map((ms, round) => ms + (runs.sdkFile[round] ?? Number.NaN));
  const facts = [
    timed('Load All', runs.loadAll),
    timed('Export Jobs as JSON', runs.exportJobs),
    timed('@gladiaio/sdk following next', runs.sdk),
    timed('what the SDK has read, written to a file', runs.sdkFile),
  ] as const;
  const against = '10,000 jobs in pages of 100, 50 ms per answer, against @gladiaio/sdk following next';
  return [
    {
      title: 'Load all',
      measured: against,
      value: medianRatio(runs.loadAll, runs.sdk),
      unit: '×',
      atMost: 0.3,
      facts,
    },
    {
      title: 'Export',
      measured: `${against}; both written to a file that is safe on the disk`,
      value: medianRatio(runs.exportJobs, sdkToFile),
      unit: '×',
      atMost: 0.3,
      facts,
    },
  ];
};

/** Writes a text and waits until the disk has it, as an export does. */
async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  await file.writeFile(text);
  await file.sync();
  await file.close();
}
