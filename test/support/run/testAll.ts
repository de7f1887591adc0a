import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { editorVersions } from '../editor/editorVersions.ts';
import { installExtensions } from '../editor/installExtensions.ts';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { provisionEditor } from '../editor/provisionEditor.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { editorVariable } from '../workbench/openWorkbench.ts';
import { packagedExtension } from '../workbench/packagedExtension.ts';
import { build } from './buildExtension.ts';
import { filesBelow } from './filesBelow.ts';
import { runHostTests } from './hostTests.ts';
import { runNodeTests } from './nodeTests.ts';
import { packageVsix } from './packageVsix.ts';
import { runMain } from './runMain.ts';
import { selectTests, type Selection } from './selectTests.ts';
import { testKinds, readTestArguments, type TestKind } from './testArguments.ts';
import { add, noTests, type Totals } from './totals.ts';

// Timeouts for tests that hang: far longer than any test takes on the slowest machine.
const unitTestMs = 600_000;
const uiTestMs = 1_200_000;

await runMain(async () => {
  const { kinds, filter, editor } = readTestArguments(process.argv.slice(2));
  const version = editorVersions[editor];
  const runners: Record<TestKind, () => Promise<Totals>> = {
    unit: () =>
      runNodeTests({
        ...select('out/test/unit', '**/*.test.js', filter),
        concurrency: availableParallelism(),
        testMs: unitTestMs,
      }),
    host: () => runHostTests({ version, ...(filter !== undefined && { filter }) }),
    ui: () => runUiTests(select('test/ui', '**/*.test.ts', filter), version),
  };
  rmSync(join(repositoryRoot, 'out/test-results'), { recursive: true, force: true });
  console.log('Building and packaging …');
  await build(true);
  if (kinds.includes('ui')) await packageVsix();

  const results: { readonly kind: TestKind; readonly totals: Totals }[] = [];
  for (const kind of kinds) {
    console.log(`\n── ${kind} tests ──`);
    results.push({ kind, totals: await runners[kind]() });
  }
  return summarize(results, filter !== undefined);
});

/** Runs the workbench tests file by file, all with the same installed package. */
async function runUiTests(selection: Selection, version: string): Promise<Totals> {
  const extensions = temporaryFolder();
  try {
    await installExtensions([packagedExtension()], extensions.path, await provisionEditor(version));
    const env = { TEST_EXTENSIONS: extensions.path, [editorVariable]: version };
    return await runNodeTests({ ...selection, concurrency: 1, testMs: uiTestMs, env });
  } finally {
    extensions.remove();
  }
}

/**
 * Prints the totals per kind and overall. A kind without any test is a failure unless a filter excluded all of them.
 */
function summarize(
  results: readonly { readonly kind: TestKind; readonly totals: Totals }[],
  filtered: boolean,
): number {
  console.log('');
  for (const { kind, totals } of results) {
    console.log(`${testKinds[kind]}: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  }
  const isEmpty = ({ passed, failed }: Totals): boolean => passed + failed === 0;
  const all = results.map(({ totals }) => totals).reduce(add, noTests);
  const missing = isEmpty(all) || (!filtered && results.some(({ totals }) => isEmpty(totals)));
  if (missing) console.log('No test ran where some should have.');
  console.log(`${all.passed} passed, ${all.failed} failed`);
  return missing || all.failed > 0 ? 1 : 0;
}

function select(folder: string, pattern: string, filter: string | undefined): Selection {
  const root = join(repositoryRoot, folder);
  return selectTests(root, filesBelow(root, pattern), filter);
}
