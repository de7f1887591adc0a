import { createHmac, randomBytes } from 'node:crypto';
import type { SecretStore } from '../../../connections/node/keyStore.ts';

const secretName = 'submissions.audioHashKey';

/**
 * Replaces the audio URL in journal and ledger: a digest with a secret key (HMAC-SHA-256, hexadecimal), so that a reader of
 * the files cannot test whether a URL was used.
 */
export class AudioHash {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Loads the key, which is created with the first submission. Without a secret store, each window uses its own. */
  static async load(secrets: Pick<SecretStore, 'get' | 'store'>): Promise<AudioHash> {
    const made = randomBytes(32).toString('hex');
    try {
      if ((await secrets.get(secretName)) === undefined) await secrets.store(secretName, made);
      // Another window may have created one at the same moment.
      return new AudioHash((await secrets.get(secretName)) ?? made);
    } catch {
      return new AudioHash(made);
    }
  }

  of(url: string): string {
    return createHmac('sha256', this.#key).update(url, 'utf8').digest('hex');
  }

  /** True if this is the hash of a URL. */
  isOf(hash: string, url: string): boolean {
    return hash === this.of(url);
  }
}
