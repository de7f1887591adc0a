import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { UserError } from '../editor/userError.ts';
import { copyExampleWorkspace } from '../start/exampleWorkspace.ts';
import { build } from './buildExtension.ts';
import { runMain, UsageError } from './runMain.ts';

// Runs the host tests in the desktop editor: `npm run test:desktop [-- VERSION]`, by default the newest.
await runMain(async () => {
  const [version = 'stable', surplus] = process.argv.slice(2);
  if (surplus !== undefined) throw new UsageError(`Unknown argument ${surplus}; it takes one version of VS Code.`);
  console.log(
    'This downloads the desktop editor (about 150 MB, once) and needs a display. "npm run test:host" needs neither.',
  );
  await build(true);
  try {
    return await runTests({
      version,
      cachePath: join(repositoryRoot, '.vscode-test'),
      extensionDevelopmentPath: repositoryRoot,
      extensionTestsPath: join(repositoryRoot, 'out/test/host/run.cjs'),
      launchArgs: [copyExampleWorkspace(), '--disable-extensions'],
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`The tests did not run to a good end in the desktop editor: ${reason.split('\n', 1)[0] ?? ''}`);
  }
});
