import type { Event, SecretStorage, SecretStorageChangeEvent } from 'vscode';

/** A secret store in memory that notifies every listener, as the editor's does in all windows. */
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

  /** All secrets by key. */
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
