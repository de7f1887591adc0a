import type { Event, SecretStorage, SecretStorageChangeEvent } from 'vscode';

/** A secret store that forgets with the process and tells every listener, as the editor's does for all windows. */
export class MemorySecrets implements SecretStorage {
  readonly #secrets = new Map<string, string>();
  readonly #listeners = new Set<(event: SecretStorageChangeEvent) => unknown>();

  readonly onDidChange: Event<SecretStorageChangeEvent> = (listener) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  get size(): number {
    return this.#secrets.size;
  }

  /** All secrets by name. */
  get content(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#secrets);
  }

  async get(key: string): Promise<string | undefined> {
    return this.#secrets.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.#secrets.set(key, value);
    this.#fire(key);
  }

  async delete(key: string): Promise<void> {
    this.#secrets.delete(key);
    this.#fire(key);
  }

  overwriteAll(value: string): void {
    for (const key of this.#secrets.keys()) this.#secrets.set(key, value);
  }

  #fire(key: string): void {
    for (const listener of this.#listeners) listener({ key });
  }
}
