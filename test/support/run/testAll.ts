import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { editorVersions } from '../editor/editorVersions.ts';
import { browserVariable, launchSharedBrowser } from '../editor/launchBrowser.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { build } from './buildExtension.ts';
import { filesBelow } from './filesBelow.ts';
import { runHostTests } from './hostTests.ts';
import { runNodeTests, type NodeTestOptions } from './nodeTests.ts';
import { packageVsix } from './packageVsix.ts';
import { runMain } from './runMain.ts';
import { selectTests, type Selection } from './selectTests.ts';
import { testKinds, readTestArguments, type TestKind } from './testArguments.ts';
import { add, noTests, slowestFiles, type Totals } from './totals.ts';
import { runUiTests } from './uiTests.ts';

// Timeouts for tests that hang: far longer than any test takes on the slowest machine.
const unitTestMs = 600_000;
const pageTestMs = 120_000;
/** Groups run one after another, the kinds of a group at once: tests in the extension host wait for a third of their time. */
const runOrder: readonly (readonly TestKind[])[] = [['unit'], ['page', 'host'], ['ui'], ['release']];
/** Number of slow files that are named at the end. */
const maxSlowFiles = 10;

await runMain(async () => {
  const { kinds, filter, editor } = readTestArguments(process.argv.slice(2));
  const version = editorVersions[editor];
  const runners: Record<TestKind, () => Promise<Totals>> = {
    unit: () => runBundled('unit', filter),
    page: () => runPageTests(filter),
    release: () => runBundled('release', filter),
    host: () => runHostTests({ version, ...(filter !== undefined && { filter }) }),
    ui: () => runUiTests(select('test/ui', '**/*.test.ts', filter), version),
  };
  rmSync(join(repositoryRoot, 'out/test-results'), { recursive: true, force: true });
  console.log('Building and packaging …');
  await build(true);
  if (kinds.includes('ui')) await packageVsix();

  const measure = async (kind: TestKind): Promise<KindResult> => {
    const startedAt = performance.now();
    const totals = await runners[kind]();
    return { kind, totals, ms: performance.now() - startedAt };
  };
  const results: KindResult[] = [];
  for (const group of runOrder.map((each) => each.filter((kind) => kinds.includes(kind)))) {
    if (group.length === 0) continue;
    console.log(`\n── ${group.join(' and ')} tests ──`);
    results.push(...(await Promise.all(group.map(measure))));
  }
  return summarize(results, filter !== undefined);
});

interface KindResult {
  readonly kind: TestKind;
  readonly totals: Totals;
  readonly ms: number;
}

/** Runs test files that were bundled for Node. */
function runBundled(kind: TestKind, filter: string | undefined, more: Partial<NodeTestOptions> = {}): Promise<Totals> {
  const selection = select(`out/test/${kind}`, '**/*.test.js', filter);
  return runNodeTests({ ...selection, concurrency: availableParallelism(), testMs: unitTestMs, ...more });
}

/** Runs the tests of pages, all in tabs of one browser. */
async function runPageTests(filter: string | undefined): Promise<Totals> {
  const browser = await launchSharedBrowser();
  try {
    return await runBundled('page', filter, { testMs: pageTestMs, env: { [browserVariable]: browser.wsEndpoint() } });
  } finally {
    await browser.close();
  }
}

/**
 * Prints the totals and the time of each kind, the slowest files, and the totals of all. A kind without any test is a
 * failure unless a filter excluded all of them.
 */
function summarize(results: readonly KindResult[], filtered: boolean): number {
  console.log('');
  for (const { kind, totals, ms } of results) {
    const { passed, failed, skipped } = totals;
    console.log(`${testKinds[kind]}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds(ms)}`);
  }
  const isEmpty = ({ passed, failed }: Totals): boolean => passed + failed === 0;
  const all = results.map(({ totals }) => totals).reduce(add, noTests);
  console.log('\nSlowest files:');
  for (const [file, ms] of slowestFiles(all, maxSlowFiles)) console.log(`${seconds(ms).padStart(8)}  ${file}`);
  console.log('');
  const missing = isEmpty(all) || (!filtered && results.some(({ totals }) => isEmpty(totals)));
  if (missing) console.log('No test ran where some should have.');
  console.log(`${all.passed} passed, ${all.failed} failed`);
  return missing || all.failed > 0 ? 1 : 0;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function select(folder: string, pattern: string, filter: string | undefined): Selection {
  const root = join(repositoryRoot, folder);
  return selectTests(root, filesBelow(root, pattern), filter);
}
