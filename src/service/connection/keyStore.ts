import { hostname } from 'node:os';
import { decodeStoredKeys, type EnvironmentKey } from '../../domain/connection/connection.ts';
import { isLoopbackHost, originOf } from '../../domain/connection/connectionInput.ts';
import { isJsonObject, parseJson } from '../../domain/json/json.ts';
import { systemClock, type Clock } from '../clock.ts';
import { DisposableOwner, type Disposable } from '../disposable.ts';
import type { Connection, SecretStore } from '../ports.ts';

/** A key and where it came from. The environment's can be used but not changed here. */
export interface FoundKey {
  readonly key: string;
  readonly from: KeyHome;
}

/** Where a key is stored. */
export type KeyHome = 'secretStorage' | 'environment';

/** The part of a connection that a key belongs to. */
export type KeyOwner = Pick<Connection, 'name' | 'baseUrl'>;

/** A key in the secret store, without the key. */
export interface StoredKey {
  /** Of the connection that it was entered for. */
  readonly name: string;
  /** The only one that it is sent to. */
  readonly origin: string;
  /** The only machine where it is used; undefined for a local window's, and where the origin is the same from everywhere. */
  readonly machine: string | undefined;
  /** Exact to the hour; undefined when it was not used since that is written down. */
  readonly lastUsedAtMs: number | undefined;
}

/** What a store of keys is given besides. */
export interface KeyStoreDeps {
  /** Reads the key that the environment has; asked where the secret store has none. */
  readonly environmentKey: () => EnvironmentKey | undefined;
  /**
   * Which machine `localhost` is: undefined in a local window, else a name of the remote one. Secrets are the same in all windows, and what
   * listens on a container's loopback is not what listens here.
   */
  readonly machine: string | undefined;
  readonly clock: Clock;
}

/** How often at most the use of a key is written down. */
const useNotedEveryMs = 60 * 60 * 1000;
/** Where it is written down which keys there are, without the keys: the editor does not list secrets. */
const indexId = 'storedKeys';
/**
 * The one home of API keys: SecretStorage, a secret per connection and origin, and for loopback origins per machine. Windows that store keys
 * at the same moment lose none, because no two keys share a secret. An index says which there are; each window puts back into it what
 * another has overwritten.
 */
export class KeyStore extends DisposableOwner {
  readonly #secrets: SecretStore;
  readonly #deps: KeyStoreDeps;
  /** By secret: when this window noted its use, in milliseconds since the epoch; undefined when it only stored the key. */
  readonly #noted = new Map<string, { readonly name: string; readonly entry: string; readonly atMs?: number }>();
  /** Changes of the index, one after the other: each reads what the one before has written. */
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
        // Whoever reads the index finds out if it cannot be written.
        if (key === indexId) this.#restoreIndex().catch(() => undefined);
      }),
    );
  }

  /** The key for a request over this connection at its present origin; undefined when there is none. Notes the use. */
  async get(owner: KeyOwner): Promise<string | undefined> {
    const found = await this.find(owner);
    // A request does not wait for its note, and does not fail with it.
    if (found?.from === 'secretStorage') this.#noteUse(owner).catch(() => undefined);
    return found?.key;
  }

  /** The same with where it came from, and without a note. */
  async find(owner: KeyOwner): Promise<FoundKey | undefined> {
    const key = await this.#stored(owner.name, this.#entryOf(owner));
    if (key !== undefined) return { key, from: 'secretStorage' };
    const found = this.#deps.environmentKey();
    return found?.origin === originOf(owner.baseUrl) ? { key: found.key, from: 'environment' } : undefined;
  }

  /** @param key as `checkApiKey` gives it. */
  async set(owner: KeyOwner, key: string): Promise<void> {
    const { name } = owner;
    const entry = this.#entryOf(owner);
    // First, so that there is never a key that nobody can find again.
    await this.#note(name, entry);
    await this.#secrets.store(secretId(name, entry), JSON.stringify({ [entry]: key }));
  }

  /** Removes the keys of a connection, at whatever origin and machine. */
  async forget(name: string): Promise<void> {
    for (const entry of await this.#entries(name)) await this.#forgetEntry(name, entry);
    // One that is damaged has no entries.
    const former = formerSecretId(name);
    if ((await this.#secrets.get(former)) !== undefined) await this.#secrets.delete(former);
  }

  /** Removes the keys of a connection but those for its present origin, as after its address was changed. */
  async forgetFormerOrigins({ name, baseUrl }: KeyOwner): Promise<void> {
    for (const entry of await this.#entries(name)) {
      if (readEntry(entry).origin !== originOf(baseUrl)) await this.#forgetEntry(name, entry);
    }
  }

  /** Removes one key, as {@link list} named it. */
  async forgetOne({ name, origin, machine }: StoredKey): Promise<void> {
    await this.#forgetEntry(name, entryId(origin, machine));
  }

  /**
   * The keys that are stored, of whatever connection.
   * @param names of the user's connections: version 0.1.0 did not write down which keys there are
   */
  async list(names: readonly string[]): Promise<readonly StoredKey[]> {
    const index = decodeIndex(await this.#secrets.get(indexId));
    const ids = (await this.#secretIds()).flatMap((id) => nameIn(id) ?? []);
    const stored = await Promise.all(
      [...new Set([...names, ...index.keys(), ...ids])].map(async (name) => {
        const entries = await this.#entries(name);
        const keys = await Promise.all(entries.map((entry) => this.#stored(name, entry)));
        return entries
          .filter((_, place) => keys[place] !== undefined)
          .map((entry) => ({ name, ...readEntry(entry), lastUsedAtMs: index.get(name)?.get(entry) }));
      }),
    );
    return stored.flat();
  }

  /** Calls back when the keys of a connection changed, in this window or another. */
  onDidChange(name: () => string | undefined, listener: () => void): Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      const watched = name();
      if (watched !== undefined && nameIn(key) === watched) listener();
    });
  }

  #entryOf({ baseUrl }: KeyOwner): string {
    const origin = originOf(baseUrl);
    return entryId(origin, isLoopbackOrigin(origin) ? this.#deps.machine : undefined);
  }

  async #stored(name: string, entry: string): Promise<string | undefined> {
    const key = decodeStoredKeys(await this.#secrets.get(secretId(name, entry))).get(entry);
    return key ?? (await this.#formerKeys(name)).get(entry);
  }

  async #formerKeys(name: string): Promise<Map<string, string>> {
    return decodeStoredKeys(await this.#secrets.get(formerSecretId(name)));
  }

  /** What may have a key: what the index names, what the editor lists where it does, and what version 0.1.0 left. */
  async #entries(name: string): Promise<readonly string[]> {
    const index = decodeIndex(await this.#secrets.get(indexId));
    const listed = (await this.#secretIds()).filter((id) => nameIn(id) === name);
    const former = await this.#formerKeys(name);
    const known = [...(index.get(name)?.keys() ?? []), ...listed.flatMap((id) => entryIn(id) ?? []), ...former.keys()];
    return [...new Set(known)];
  }

  /** As far as the editor tells. */
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
    const former = await this.#formerKeys(name);
    if (former.delete(entry)) {
      if (former.size === 0) await this.#secrets.delete(formerSecretId(name));
      else await this.#secrets.store(formerSecretId(name), JSON.stringify(Object.fromEntries(former)));
    }
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

  /** Puts back what another window has overwritten; not what it has forgotten. */
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
 * Names the machine whose loopback this code reaches; undefined for the one that the editor's window is on.
 * @param remoteName what the editor calls the kind of remote, undefined in a local window
 * @param authority of the remote, which the editor's own side decides on; undefined when no folder tells it
 */
export function nameMachine(remoteName: string | undefined, authority: string | undefined): string | undefined {
  if (remoteName === undefined) return undefined;
  return authority ?? `${remoteName}@${hostname()}`;
}

/** Where version 0.1.0 kept the keys of a connection, origin → key. */
const formerPrefix = 'keys/';

function formerSecretId(name: string): string {
  return `${formerPrefix}${name}`;
}

/** Names can hold anything, so that both parts are told apart as JSON. */
function secretId(name: string, entry: string): string {
  return `key ${JSON.stringify([name, entry])}`;
}

/** The connection whose keys a secret holds; undefined for any other secret. */
function nameIn(id: string): string | undefined {
  return id.startsWith(formerPrefix) ? id.slice(formerPrefix.length) : idParts(id)[0];
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

/** No origin has a space, so that both parts can be told again. */
function entryId(origin: string, machine: string | undefined): string {
  return machine === undefined ? origin : `${origin} ${machine}`;
}

function readEntry(entry: string): { readonly origin: string; readonly machine: string | undefined } {
  const space = entry.indexOf(' ');
  if (space === -1) return { origin: entry, machine: undefined };
  return { origin: entry.slice(0, space), machine: entry.slice(space + 1) };
}

/** Connection → entry → when it was used last, in milliseconds since the epoch. */
type Index = Map<string, Map<string, number | undefined>>;

function noteIn(index: Index, name: string, entry: string, usedAtMs: number | undefined): void {
  const entries = index.get(name) ?? new Map<string, number | undefined>();
  index.set(name, entries.set(entry, Math.max(usedAtMs ?? 0, entries.get(entry) ?? 0) || undefined));
}

/** What is damaged is begun anew: it holds no key. */
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
