import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { editorVersions } from '../../support/editor/editorVersions.ts';
import { pinOf, requireKnownPackages, sha512 } from '../../support/editor/npmPackage.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import pinned from '../../support/editor/pinnedDownloads.json' with { type: 'json' };
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { UserError } from '../../support/editor/userError.ts';

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

function isOneLine(pattern: RegExp): (error: unknown) => true {
  return (error) => {
    assert(error instanceof UserError, String(error));
    assert.match(error.message, pattern);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  };
}
