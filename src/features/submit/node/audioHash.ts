import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { delay, type Clock } from '../../../base/clock.ts';
import { systemCode } from '../../../base/failure.ts';
import type { SecretStore } from '../../../connections/node/keyStore.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { privateFile, privateFolder } from '../../../jobs/node/journal/journalSegments.ts';

const secretName = 'submissions.audioHashKey';
/** An empty file: the window that created it makes the key, and others wait for it. */
const makerName = 'audioHashKey';
const waitMs = 100;
const maxWaitMs = 2_000;

/**
 * Replaces the audio URL in journal and ledger: a digest with a secret key (HMAC-SHA-256, hexadecimal), so that a reader of
 * the files cannot test whether a URL was used.
 */
export class AudioHash {
  /** Distinguishes the key from others, without a hint of what it is. */
  readonly keyId: string;
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
    this.keyId = this.of('').slice(0, 16);
  }

  /**
   * Loads the key, which is created with the first submission of all windows. A window uses its own until it is reloaded if it can't read
   * the key: without a secret store, or in a browser, where the editor reads secrets only once.
   * @param folder of the journal
   */
  static async load(secrets: Secrets, folder: string, clock: Clock): Promise<AudioHash> {
    const made = randomBytes(32).toString('hex');
    try {
      return new AudioHash((await secrets.get(secretName)) ?? (await storeOnce(made, secrets, folder, clock)));
    } catch {
      return new AudioHash(made);
    }
  }

  of(url: string): string {
    return createHmac('sha256', this.#key).update(url, 'utf8').digest('hex');
  }

  /** True if a submission had this audio URL. Undefined if that can't be known: it has no hash, or one with another key. */
  matches({ audioHash, audioKeyId = this.keyId }: HashedAudio, url: string): boolean | undefined {
    return audioHash === undefined || audioKeyId !== this.keyId ? undefined : this.isOf(audioHash, url);
  }

  /** True if this is the hash of a URL. */
  isOf(hash: string, url: string): boolean {
    return hash === this.of(url);
  }
}

type HashedAudio = Pick<Submission, 'audioHash' | 'audioKeyId'>;

type Secrets = Pick<SecretStore, 'get' | 'store'>;

/** Stores a key if no other window has just done so. Returns the key to use. */
async function storeOnce(made: string, secrets: Secrets, folder: string, clock: Clock): Promise<string> {
  if (!(await isMaker(folder, clock))) {
    for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += waitMs) {
      await delay(clock, waitMs);
      const stored = await secrets.get(secretName);
      if (stored !== undefined) return stored;
    }
    return made;
  }
  await secrets.store(secretName, made);
  return (await secrets.get(secretName)) ?? made;
}

async function isMaker(folder: string, clock: Clock): Promise<boolean> {
  const path = join(folder, makerName);
  try {
    await mkdir(folder, { recursive: true, mode: privateFolder });
    await writeFile(path, '', { flag: 'wx', mode: privateFile });
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    // A key that was made before this window was opened, and is not there, is lost.
    const startedAtMs = clock.now() - process.uptime() * 1000;
    if ((await stat(path)).mtimeMs > startedAtMs) return false;
    await writeFile(path, '');
    return true;
  }
}
