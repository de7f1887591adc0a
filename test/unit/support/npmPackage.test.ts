import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { editorVersions } from '../../support/editor/editorVersions.ts';
import { startFakeRegistry } from '../../support/editor/fakeRegistry.ts';
import {
  pinOf,
  requireKnownPackages,
  sha512,
  unpackNpmPackage,
  type UnpackOptions,
} from '../../support/editor/npmPackage.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import pinned from '../../support/editor/pinnedDownloads.json' with { type: 'json' };
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { UserError } from '../../support/editor/userError.ts';

const files = { 'main.js': 'console.log(1)\n', 'lib/part.js': 'x'.repeat(100_000) };

test('a package is unpacked, and only it', async (t) => {
  const { target, options } = await setUp(t);
  await unpackNpmPackage('tiny', '1.0.0', target, options);
  assert.deepEqual(readdirSync(target), ['package']);
  assert.equal(readFileSync(join(target, 'package/lib/part.js'), 'utf8'), files['lib/part.js']);
});

test('a package that was cut short on the way is refused in one line', async (t) => {
  const { target, options } = await setUp(t, (tarball) => tarball.subarray(0, tarball.length / 2));
  await assert.rejects(
    unpackNpmPackage('tiny', '1.0.0', target, options),
    isOneLine(/Could not download tiny@1\.0\.0: /),
  );
});

test('a package that the registry vouches for is refused when it is not the pinned one', async (t) => {
  const { target, options } = await setUp(t);
  await assert.rejects(
    unpackNpmPackage('tiny', '1.0.0', target, { ...options, pins: { 'tiny@1.0.0': 'sha512-other' } }),
    isOneLine(/^Refused tiny@1\.0\.0: what the registry sent has the hash sha512-\S+, but \S+ has sha512-other\./),
  );
  assert(!readdirSync(target).includes('package'));
});

test('a package whose hash nobody has pinned is not even asked for', async (t) => {
  const { target, registry, options } = await setUp(t);
  const refused = isOneLine(/^tiny@1\.0\.0 is not downloaded: \S+pinnedDownloads\.json has no hash of it\./);
  await assert.rejects(unpackNpmPackage('tiny', '1.0.0', target, { ...options, pins: {} }), refused);
  assert.equal(registry.downloads(), 0);
});

test('what npm installed besides is what the list of a pinned package says, or pinned itself', (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  mkdirSync(join(folder.path, 'node_modules'));
  const write = (file: string, packages: object): void =>
    writeFileSync(join(folder.path, file), JSON.stringify({ packages }));
  const [a, b] = [
    { version: '1.0.0', integrity: 'sha512-a' },
    { version: '1.0.0', integrity: 'sha512-b' },
  ];
  write('npm-shrinkwrap.json', { '': { version: '1.0.0' }, 'node_modules/a': a });
  write('node_modules/.package-lock.json', { 'node_modules/a': a, 'node_modules/a/node_modules/@s/b': b });
  requireKnownPackages(folder.path, { '@s/b@1.0.0': 'sha512-b' });
  const check = (pins: Readonly<Record<string, string>>) => (): void => requireKnownPackages(folder.path, pins);
  assert.throws(check({ '@s/b@1.0.0': 'sha512-c' }), isOneLine(/^Refused @s\/b@1\.0\.0: it has the hash sha512-b, /));
  assert.throws(check({}), isOneLine(/^@s\/b@1\.0\.0 is not downloaded: /));
  write('node_modules/.package-lock.json', { 'node_modules/a': { ...a, integrity: 'sha512-c' } });
  assert.throws(check({}), isOneLine(/^a@1\.0\.0 is not downloaded: /));
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  assert.throws(check({ 'a@1.0.0': 'sha512-a' }), isOneLine(/^Refused a@1\.0\.0: it has the hash none, /));
});

test('every editor that tests run in, and everything else that they download, has a pinned hash', () => {
  for (const version of Object.values(editorVersions))
    assert.match(pinOf(`code-server@${version}`), /^sha512-.{86}==$/);
  for (const hash of [...Object.values(pinned.packages), ...Object.values(pinned.programs)])
    assert.match(hash, /^sha512-[\w+/]{86}==$/);
});

const packagedNode = join(repositoryRoot, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const { version: nodeVersion } = lockedNode();
const nodePin = new Map(Object.entries(pinned.programs)).get(
  `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}@${nodeVersion}`,
);
const unknown = existsSync(packagedNode) && nodePin !== undefined ? {} : { skip: 'no hash is pinned for this machine' };

test('the Node that all scripts use, which its package fetches by a script, is the pinned one', unknown, async () => {
  assert.equal(await sha512(packagedNode), nodePin);
});

test('a Node is pinned in the version that the lock file has', () => {
  assert(Object.keys(pinned.programs).every((spec) => spec.endsWith(`@${nodeVersion}`)));
});

function lockedNode(): { readonly version: string } {
  const lock = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
    readonly packages: { readonly 'node_modules/node': { readonly version: string } };
  };
  return lock.packages['node_modules/node'];
}

test('a version that the registry does not have is named', async (t) => {
  const { target, options } = await setUp(t);
  await assert.rejects(
    unpackNpmPackage('tiny', '9.9.9', target, { ...options, pins: { 'tiny@9.9.9': 'sha512-none' } }),
    isOneLine(/Could not download tiny@9\.9\.9: .*No matching version found/),
  );
});

test('a registry that does not answer is named', async (t) => {
  const { target, registry, options } = await setUp(t);
  await registry.close();
  await assert.rejects(
    unpackNpmPackage('tiny', '1.0.0', target, options),
    isOneLine(/Could not download tiny@1\.0\.0: .*ECONNREFUSED.*Check the network and "npm config get registry"/),
  );
});

async function setUp(t: TestContext, alter?: (tarball: Buffer) => Buffer) {
  const folder = temporaryFolder();
  const registry = await startFakeRegistry(join(folder.path, 'registry'), files, alter);
  t.after(async () => {
    await registry.close();
    folder.remove();
  });
  const target = join(folder.path, 'target');
  mkdirSync(target);
  const options: UnpackOptions = { env: registry.env, pins: { 'tiny@1.0.0': registry.integrity } };
  return { target, registry, options };
}

function isOneLine(pattern: RegExp): (error: unknown) => true {
  return (error) => {
    assert(error instanceof UserError, String(error));
    assert.match(error.message, pattern);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  };
}
