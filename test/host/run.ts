// Entry point in the extension host: finds and runs the bundled tests in its folder.
import type Mocha from 'mocha';
import { filesBelow } from '../support/run/filesBelow.ts';
import {
  hostTestLine,
  hostTestVariable,
  type HostTestEvent,
  type HostTestSettings,
} from '../support/run/hostTestEvent.ts';
import { selectTests } from '../support/run/selectTests.ts';

/** Longer than `until` waits, so that its error, which names the missing state, comes first. */
const testMs = 120_000;

/** Called by the editor, which turns a rejection into its exit code. Rejects if a test fails or there is none. */
export async function run(): Promise<void> {
  const given = process.env[hostTestVariable];
  const settings: HostTestSettings = given === undefined ? {} : (JSON.parse(given) as HostTestSettings);
  const { files, title } = selectTests(__dirname, filesBelow(__dirname, '**/*.test.cjs'), settings.filter);
  // Mocha is an ES module: the result of require() depends on the editor's Node version, that of import() does not.
  const { default: Runner } = await import('mocha');
  // With results requested from outside, they go to the console as events; otherwise they are printed for people.
  const reporter = given === undefined ? 'spec' : Runner.reporters.Base;
  const mocha = new Runner({ timeout: testMs, reporter, ...(title && { grep: title }) });
  for (const file of files) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    if (given !== undefined) reportEvents(runner);
    if (runner.total === 0 && title === undefined) throw new Error('no test found');
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}

function reportEvents(runner: Mocha.Runner): void {
  const say = (event: HostTestEvent): void => console.log(hostTestLine(event));
  const about = (test: Mocha.Runnable) => ({
    kind: 'test' as const,
    title: test.fullTitle(),
    ms: test.duration ?? 0,
    file: test.file ?? '',
  });
  runner.on('pass', (test) => say({ ...about(test), outcome: 'passed' }));
  runner.on('pending', (test) => say({ ...about(test), outcome: 'skipped' }));
  runner.on('fail', (test, error: unknown) => say({ ...about(test), outcome: 'failed', error: describe(error) }));
  runner.on('end', () => say({ kind: 'end' }));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
