import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { build } from './buildExtension.ts';
import { filesBelow } from './filesBelow.ts';
import { readLongArguments } from './longArguments.ts';
import { runNodeTests } from './nodeTests.ts';
import { packageVsix } from './packageVsix.ts';
import { runMain } from './runMain.ts';
import { add, noTests } from './totals.ts';

/** How often each property is tried. */
const runs = 100_000;
/** One property may take this long: some read a hundred thousand lists page by page. The soak's minutes come on top. */
const testMs = 30 * 60_000;

// `npm run test:long`: the property tests, a hundred thousand times each, and the soak.
await runMain(async () => {
  const { properties, soak, soakEnv } = readLongArguments(process.argv.slice(2));
  await build(true);
  if (soak) await packageVsix();
  let totals = noTests;
  if (properties) {
    const files = filesBelow(repositoryRoot, 'out/test/unit/**/*.test.js').filter((file) =>
      /\bpropertyRuns\b/.test(readFileSync(file, 'utf8')),
    );
    totals = add(
      totals,
      await runNodeTests({ files, concurrency: availableParallelism(), testMs, env: { LONG_RUNS: String(runs) } }),
    );
  }
  if (soak) {
    const soakMs = Number(soakEnv['SOAK_MINUTES'] ?? 0) * 60_000;
    const options = { concurrency: 1, testMs: testMs + soakMs, env: soakEnv };
    totals = add(
      totals,
      await runNodeTests({ files: filesBelow(repositoryRoot, 'test/soak/**/*.test.ts'), ...options }),
    );
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
});
