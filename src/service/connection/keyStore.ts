import { originOf } from '../../domain/connection/connectionInput.ts';
import { type EnvironmentKey, decodeStoredKeys } from '../../domain/connection/connection.ts';
import type { Connection, SecretStore } from '../ports.ts';
import type { Disposable } from '../disposable.ts';

/** A key and where it came from. The environment's can be used but not changed here. */
export interface FoundKey {
  readonly key: string;
  readonly from: KeyHome;
}

/** Where a key is stored. */
export type KeyHome = 'secretStorage' | 'environment';

/** Reads the key that the environment has; asked where the secret store has none. */
export type EnvironmentKeySource = () => EnvironmentKey | undefined;

/** The part of a connection that a key belongs to. */
export type KeyOwner = Pick<Connection, 'name' | 'baseUrl'>;

/**
 * The one home of API keys: SecretStorage, an entry per connection and origin. The entries of one connection stand in one
 * secret, so that forgetting the connection's key cannot leave one behind that belonged to an earlier base URL.
 */
export class KeyStore {
  readonly #secrets: SecretStore;
  readonly #environmentKey: EnvironmentKeySource;

  constructor(secrets: SecretStore, environmentKey: EnvironmentKeySource = () => undefined) {
    this.#secrets = secrets;
    this.#environmentKey = environmentKey;
  }

  /** The key for this connection at its present origin; undefined when there is none. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    return (await this.find(owner))?.key;
  }

  /** The same with where it came from. */
  async find(owner: KeyOwner): Promise<FoundKey | undefined> {
    const origin = originOf(owner.baseUrl);
    const key = (await this.#stored(owner.name)).get(origin);
    if (key !== undefined) return { key, from: 'secretStorage' };
    const found = this.#environmentKey();
    return found?.origin === origin ? { key: found.key, from: 'environment' } : undefined;
  }

  /** @param key as `checkApiKey` gives it. */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const stored = await this.#stored(owner.name);
    stored.set(originOf(owner.baseUrl), key);
    await this.#secrets.store(secretId(owner.name), JSON.stringify(Object.fromEntries(stored)));
  }

  /** Removes the keys of a connection, at whatever origin. */
  async forget(name: string): Promise<void> {
    await this.#secrets.delete(secretId(name));
  }

  /** Calls back when the keys of a connection changed, in this window or another. */
  onDidChange(name: () => string | undefined, listener: () => void): Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      const watched = name();
      if (watched !== undefined && key === secretId(watched)) listener();
    });
  }

  async #stored(name: string): Promise<Map<string, string>> {
    return decodeStoredKeys(await this.#secrets.get(secretId(name)));
  }
}

function secretId(name: string): string {
  return `keys/${name}`;
}
