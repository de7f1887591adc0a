import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { build } from '../run/buildExtension.ts';
import { packageVsix } from '../run/packageVsix.ts';
import { runMain, UsageError } from '../run/runMain.ts';
import { copyExampleWorkspace } from '../start/exampleWorkspace.ts';
import { openWorkbench } from '../workbench/openWorkbench.ts';
import { setTheme, type Theme } from '../workbench/themes.ts';
import { addJapaneseFont } from './japaneseFont.ts';
import { shots, type Shot } from './shots.ts';

const folder = join(repositoryRoot, 'media');
const webpQuality = 0.85;
const userSettings = { 'transcriptionJobs.connection': 'Sample', 'editor.minimap.enabled': false };

// Takes the pictures of the README and of the walkthrough: `npm run screenshots [-- name…]`, each in light and dark.
await runMain(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !Object.hasOwn(shots, name));
  if (unknown !== undefined)
    throw new UsageError(`There is no shot ${unknown}; there are: ${Object.keys(shots).join(', ')}`);
  await build(false);
  const vsix = await packageVsix();
  for (const [name, shot] of Object.entries(shots)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    if (shot.theme) await take(name, shot, shot.theme, vsix);
    else for (const theme of ['light', 'dark'] as const) await take(`${name}-${theme}`, shot, theme, vsix);
  }
  return 0;
});

async function take(name: string, shot: Shot, theme: Theme, extensionVsix: string): Promise<void> {
  const { env = {}, size } = shot;
  const session = await openWorkbench({ extensionVsix, userSettings, folder: copyExampleWorkspace(), env });
  try {
    const { workbench } = session;
    const { page } = workbench;
    await setTheme(workbench, theme);
    await addJapaneseFont(page);
    await page.setViewportSize({ width: size[0], height: size[1] });
    await shot.prepare(workbench);
    await page.mouse.move(size[0] / 2, 0);
    await workbench.runCommand('Notifications: Clear All Notifications');
    await page.locator('.notification-toast, .workbench-hover').first().waitFor({ state: 'hidden' });
    const path = join(folder, `${name}.webp`);
    const shown = shot.part === undefined ? page : page.locator(shot.part);
    // Disabling animations jumps to their end state.
    const png = await shown.screenshot({ animations: 'disabled' });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await toWebp(await page.context().newPage(), png));
    console.log(path);
  } finally {
    await session.close();
  }
}

/** Converts a PNG to WebP, which takes a third of its size, in an empty page of the browser. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const base64: string = await page.evaluate(`(async () => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,${png.toString('base64')}';
    await picture.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext('2d').drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', ${webpQuality}).split(',')[1];
  })()`);
  return Buffer.from(base64, 'base64');
}
