import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { packagedFiles } from '../../support/run/stageFiles.ts';

const maxPackageBytes = 750_000;
/** Overhead of a zip entry, including names of this length. */
const entryBytes = 160;

const allowed = [
  /^package\.json$/,
  /^package\.nls(\.[a-z-]+)?\.json$/,
  /^CHANGELOG\.md$/,
  /^LICENSE$/,
  /^dist\/(README\.md|THIRD_PARTY_NOTICES\.txt|sbom\.cdx\.json)$/,
  /^dist\/extension\.js$/,
  /^dist\/web\.cjs$/,
  /^dist\/chunks\/[\w-]+\.js$/,
  /^dist\/page\/\w+\.page\.(css|js)$/,
  // Not the English texts, which editors don't load: they are in the code.
  /^l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^media\/icons\/(icon\.png|view\.svg)$/,
  /^dist\/schemas\/request\.schema(?:\.[a-z-]+)?\.json$/,
  /^media\/snippets\/requests\.json$/,
  /^media\/syntaxes\/\w+\.tmLanguage\.json$/,
  /^media\/walkthrough\/\w+\.(svg|webp)$/,
];

/** Files that the law or users need, and files that the manifest, its texts or the pages load at run time. */
const needed = [
  'LICENSE',
  'dist/THIRD_PARTY_NOTICES.txt',
  'dist/sbom.cdx.json',
  'dist/README.md',
  'dist/extension.js',
  'dist/web.cjs',
  ...globSync('media/{page,board}/*.page.ts').flatMap((path) =>
    ['js', 'css'].map((ending) => `dist/page/${posix.basename(path.replaceAll('\\', '/'), 'ts')}${ending}`),
  ),
  ...manifestPaths(),
];

function manifestPaths(): readonly string[] {
  const texts = ['package.json', ...globSync('package.nls*.json')].map((file) => readFileSync(file, 'utf8')).join('\n');
  const paths = [...texts.matchAll(/"(?:\.\/)?((?:media|dist)\/[^"*]+)"/g)];
  return [...new Set(paths.map(([, path]) => path ?? ''))];
}

describe('The package', () => {
  assert(existsSync('dist/extension.js'), 'dist is missing: npm run build makes it');
  const files = packagedFiles('.');
  const developed = globSync('dist/**/*.map').length > 0;

  it('holds only what ships', () => {
    assert.deepEqual(
      files.filter((file) => !allowed.some((pattern) => pattern.test(file))),
      [],
    );
  });

  it('holds what the manifest and the pages name', () => {
    assert.deepEqual(
      needed.filter((file) => !files.includes(file)),
      [],
    );
  });

  const size = developed ? { skip: 'dist holds a development build' } : {};

  it(`takes at most ${maxPackageBytes / 1024} KB`, size, (context: TestContext) => {
    const bytes = files
      .map((file) => deflateRawSync(readFileSync(file)).length + entryBytes + 2 * file.length)
      .reduce((sum, each) => sum + each, 0);
    context.diagnostic(`${files.length} files, about ${Math.round(bytes / 1024)} KB`);
    assert(bytes <= maxPackageBytes, `about ${bytes} bytes`);
  });

  it('takes nothing of Node or of the network into a browser', () => {
    const code = readFileSync('dist/web.cjs', 'utf8');
    assert.deepEqual([...new Set(code.match(/\brequire\("[^"]+"\)/g))], ['require("vscode")']);
    // l10n could load its strings from an address, which nobody asks it to do.
    const foreign =
      /\bimport\(|\bfrom ?"node:|\bimportScripts\b|(?<!\(await )\bfetch\(|XMLHttpRequest|\bprocess\.(?:env|cwd)/;
    assert.equal(foreign.exec(code)?.[0], undefined);
    assert(!/retryOptions|cacheableLookup|http2wrapper/i.test(code), 'it holds got');
  });
});
