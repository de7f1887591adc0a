import * as vscode from 'vscode';
import { withConnection, withoutConnection } from '../../domain/connection/connection.ts';
import type { Connection } from '../../service/ports.ts';
import { section } from '../ids.ts';
import { openSettingsStep, UserError } from '../messages.ts';
import type { KeyStore } from '../../service/connection/keyStore.ts';
import { inspectSetting, type Settings } from '../settings.ts';
import { writeSetting } from '../writeSetting.ts';

/** Lets what is known of a connection's submissions continue under its new name. */
export type ContinueSubmissions = (former: Connection, now: Connection) => Promise<void>;

/** Writes the user's connections, their keys, and which of them is in use. */
export class SavedConnections {
  readonly #settings: Settings;
  readonly #keys: KeyStore;
  readonly #continueSubmissions: ContinueSubmissions;

  constructor(settings: Settings, keys: KeyStore, continueSubmissions: ContinueSubmissions) {
    this.#settings = settings;
    this.#keys = keys;
    this.#continueSubmissions = continueSubmissions;
  }

  /**
   * Adds a connection, or replaces one.
   * @param key a new one; undefined keeps what there is for the connection's origin, under its new name if that changed.
   */
  async save(connection: Connection, key: string | undefined, replaced: Connection | undefined): Promise<void> {
    const renamed = replaced !== undefined && replaced.name !== connection.name;
    const found = renamed ? await this.#keys.find({ ...connection, name: replaced.name }) : undefined;
    // Before anybody can submit under the new name. If the rename then fails, it does no harm.
    if (renamed) await this.#continueSubmissions(replaced, connection);
    // Settings first: without a key the user is asked for one, but a key without a connection would lie around unseen.
    const changed = withConnection(written(), connection, replaced?.name, this.#settings.connectionDefaults);
    await writeSetting('connections', changed, vscode.ConfigurationTarget.Global);
    const stored = key ?? (found?.from === 'secretStorage' ? found.key : undefined);
    if (stored !== undefined) await this.#keys.set(connection, stored);
    // What was entered for an address that the connection no longer has is of no use to it.
    if (replaced !== undefined && !renamed) await this.#keys.forgetFormerOrigins(connection);
    if (!renamed) return;
    await this.#keys.forget(replaced.name);
    await this.#rechoose(replaced.name, connection.name);
  }

  /** Removes a connection and its keys. */
  async remove(name: string): Promise<void> {
    const remaining = withoutConnection(written(), name);
    if (inspectSetting('connection')?.globalValue === name) {
      await writeSetting('connection', undefined, vscode.ConfigurationTarget.Global);
    }
    await writeSetting('connections', remaining, vscode.ConfigurationTarget.Global);
    await this.#keys.forget(name);
  }

  /** Makes a connection the one in use: in the folder's settings when these decide, otherwise in the user's. */
  async choose(name: string): Promise<void> {
    const { Global, Workspace } = vscode.ConfigurationTarget;
    await writeSetting('connection', name, this.#settings.connectionChosenByFolder ? Workspace : Global);
  }

  /** Wherever a connection is the choice, the user's or the folder's, it stays so under its new name. */
  async #rechoose(former: string, now: string): Promise<void> {
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const chosen = inspectSetting('connection');
    const byFolder = this.#settings.connectionChosenByFolder && chosen?.workspaceValue === former;
    if (chosen?.globalValue === former) await writeSetting('connection', now, Global);
    if (byFolder) await writeSetting('connection', now, Workspace);
  }
}

/** The user's own value, which nothing of ours may overwrite when it is broken. */
function written(): readonly unknown[] {
  const value: unknown = inspectSetting('connections')?.globalValue ?? [];
  if (Array.isArray(value)) return value;
  throw new UserError(vscode.l10n.t('The setting {0} is not a list. Correct it first.', `${section}.connections`), [
    openSettingsStep('connections'),
  ]);
}
