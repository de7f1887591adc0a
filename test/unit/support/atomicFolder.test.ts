import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { atomicFolder } from '../../support/editor/atomicFolder.ts';
import { temporaryFolder, type OwnedFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { runTool } from '../../support/editor/runTool.ts';

let owned: OwnedFolder;
let cacheDir: string;
let made: number;

beforeEach(() => {
  owned = temporaryFolder();
  cacheDir = join(owned.path, 'cache');
  made = 0;
});
afterEach(() => owned.remove());

const make = async (folder: string): Promise<void> => {
  made++;
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'inner/a.txt'), 'some text');
  writeFileSync(join(folder, 'b.txt'), 'other text');
};
const provide = (ingredients = ''): Promise<string> => atomicFolder({ cacheDir, key: 'thing', ingredients, make });

test('a folder is made once and then found', async () => {
  const folder = await provide();
  assert.equal(await provide(), folder);
  assert.equal(made, 1);
  assert.deepEqual(readdirSync(cacheDir), ['thing']);
});

test('a file cut short makes the folder be made again', async () => {
  const file = join(await provide(), 'inner/a.txt');
  truncateSync(file, 4);
  await provide();
  assert.equal(made, 2);
  assert.equal(readFileSync(file, 'utf8'), 'some text');
  assert.deepEqual(readdirSync(cacheDir), ['thing']);
});

test('a missing file makes the folder be made again', async () => {
  const file = join(await provide(), 'b.txt');
  rmSync(file);
  await provide();
  assert(existsSync(file));
});

test('other ingredients make the folder be made again', async () => {
  await provide('one');
  await provide('two');
  await provide('two');
  assert.equal(made, 2);
});

test('a failure leaves nothing, and the next try is a fresh one', async () => {
  const fail = async (folder: string): Promise<void> => {
    writeFileSync(join(folder, 'half'), '');
    throw new Error('no luck');
  };
  await assert.rejects(atomicFolder({ cacheDir, key: 'thing', make: fail }), /no luck/);
  assert.deepEqual(readdirSync(cacheDir), []);
  assert.deepEqual(readdirSync(await provide()).sort(), ['.complete', 'b.txt', 'inner']);
});

test('two at once end up with one whole folder', async () => {
  const both = await Promise.all([provide(), provide()]);
  assert.equal(both[0], both[1]);
  assert.deepEqual(readdirSync(cacheDir), ['thing']);
  await provide();
  assert.equal(made, 2);
});

test('what a killed run left half-made is cleared away', async () => {
  const module = pathToFileURL(join(repositoryRoot, 'test/support/editor/atomicFolder.ts')).href;
  const script = `
    import { atomicFolder } from ${JSON.stringify(module)};
    await atomicFolder({
      cacheDir: ${JSON.stringify(cacheDir)},
      key: 'thing',
      make: async () => process.kill(process.pid, 'SIGKILL'),
    });`;
  const killed = await runTool(process.execPath, ['--input-type=module-typescript', '--eval', script]);
  // Windows has no signals: there a killed process ends with code 1.
  assert.equal(killed.signal ?? killed.code, process.platform === 'win32' ? 1 : 'SIGKILL');
  assert.equal(readdirSync(cacheDir).length, 1);
  await provide();
  assert.deepEqual(readdirSync(cacheDir), ['thing']);
});
