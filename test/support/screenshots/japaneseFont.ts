import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { atomicFolder } from '../editor/atomicFolder.ts';
import { unpackNpmPackage } from '../editor/npmPackage.ts';
import { defaultCacheDir } from '../editor/provisionEditor.ts';

const source = {
  name: '@fontsource/kosugi',
  version: '5.3.0',
  file: 'files/kosugi-japanese-400-normal.woff2',
} as const;
/** A font family that the workbench requests on Linux for characters that the families before it lack. */
const family = 'Ubuntu';
/** Kana, ideographs and their punctuation; all other characters keep their font. */
const unicodeRange = 'U+3000-30FF, U+4E00-9FFF, U+FF00-FFEF';

/** Enables a window to show Japanese on a machine without a Japanese font: some sample jobs have Japanese names. */
export async function addJapaneseFont(page: Page): Promise<void> {
  const folder = await atomicFolder({
    cacheDir: defaultCacheDir,
    key: `kosugi-${source.version}`,
    make: async (fresh) => unpackNpmPackage(source.name, source.version, fresh),
  });
  const font = readFileSync(join(folder, 'package', source.file)).toString('base64');
  // From a buffer, because the workbench loads no fonts from other origins.
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(font)}), (letter) => letter.codePointAt(0));
    const options = { unicodeRange: ${JSON.stringify(unicodeRange)} };
    document.fonts.add(await new FontFace(${JSON.stringify(family)}, bytes, options).load());
  })()`);
}
