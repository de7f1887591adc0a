import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from '../editor/launchBrowser.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runMain } from '../run/runMain.ts';

const folder = join(repositoryRoot, 'media/icons');
const sidePixels = 256;

// Renders media/icons/icon.svg as a PNG for the marketplace: `node test/support/screenshots/renderIcon.ts`.
await runMain(async () => {
  const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: sidePixels, height: sidePixels } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    await page.screenshot({ path: join(folder, 'icon.png'), omitBackground: true });
  } finally {
    await browser.close();
  }
  return 0;
});
