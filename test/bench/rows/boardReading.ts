import { strict as assert } from 'node:assert';
import { systemClock } from '../../../src/service/clock.ts';
import { surveyJobs, type SurveyResult } from '../../../src/service/survey/survey.ts';
import { alternate } from '../alternate.ts';
import { measuredList, openStore } from '../lists/openStore.ts';
import { medianRatio } from '../median.ts';
import type { Row } from '../outcome.ts';
import { startBenchService } from '../service/startBenchService.ts';
import { timed } from '../timed.ts';

const few = 20_000;
const pageSize = 100;
const latencyMs = 50;

/** Reads everything for a board, with latency beside Load All. */
export const row: Row = async ({ quick }) => {
  const service = await startBenchService({ jobs: few, latencyMs });
  const { baseUrl } = service;
  const runs = await alternate(
    {
      loadAll: async () => {
        const { store, loadAll, dispose } = openStore(baseUrl, pageSize);
        await loadAll(few);
        assert.equal(store.list(measuredList).jobs.entries.length, few);
        dispose();
      },
      survey: async () => {
        const { data } = await readEverything(baseUrl);
        assert.equal(data.columns.size, few);
      },
    },
    { rounds: quick ? 1 : 5, warmUps: 0 },
  );
  service.stop();

  return [
    {
      title: 'Board: read everything',
      measured: '20,000 jobs in pages of 100, 50 ms per answer, against Load All',
      value: medianRatio(runs.survey, runs.loadAll),
      unit: '×',
      atMost: 1.2,
      facts: [timed('survey', runs.survey), timed('Load All', runs.loadAll)],
    },
  ];
};

async function readEverything(baseUrl: string): Promise<SurveyResult> {
  const { store, lists, dispose } = openStore(baseUrl, pageSize);
  const result = await surveyJobs(lists, [store.queryOf(measuredList)], {
    clock: systemClock,
    random: Math.random,
    mode: 'exact',
  });
  dispose();
  return result;
}
