import { measuredList, openStore } from '../lists/openStore.ts';
import { heldBytes } from '../heldBytes.ts';
import type { Row } from '../outcome.ts';
import { startBenchService } from '../service/startBenchService.ts';

const jobs = 100_000;

/** Loads 100,000 jobs and measures the memory they take per byte of their JSON. */
export const row: Row = async () => {
  const service = await startBenchService({ jobs });
  const { store, loadAll, dispose } = openStore(service.baseUrl, 100);
  await store.load(measuredList);
  const before = heldBytes();
  await loadAll(jobs);
  const held = heldBytes() - before;
  const { entries } = store.list(measuredList).jobs;
  const json = entries.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
  dispose();
  service.stop();
  const megabyte = 2 ** 20;
  return [
    {
      title: 'Memory per loaded job',
      measured: 'heap after 100,000 loaded jobs, against the size of their JSON',
      value: held / json,
      unit: '×',
      atMost: 1.5,
      facts: [
        { what: 'heap', value: held / megabyte, unit: 'MB' },
        { what: 'JSON', value: json / megabyte, unit: 'MB' },
      ],
    },
  ];
};
