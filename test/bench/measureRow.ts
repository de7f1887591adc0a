import { join } from 'node:path';
import { repositoryRoot } from '../support/editor/repositoryRoot.ts';
import { runTool } from '../support/editor/runTool.ts';
import type { BenchSettings, Outcome } from './outcome.ts';
import type { RowResult } from './report/rowResult.ts';

/** Runs one file of `rows` in its own process. A row that throws or has no outcome has failed. */
export async function measureRow(row: string, settings: BenchSettings): Promise<RowResult> {
  const bench = join(repositoryRoot, 'test/bench');
  const file = join(bench, 'rows', `${row}.ts`);
  const startMs = performance.now();
  const { code, stdout, stderr } = await runTool(process.execPath, [
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    join(bench, 'runRow.ts'),
    file,
    JSON.stringify(settings),
  ]);
  const seconds = (performance.now() - startMs) / 1000;
  const failed = (failure: string): RowResult => ({ row, seconds, outcomes: [], failure });
  if (code !== 0) return failed(stderr.trim() || `ended with ${code}`);
  const outcomes = JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as readonly Outcome[];
  if (outcomes.length === 0) return failed('it measured nothing');
  // JSON has no NaN: a number that could not be measured arrives as null.
  const unmeasured = outcomes.find(({ value }) => !Number.isFinite(value));
  return unmeasured === undefined ? { row, seconds, outcomes } : failed(`${unmeasured.title} has no number`);
}
