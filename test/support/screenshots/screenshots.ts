import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { build } from '../run/buildExtension.ts';
import { packageVsix } from '../run/packageVsix.ts';
import { runMain, UsageError } from '../run/runMain.ts';
import { copyExampleWorkspace } from '../start/exampleWorkspace.ts';
import { openWorkbench } from '../workbench/openWorkbench.ts';
import { setTheme, type Theme } from '../workbench/themes.ts';
import { addJapaneseFont } from './japaneseFont.ts';
import { shotEnv, shots, type Shot } from './shots.ts';

const folder = join(repositoryRoot, 'media/screenshots');
const userSettings = { 'transcriptionJobs.connection': 'Sample' };

// Takes the screenshots of the documentation: `npm run screenshots [-- name…]`, each in light and dark.
await runMain(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !Object.hasOwn(shots, name));
  if (unknown !== undefined)
    throw new UsageError(`There is no shot ${unknown}; there are: ${Object.keys(shots).join(', ')}`);
  await build(false);
  const vsix = await packageVsix();
  mkdirSync(folder, { recursive: true });
  for (const [name, shot] of Object.entries(shots)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const theme of ['light', 'dark'] as const) await take(name, shot, theme, vsix);
  }
  return 0;
});

async function take(name: string, shot: Shot, theme: Theme, extensionVsix: string): Promise<void> {
  const env = shotEnv[name] ?? {};
  const session = await openWorkbench({ extensionVsix, userSettings, folder: copyExampleWorkspace(), env });
  try {
    const { workbench } = session;
    await setTheme(workbench, theme);
    await addJapaneseFont(workbench.page);
    await shot(workbench);
    const path = join(folder, `${name}-${theme}.png`);
    // Disabling animations jumps to their end state.
    await workbench.page.screenshot({ path, animations: 'disabled' });
    console.log(path);
  } finally {
    await session.close();
  }
}
