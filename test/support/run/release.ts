import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { build } from './buildExtension.ts';
import { packRelease, sumsName } from './packRelease.ts';
import { runMain } from './runMain.ts';

// `npm run release`, after the tests of a release have passed: builds the product and packs all parts of a release into `out/release`.
// Publishes nothing.
await runMain(async () => {
  const folder = join(repositoryRoot, 'out/release');
  await build(false);
  for (const file of await packRelease(folder)) console.log(file);
  console.log(`\n${readFileSync(join(folder, sumsName), 'utf8')}`);
  return 0;
});
