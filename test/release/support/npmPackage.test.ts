import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startFakeRegistry } from '../../support/editor/fakeRegistry.ts';
import { unpackNpmPackage, type UnpackOptions } from '../../support/editor/npmPackage.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
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
