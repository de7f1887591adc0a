import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../../../../../src/base/clock.ts';
import { digest } from '../../../../../src/base/digest.ts';
import { AudioHash } from '../../../../../src/features/submit/node/audioHash.ts';
import { MemorySecrets } from '../../../../support/states/memorySecrets.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';

const url = 'https://audio.example.com/a.wav';

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tj-hash-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a hash depends on one key, is the same in all windows, and cannot be tested without the key', async (context) => {
  const secrets = new MemorySecrets();
  const folder = folderOf(context);
  const clock = new FakeClock();
  const first = await AudioHash.load(secrets, folder, clock);
  const second = await AudioHash.load(secrets, folder, clock);
  const stranger = await AudioHash.load(new MemorySecrets(), folderOf(context), clock);
  assert.equal(first.of(url), second.of(url));
  assert.equal(second.isOf(first.of(url), url), true);
  assert.notEqual(first.of(url), digest(url));
  assert.notEqual(first.of(url), stranger.of(url));
  assert.equal(first.isOf(first.of(url), `${url}?`), false);
  assert.deepEqual([first.keyId === second.keyId, first.keyId === stranger.keyId], [true, false]);
});

test('windows that submit for the first time at the same moment use the same key', async (context) => {
  for (let round = 0; round < 10; round++) {
    const stored = new MemorySecrets();
    /** A secret store that takes a while to answer. */
    const secretsOf = (window: number) => ({
      get: async (name: string) => {
        await sleep(window % 3);
        return stored.get(name);
      },
      store: async (name: string, value: string) => {
        await sleep(5 + (window % 4));
        await stored.store(name, value);
      },
    });
    const folder = join(folderOf(context), 'submissions');
    const windows = await Promise.all(
      Array.from({ length: 5 }, (_, window) => AudioHash.load(secretsOf(window), folder, systemClock)),
    );
    assert.equal(new Set(windows.map((each) => each.of(url))).size, 1);
  }
});

test('a key that is lost is made again', async (context) => {
  const folder = folderOf(context);
  const marker = join(folder, 'audioHashKey');
  writeFileSync(marker, '');
  utimesSync(marker, 1, 1);
  const secrets = new MemorySecrets();
  const made = await AudioHash.load(secrets, folder, new FakeClock());
  assert.equal(made.of(url), (await AudioHash.load(secrets, folder, new FakeClock())).of(url));
  assert.equal(secrets.size, 1);
});

test('a window that cannot read the key of another one replaces it in no store', async (context) => {
  const folder = folderOf(context);
  const secrets = new MemorySecrets();
  const first = await AudioHash.load(secrets, folder, new FakeClock());
  const blind = { get: () => Promise.resolve(undefined), store: () => assert.fail('it stores a key') };
  const second = await AudioHash.load(blind, folder, systemClock);
  assert.notEqual(second.keyId, first.keyId);
  assert.equal((await AudioHash.load(secrets, folder, systemClock)).keyId, first.keyId);
});

test('a window uses its own key if the secret store fails', async (context) => {
  const broken = { get: () => Promise.reject(new Error('locked')), store: () => Promise.resolve() };
  const hash = await AudioHash.load(broken, folderOf(context), new FakeClock());
  assert.equal(hash.isOf(hash.of(url), url), true);
});
