import { strict as assert } from 'node:assert';
import { alternate } from '../alternate.ts';
import { medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import { measuredList, openStore, type OpenStore } from '../lists/openStore.ts';
import { gotList } from '../lists/gotList.ts';
import { keepingList } from '../lists/keepingList.ts';
import { rawList } from '../lists/rawList.ts';
import { sdkList } from '../lists/sdkList.ts';
import type { Row } from '../outcome.ts';
import { startBenchService } from '../service/startBenchService.ts';

const jobs = 10_000;
const pageSize = 100;

const limit =
  'Layer by layer, each against got and JSON.parse, when the whole was 1.55: the text over our client 0.77; parsed 1.00; with the text of each ' +
  'item, by which rows are shown as they were sent, 1.07; with all fields of each item checked against the contract, and dates read, 1.34; ' +
  'placed by ID among the loaded jobs, with the order that proves the list whole, 1.45; kept in the store 1.55. Since then, fields are checked ' +
  'without storing them by their paths, large chunks of an answer are not copied, and items share the text of a page that is kept whole. ' +
  'Tried and left: fields listed once, jobs outside of the known times not looked up (2 % each), short strings read by characters (slower). ' +
  'With 50 ms of latency none of it shows (Load all).';

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
      keeping: async () => assert.equal((await keepingList(baseUrl, pageSize)).size, jobs),
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
      atMost: 1.4,
      facts: [
        timed('page after page', runs.ours),
        timed('Load All, several pages in flight', runs.inFlight),
        timed('got and JSON.parse', runs.got),
        timed("got, JSON.parse, each item's own text and times by its id", runs.keeping),
        timed('node:http with keep-alive and JSON.parse', runs.raw),
        timed('@gladiaio/sdk 2.1.0', runs.sdk),
      ],
      limit,
    },
  ];
};
