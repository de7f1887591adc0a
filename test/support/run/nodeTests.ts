import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { onShutdown } from '../editor/shutdown.ts';
import type { Selection } from './selectTests.ts';
import { sourceOf } from './sourceOf.ts';
import { addFileMs, count, noTests, type Totals } from './totals.ts';

/** Options for running test files with Node's test runner. */
export interface NodeTestOptions extends Selection {
  /** Number of files that run in parallel. */
  readonly concurrency: number;
  /** Timeout of a single test. */
  readonly testMs: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs each file in its own process, printing results as they arrive and failures again at the end. */
export async function runNodeTests(options: NodeTestOptions): Promise<Totals> {
  if (options.files.length === 0) return noTests;
  const stop = new AbortController();
  const stream = run({
    files: [...options.files],
    concurrency: options.concurrency,
    timeout: options.testMs,
    execArgv: [
      '--enable-source-maps',
      '--disable-warning=ExperimentalWarning',
      // A file without a selected test runs its code before the tests, but not the code after them.
      ...(options.title ? ['--test-force-exit'] : []),
    ],
    env: { ...process.env, ...options.env },
    signal: stop.signal,
    ...(options.title && { testNamePatterns: options.title }),
  });
  const ended = new Promise<void>((resolve) => stream.once('close', resolve).once('end', resolve));
  const forget = onShutdown(async () => {
    stop.abort();
    await ended;
  });
  let totals = noTests;
  const isTest = (data: { readonly name: string; readonly details: { readonly type?: string } }): boolean =>
    data.details.type !== 'suite' && !options.files.includes(data.name);
  stream.on('test:pass', (data) => {
    if (isTest(data)) totals = count(totals, data.skip === undefined && data.todo === undefined ? 'passed' : 'skipped');
  });
  // A file that cannot be loaded fails under its own name, and counts.
  stream.on('test:fail', (data) => {
    if (data.details.type !== 'suite') totals = count(totals, 'failed');
  });
  stream.on('test:summary', ({ file, duration_ms: ms }) => {
    if (file !== undefined) totals = addFileMs(totals, sourceOf(file), ms);
  });
  stream.pipe(new spec()).pipe(process.stdout, { end: false });
  await ended;
  forget();
  return totals;
}
