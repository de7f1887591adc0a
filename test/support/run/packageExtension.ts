import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { build } from './buildExtension.ts';
import { packageVsix } from './packageVsix.ts';
import { runMain } from './runMain.ts';

// `npm run package`: builds the product and packages it into the repository's folder.
await runMain(async () => {
  await build(false);
  console.log(await packageVsix(repositoryRoot, join(repositoryRoot, 'transcription-jobs.vsix')));
  return 0;
});
