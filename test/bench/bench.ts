// Measures the product against its peers: `npm run bench -- [--quick] [--rows a,b [--record]]`.
// A full run writes RESULTS.md and results.json next to this file, and `--record` replaces some rows there; any other run writes them to `out/bench`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { temporaryFolder } from '../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../support/editor/repositoryRoot.ts';
import { runMain } from '../support/run/runMain.ts';
import { readBenchArguments } from './benchArguments.ts';
import { buildMeasured } from './buildMeasured.ts';
import { isReached } from './outcome.ts';
import { installPeers } from './peers.ts';
import { assertSameMachine, replaceRows, type BenchReport } from './report/benchReport.ts';
import { thisMachine } from './report/machine.ts';
import { markdown } from './report/markdown.ts';
import type { RowResult } from './report/rowResult.ts';
import { measureRow } from './measureRow.ts';

/** The files in `rows`, in table order. */
const rowNames = [
  'activation',
  'package',
  'list',
  'loadAll',
  'churn',
  'worlds',
  'exactCount',
  'firstGroup',
  'loadMore',
  'memory',
  'exportMemory',
  'checkRequest',
  'commandLine',
  'serverKeystroke',
  'growth',
  'deliver',
  'journal',
  'details',
  'board',
  'boardReading',
  'idle',
];

await runMain(async () => {
  const { quick, rows, forTheRecord } = readBenchArguments(process.argv.slice(2), rowNames);
  const startMs = performance.now();
  const folder = join(repositoryRoot, forTheRecord ? 'test/bench' : 'out/bench');
  const machine = thisMachine();
  const recorded = forTheRecord && rows.length < rowNames.length ? recordedIn(folder) : undefined;
  if (recorded !== undefined) assertSameMachine(recorded, machine);
  const scratch = temporaryFolder();
  console.log('Building what is measured, fetching what it is compared with …');
  const settings = { quick, peers: await installPeers(), ...(await buildMeasured(scratch.path)) };
  const results: RowResult[] = [];
  for (const row of rows) {
    process.stdout.write(`${row} … `);
    const result = await measureRow(row, settings);
    results.push(result);
    console.log(`${result.failure === undefined ? 'done' : 'FAILED'} in ${Math.round(result.seconds)} s`);
  }
  scratch.remove();
  const measured: BenchReport = {
    date: new Date().toISOString(),
    machine,
    quick,
    seconds: (performance.now() - startMs) / 1000,
    rows: results,
  };
  const report = recorded === undefined ? measured : replaceRows(recorded, measured);
  mkdirSync(folder, { recursive: true });
  await writeFormatted(join(folder, 'results.json'), JSON.stringify(report));
  await writeFormatted(join(folder, 'RESULTS.md'), markdown(report));
  return summarize(results, folder);
});

function recordedIn(folder: string): BenchReport {
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as BenchReport;
}

/** Formatted, because the format check covers all files. */
async function writeFormatted(filepath: string, text: string): Promise<void> {
  writeFileSync(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}

/** Prints the ratios. A missed goal does not fail the bench; a row that did not run does. */
function summarize(results: readonly RowResult[], folder: string): number {
  console.table(
    results.flatMap(({ outcomes }) =>
      outcomes.map((outcome) => ({
        row: outcome.title,
        result: `${Number(outcome.value.toPrecision(3))} ${outcome.unit}`,
        'to reach': `≤ ${outcome.atMost} ${outcome.unit}`,
        reached: isReached(outcome) ? 'yes' : 'NO',
      })),
    ),
  );
  const failed = results.filter(({ failure }) => failure !== undefined);
  for (const { row, failure } of failed) console.error(`${row} did not run: ${failure}`);
  console.log(`The numbers are in ${folder}.`);
  return failed.length > 0 ? 1 : 0;
}
