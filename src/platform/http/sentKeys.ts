import { KeyMask } from './keyMask.ts';

/** Number of keys to mask. Connections that were only tried count, too. */
const maxKeys = 20;

/** The keys that were sent from this window. Services may repeat each of them, also later and in the data of other connections. */
export class SentKeys {
  /** Newest last. */
  #keys: readonly string[] = [];
  #mask = new KeyMask();

  /** Masks all of them. */
  get mask(): KeyMask {
    return this.#mask;
  }

  /** Adds a key before it is sent. Returns the mask, which is created only for a new key, because that costs more than using it. */
  add(key: string): KeyMask {
    if (!this.#keys.includes(key)) {
      this.#keys = [...this.#keys, key].slice(-maxKeys);
      this.#mask = new KeyMask(...this.#keys);
    }
    return this.#mask;
  }
}
