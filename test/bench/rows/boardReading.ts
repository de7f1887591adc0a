import { strict as assert } from 'node:assert';
import { BoardModel } from '../../../src/features/board/common/boardModel.ts';
import { firstRows } from '../../../src/features/board/common/boardProtocol.ts';
import { usualLayout } from '../../../src/features/board/common/boardStorage.ts';
import { BoardReading } from '../../../src/features/board/node/boardReading.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { alternate } from '../alternate.ts';
import { measuredList, openStore } from '../lists/openStore.ts';
import { medianRatio } from '../median.ts';
import type { Row } from '../outcome.ts';
import { startBenchService } from '../service/startBenchService.ts';
import { timed } from '../timed.ts';

const few = 20_000;
const pageSize = 100;
const latencyMs = 50;
const words = { locale: { language: 'en', timeZone: 'UTC' }, errorLabels: {} };

/** Reads everything for a board, with latency, compared with Load All, and its first figures compared with the first response. */
export const row: Row = async ({ quick }) => {
  const service = await startBenchService({ jobs: few, latencyMs });
  const { baseUrl } = service;
  const rounds = quick ? 1 : 5;
  const runs = await alternate(
    {
      loadAll: async () => {
        const { store, loadAll, dispose } = openStore(baseUrl, pageSize);
        await loadAll(few);
        assert.equal(store.list(measuredList).jobs.entries.length, few);
        dispose();
      },
      board: async () => {
        const { store, lists, dispose } = openStore(baseUrl, pageSize);
        const reading = new BoardReading(lists, [store.queryOf(measuredList)], { clock: systemClock });
        await reading.readOn('all', () => Promise.resolve());
        assert.equal(reading.columns.size, few);
        reading.dispose();
        dispose();
      },
    },
    { rounds, warmUps: 0 },
  );
  const firsts = await alternate(
    {
      answer: async () => {
        const { store, lists, dispose } = openStore(baseUrl, pageSize);
        const { endpoint, params } = store.queryOf(measuredList);
        await lists.readPage(endpoint, { ...params, offset: 0, limit: pageSize });
        dispose();
      },
      figures: async () => {
        const { store, lists, dispose } = openStore(baseUrl, pageSize);
        const reading = new BoardReading(lists, [store.queryOf(measuredList)], { clock: systemClock });
        await reading.readOn('all', () => {
          const { columns, atMs } = reading;
          const data = { columns, size: columns.size, isPart: true };
          const model = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
          assert.equal(model.show(firstRows, words).rows, pageSize);
          reading.dispose();
          return Promise.resolve();
        });
        dispose();
      },
    },
    { rounds: quick ? 3 : 21, warmUps: 1 },
  );
  service.stop();

  return [
    {
      title: 'Board: read everything',
      measured: '20,000 jobs in pages of 100, 50 ms per answer, against Load All',
      value: medianRatio(runs.board, runs.loadAll),
      unit: '×',
      atMost: 1.2,
      facts: [timed('board', runs.board), timed('Load All', runs.loadAll)],
    },
    {
      title: 'Board: first figures',
      measured: 'from the start to the figures of the first page, 50 ms per answer, against that answer',
      value: medianRatio(firsts.figures, firsts.answer),
      unit: '×',
      atMost: 2,
      facts: [timed('figures', firsts.figures), timed('answer', firsts.answer)],
    },
  ];
};
