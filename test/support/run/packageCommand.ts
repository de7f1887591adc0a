import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { build } from './buildExtension.ts';
import { packCommand } from './packCommand.ts';
import { runMain } from './runMain.ts';

// `npm run package:cli`: builds the product and packs the command's npm package into the repository's `out` folder.
await runMain(async () => {
  await build(false);
  console.log(await packCommand(join(repositoryRoot, 'out')));
  return 0;
});
