import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, globSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { installExtensions } from '../../support/editor/installExtensions.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { runTool } from '../../support/editor/runTool.ts';
import { build } from '../../support/run/buildExtension.ts';
import { packRelease } from '../../support/run/packRelease.ts';
import manifest from '../../../package.json' with { type: 'json' };

test('built and packed again in another folder, by other people, a release is the same to the byte', async (t) => {
  const { path, remove } = temporaryFolder();
  t.after(remove);
  // As deep as no checkout is, with files that are older and readable to their owner alone.
  const again = join(path, 'some/where/else/again');
  copySources(again);
  setVariables(t, { SOURCE_DATE_EPOCH: '1790000000', TZ: 'Asia/Tokyo', LC_ALL: 'et_EE.UTF-8' });
  const mask = process.umask(0o077);
  t.after(() => process.umask(mask));
  await build(false, again);
  const there = await release(again, join(path, 'there'));
  setVariables(t, { TZ: 'America/Lima', LC_ALL: 'C' });
  process.umask(0o002);
  const built = globSync('dist/**/*.map').length > 0 ? again : repositoryRoot;
  const here = await release(built, join(path, 'here'));
  for (const [name, bytes] of here) assert(there.get(name)?.equals(bytes), `${name} differs`);
  assert.deepEqual([...here.keys()], [...there.keys()]);
  const { version } = manifest;
  const names = [
    `transcription-jobs-${version}.vsix`,
    `transcription-requests-${version}.tgz`,
    `transcription-jobs-${version}.sbom.cdx.json`,
    `transcription-requests-${version}.sbom.cdx.json`,
  ];
  assert.deepEqual([...here.keys()], [...names, 'SHA256SUMS']);
  const hashOf = (name: string): string =>
    createHash('sha256')
      .update(here.get(name) ?? '')
      .digest('hex');
  assert.equal(String(here.get('SHA256SUMS')), names.map((name) => `${hashOf(name)}  ${name}\n`).join(''));
});

test('with the addresses of a publisher, both packages name them, and the README has pictures and pages there', async (t) => {
  const { path, remove } = temporaryFolder();
  t.after(remove);
  const root = join(path, 'sources');
  copySources(root);
  const address = 'https://example.com/publisher/transcription';
  const addresses = {
    repository: { type: 'git', url: `git+${address}.git` },
    bugs: { url: `${address}/issues` },
    homepage: `${address}#readme`,
  };
  const file = join(root, 'package.json');
  writeFileSync(file, JSON.stringify({ ...manifest, publisher: 'made-up', ...addresses }));
  await build(false, root);
  const [vsix = '', command = ''] = await packRelease(join(path, 'packed'), root);

  const extensions = join(path, 'extensions');
  await installExtensions([vsix], extensions);
  const [readme = ''] = globSync('made-up.*/readme.md', { cwd: extensions });
  const text = readFileSync(join(extensions, readme), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const held = targets.filter((target) => target.startsWith(`${address}/`));
  assert.deepEqual(
    held.filter((target) => !existsSync(target.replace(/^.*\/(?:raw|blob)\/HEAD\//, '').replace(/#.*$/, ''))),
    [],
  );
  assert(
    held.some((target) => target.includes('/media/screenshots/')) && held.some((target) => target.endsWith('.md')),
  );
  assert.deepEqual(
    targets.filter((target) => !/^(?:https:|#)/.test(target)),
    [],
  );

  await runTool('tar', ['-xzf', command, '-C', path], { cwd: path });
  const { repository, bugs, homepage } = JSON.parse(
    readFileSync(join(path, 'package/package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  assert.deepEqual({ repository, bugs, homepage }, addresses);
});

/** The bytes of everything that a release has, by name. */
async function release(root: string, folder: string): Promise<ReadonlyMap<string, Buffer>> {
  return new Map((await packRelease(folder, root)).map((file) => [basename(file), readFileSync(file)]));
}

/** Copies what the build reads and what is packed with it. */
function copySources(target: string): void {
  const apart = new Set(['.git', '.vscode-test', 'dist', 'node_modules', 'out', 'test']);
  for (const name of globSync('{*,.vscodeignore}').filter((each) => !apart.has(each)))
    cpSync(name, join(target, name), { recursive: true });
  for (const file of globSync('**', { cwd: target, withFileTypes: true }).filter((each) => each.isFile())) {
    const path = join(file.parentPath, file.name);
    chmodSync(path, 0o600);
    utimesSync(path, 1_000_000_000, 1_000_000_000);
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(target, 'node_modules'), 'junction');
}

/** Sets variables of the environment until the test ends. */
function setVariables(t: TestContext, variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const former = process.env[name];
    process.env[name] = value;
    t.after(() => {
      if (former === undefined) delete process.env[name];
      else process.env[name] = former;
    });
  }
}
