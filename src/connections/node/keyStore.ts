import { hourMs } from '../../base/time.ts';
import type { KeyHome } from '../common/connectionState.ts';
import { hostname } from 'node:os';
import { decodeStoredKeys, type EnvironmentKey, type Connection } from '../common/connection.ts';
import { originOf } from '../common/connectionInput.ts';
import { isLoopbackHost } from '../../base/webAddress.ts';
import { isJsonObject, parseJson } from '../../base/json/json.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { DisposableOwner, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';

/** Secrets by name. The editor's `SecretStorage` has this shape. */
export interface SecretStore {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, secret: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  /** Names of all secrets. Missing in older editors; may reject in others. */
  keys?(): PromiseLike<readonly string[]>;
  /** Fires after changes by this or another window. */
  readonly onDidChange: (listener: (change: { readonly key: string }) => void) => Disposable;
}

/** A key and its source. A key from the environment can be used but not changed here. */
export interface FoundKey {
  readonly key: string;
  readonly from: KeyHome;
}

/** The parts of a connection that identify its key. */
export type KeyOwner = Pick<Connection, 'name' | 'baseUrl'>;

/** Metadata of a key in the secret store. */
export interface StoredKey {
  /** Name of the connection that it was entered for. */
  readonly name: string;
  /** The only origin that it is sent to. */
  readonly origin: string;
  /** The only machine where it is used; undefined for local windows, and for origins that are the same from everywhere. */
  readonly machine: string | undefined;
  /** Accurate to the hour; undefined when no use is recorded. */
  readonly lastUsedAtMs: number | undefined;
}

/** Dependencies of {@link KeyStore}. */
export interface KeyStoreDeps {
  /** Reads the key from the environment; used if the secret store has none. */
  readonly environmentKey: () => EnvironmentKey | undefined;
  /**
   * Identifies the machine that `localhost` refers to: undefined in a local window, else the remote's name. All windows share secrets, but
   * a container's loopback address is not the local one.
   */
  readonly machine: string | undefined;
  readonly clock: Clock;
}

/** Minimum interval between two records of a key's use, in milliseconds. */
const useNotedEveryMs = hourMs;
/** Secret with the index of stored keys, without the keys, because not every editor can list secrets. */
const indexId = 'storedKeys';
/**
 * Stores API keys in SecretStorage, one secret per connection and origin, and for loopback origins per machine. Windows can store keys
 * concurrently, because no two keys share a secret. An index lists the keys; each window restores its entries when another
 * window has overwritten them.
 */
export class KeyStore extends DisposableOwner {
  readonly #changed = this.own(new Emitter<string>());
  /** Fires with the name of a connection when its keys change, in this window or another. */
  readonly onDidChange = this.#changed.event;
  readonly #secrets: SecretStore;
  readonly #deps: KeyStoreDeps;
  /** By secret: when this window recorded its use, in milliseconds since the epoch; undefined when it only stored the key. */
  readonly #noted = new Map<string, { readonly name: string; readonly entry: string; readonly atMs?: number }>();
  /** Serialises index updates, because each reads what the previous one wrote. */
  #indexing: Promise<unknown> = Promise.resolve();

  constructor(
    secrets: SecretStore,
    { environmentKey = () => undefined, machine, clock = systemClock }: Partial<KeyStoreDeps> = {},
  ) {
    super();
    this.#secrets = secrets;
    this.#deps = { environmentKey, machine, clock };
    this.own(
      secrets.onDidChange(({ key }) => {
        // An index that cannot be written is reported when it is read.
        if (key === indexId) this.#restoreIndex().catch(() => undefined);
        const name = nameIn(key);
        if (name !== undefined) this.#changed.fire(name);
      }),
    );
  }

  /** Returns the key for a request over this connection at its present origin; undefined if there is none. Records the use. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    const found = await this.find(owner);
    // A request neither waits for this record nor fails with it.
    if (found?.from === 'secretStorage') this.#noteUse(owner).catch(() => undefined);
    return found?.key;
  }

  /** Like {@link get}, but with the source of the key and without recording its use. */
  async find(owner: KeyOwner): Promise<FoundKey | undefined> {
    const key = await this.#stored(owner.name, this.#entryOf(owner));
    if (key !== undefined) return { key, from: 'secretStorage' };
    const found = this.#deps.environmentKey();
    return found?.origin === originOf(owner.baseUrl) ? { key: found.key, from: 'environment' } : undefined;
  }

  /** @param key as returned by `checkApiKey`. */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const { name } = owner;
    const entry = this.#entryOf(owner);
    // Indexed first, so that no stored key is missing from the index.
    await this.#note(name, entry);
    await this.#secrets.store(secretId(name, entry), JSON.stringify({ [entry]: key }));
  }

  /** Removes all keys of a connection, for any origin and machine. */
  async forget(name: string): Promise<void> {
    for (const entry of await this.#entries(name)) await this.#forgetEntry(name, entry);
  }

  /** Removes the keys of a connection except those for its present origin, for example after its address has changed. */
  async forgetFormerOrigins({ name, baseUrl }: KeyOwner): Promise<void> {
    for (const entry of await this.#entries(name)) {
      if (readEntry(entry).origin !== originOf(baseUrl)) await this.#forgetEntry(name, entry);
    }
  }

  /** Removes one key returned by {@link list}. */
  async forgetOne({ name, origin, machine }: StoredKey): Promise<void> {
    await this.#forgetEntry(name, entryId(origin, machine));
  }

  /** Returns all stored keys. */
  async list(): Promise<readonly StoredKey[]> {
    const index = decodeIndex(await this.#secrets.get(indexId));
    const ids = (await this.#secretIds()).flatMap((id) => nameIn(id) ?? []);
    const stored = await Promise.all(
      [...new Set([...index.keys(), ...ids])].map(async (name) => {
        const entries = await this.#entries(name);
        const keys = await Promise.all(entries.map((entry) => this.#stored(name, entry)));
        return entries
          .filter((_, place) => keys[place] !== undefined)
          .map((entry) => ({ name, ...readEntry(entry), lastUsedAtMs: index.get(name)?.get(entry) }));
      }),
    );
    return stored.flat();
  }

  #entryOf({ baseUrl }: KeyOwner): string {
    const origin = originOf(baseUrl);
    return entryId(origin, isLoopbackOrigin(origin) ? this.#deps.machine : undefined);
  }

  async #stored(name: string, entry: string): Promise<string | undefined> {
    return decodeStoredKeys(await this.#secrets.get(secretId(name, entry))).get(entry);
  }

  /** Returns entries that may have a key: from the index, and from the editor's list of secrets if it has one. */
  async #entries(name: string): Promise<readonly string[]> {
    const index = decodeIndex(await this.#secrets.get(indexId));
    const listed = (await this.#secretIds()).filter((id) => nameIn(id) === name);
    return [...new Set([...(index.get(name)?.keys() ?? []), ...listed.flatMap((id) => entryIn(id) ?? [])])];
  }

  /** Returns an empty list if the editor cannot list secrets. */
  async #secretIds(): Promise<readonly string[]> {
    try {
      return (await this.#secrets.keys?.()) ?? [];
    } catch {
      return [];
    }
  }

  async #forgetEntry(name: string, entry: string): Promise<void> {
    this.#noted.delete(secretId(name, entry));
    await this.#secrets.delete(secretId(name, entry));
    await this.#changeIndex((index) => {
      const entries = index.get(name);
      entries?.delete(entry);
      if (entries?.size === 0) index.delete(name);
    });
  }

  async #noteUse(owner: KeyOwner): Promise<void> {
    const entry = this.#entryOf(owner);
    const nowMs = this.#deps.clock.now();
    const lastMs = this.#noted.get(secretId(owner.name, entry))?.atMs ?? -Infinity;
    if (nowMs - lastMs >= useNotedEveryMs) await this.#note(owner.name, entry, nowMs);
  }

  async #note(name: string, entry: string, atMs?: number): Promise<void> {
    this.#noted.set(secretId(name, entry), { name, entry, ...(atMs !== undefined && { atMs }) });
    await this.#changeIndex((index) => noteIn(index, name, entry, atMs));
  }

  /** Restores entries of this window that another window has overwritten, except those it has removed. */
  async #restoreIndex(): Promise<void> {
    const index = decodeIndex(await this.#secrets.get(indexId));
    for (const { name, entry, atMs } of this.#noted.values()) {
      if (index.get(name)?.has(entry) === true || (await this.#stored(name, entry)) === undefined) continue;
      await this.#changeIndex((present) => noteIn(present, name, entry, atMs));
    }
  }

  #changeIndex(change: (index: Index) => void): Promise<void> {
    const run = async (): Promise<void> => {
      const before = await this.#secrets.get(indexId);
      const index = decodeIndex(before);
      change(index);
      const after = encodeIndex(index);
      if (after === before) return;
      if (after === undefined) await this.#secrets.delete(indexId);
      else await this.#secrets.store(indexId, after);
    };
    const changing = this.#indexing.then(run);
    this.#indexing = changing.catch(() => undefined);
    return changing;
  }
}

/**
 * Identifies the machine whose loopback address this code reaches; undefined for the machine of the window.
 * @param remoteName the editor's name for the kind of remote, undefined in a local window
 * @param authority of the remote; undefined when no folder contains it
 */
export function nameMachine(remoteName: string | undefined, authority: string | undefined): string | undefined {
  if (remoteName === undefined) return undefined;
  return authority ?? `${remoteName}@${hostname()}`;
}

/** Encoded as JSON, because names can contain any separator. */
function secretId(name: string, entry: string): string {
  return `key ${JSON.stringify([name, entry])}`;
}

/** Returns the connection whose keys a secret contains; undefined for any other secret. */
function nameIn(id: string): string | undefined {
  return idParts(id)[0];
}

function entryIn(id: string): string | undefined {
  return idParts(id)[1];
}

function idParts(id: string): readonly string[] {
  const parts = id.startsWith('key ') ? parseJson(id.slice('key '.length)) : undefined;
  return Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : [];
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname);
}

/** Returns the id of an entry. Origins contain no space, so it can separate the parts. */
function entryId(origin: string, machine: string | undefined): string {
  return machine === undefined ? origin : `${origin} ${machine}`;
}

function readEntry(entry: string): { readonly origin: string; readonly machine: string | undefined } {
  const space = entry.indexOf(' ');
  if (space === -1) return { origin: entry, machine: undefined };
  return { origin: entry.slice(0, space), machine: entry.slice(space + 1) };
}

/** Connection → entry → time of last use, in milliseconds since the epoch. */
type Index = Map<string, Map<string, number | undefined>>;

function noteIn(index: Index, name: string, entry: string, usedAtMs: number | undefined): void {
  const entries = index.get(name) ?? new Map<string, number | undefined>();
  index.set(name, entries.set(entry, Math.max(usedAtMs ?? 0, entries.get(entry) ?? 0) || undefined));
}

/** A damaged index starts empty; no key is lost, because the index contains none. */
function decodeIndex(secret: string | undefined): Index {
  const value = parseJson(secret ?? '{}');
  if (!isJsonObject(value)) return new Map();
  return new Map(
    Object.entries(value).map(([name, entries]) => [
      name,
      new Map(
        Object.entries(isJsonObject(entries) ? entries : {}).map(([entry, usedAtMs]) => [
          entry,
          typeof usedAtMs === 'number' ? usedAtMs : undefined,
        ]),
      ),
    ]),
  );
}

function encodeIndex(index: Index): string | undefined {
  if (index.size === 0) return undefined;
  const entries = [...index].map(([name, used]) => [
    name,
    Object.fromEntries([...used].map(([entry, usedAtMs]) => [entry, usedAtMs ?? null])),
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
