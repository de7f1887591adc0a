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

/** Runs per property. */
const runs = 100_000;
/** Timeout of one property: some read a hundred thousand lists page by page. The soak test's minutes are added. */
const testMs = 30 * 60_000;

// `npm run test:long`: the property tests with a hundred thousand runs each, and the soak test.
await runMain(async () => {
  const { properties, soak, emptySoak, soakEnv } = readLongArguments(process.argv.slice(2));
  await build(true);
  if (soak) await packageVsix();
  let totals = noTests;
  if (properties) {
    const files = filesBelow(repositoryRoot, 'out/test/{unit,release}/**/*.test.js').filter((file) =>
      /\bpropertyRuns\b/.test(readFileSync(file, 'utf8')),
    );
    totals = add(
      totals,
      await runNodeTests({ files, concurrency: availableParallelism(), testMs, env: { LONG_RUNS: String(runs) } }),
    );
  }
  if (soak || emptySoak) {
    const soakMs = Number(soakEnv['SOAK_MINUTES'] ?? 0) * 60_000;
    const options = { concurrency: 1, testMs: testMs + soakMs, env: soakEnv };
    // One at a time, so that each has the machine to itself.
    for (const [isAsked, file] of [
      [soak, 'test/soak/soak.test.ts'],
      [emptySoak, 'test/soak/empty/emptySoak.test.ts'],
    ] as const) {
      if (isAsked) totals = add(totals, await runNodeTests({ files: filesBelow(repositoryRoot, file), ...options }));
    }
  }
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
  return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
});
