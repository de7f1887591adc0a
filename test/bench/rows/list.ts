import { strict as assert } from 'node:assert';
import { alternate } from '../alternate.ts';
import { medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import { measuredList, openStore, type OpenStore } from '../lists/openStore.ts';
import { gotList } from '../lists/gotList.ts';
import { rawList } from '../lists/rawList.ts';
import { sdkList } from '../lists/sdkList.ts';
import type { Row } from '../outcome.ts';
import { startBenchService } from '../service/startBenchService.ts';

const jobs = 10_000;
const pageSize = 100;

const limit =
  'The floor is the HTTP library got, which goes through the proxies and certificates of the editor; it takes some 1.7 times as long as ' +
  "Node's own HTTP, for new options, a second stream and its listeners with each request. With 50 ms of latency none of this shows (Load " +
  'all). By profile, of the processor time of a page `JSON.parse` takes 14 %, which the references have too. Reading the fields and dates of the items takes 10 %, placing jobs in the list 7 %, telling the text of each item ' +
  '5 %, collecting garbage 7 %. Tried and kept: reading the answer by events instead of an iterator, one joined abort signal for all ' +
  'requests of a caller, no comparison of pages that bring something new, no look-up of jobs that the list has just been given. ' +
  'Much the same code was 1.68 × on a machine at rest and up to 1.9 × on one of half its speed, because what is ' +
  'kept for each job, its own text, costs memory, which the reference throws away.';

/** Reads 10,000 jobs into the store in pages of 100, one page after another. */
export const row: Row = async ({ quick, peers }) => {
  const service = await startBenchService({ jobs });
  const { baseUrl } = service;
  const ours = async (read: (opened: OpenStore) => Promise<void>): Promise<void> => {
    const opened = openStore(baseUrl, pageSize);
    await read(opened);
    assert.equal(opened.store.list(measuredList).jobs.entries.length, jobs);
    opened.dispose();
  };
  const runs = await alternate(
    {
      raw: async () => assert.equal((await rawList(baseUrl, pageSize)).length, jobs),
      got: async () => assert.equal((await gotList(baseUrl, pageSize)).length, jobs),
      sdk: async () => assert.equal((await sdkList(peers, baseUrl, pageSize)).length, jobs),
      ours: () =>
        ours(async ({ store }) => {
          await store.load(measuredList);
          while (store.list(measuredList).hasMore) await store.loadMore(measuredList);
        }),
      inFlight: () => ours(({ loadAll }) => loadAll(jobs)),
    },
    { rounds: quick ? 7 : 41, warmUps: 5 },
  );
  service.stop();
  return [
    {
      title: 'Sequential list',
      measured: '10,000 jobs in pages of 100, decoded and stored, against got and JSON.parse, without latency',
      value: medianRatio(runs.ours, runs.got),
      unit: '×',
      atMost: 2,
      facts: [
        timed('page after page', runs.ours),
        timed('Load All, several pages in flight', runs.inFlight),
        timed('got and JSON.parse', runs.got),
        timed('node:http with keep-alive and JSON.parse', runs.raw),
        timed('@gladiaio/sdk 2.1.0', runs.sdk),
      ],
      limit,
    },
  ];
};
