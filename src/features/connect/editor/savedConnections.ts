import * as vscode from 'vscode';
import { withConnection, withoutConnection, type Connection } from '../../../connections/common/connection.ts';
import { section } from '../../../platform/editor/ids.ts';
import { openSettingsStep, UserError } from '../../../platform/editor/messages.ts';
import type { KeyStore } from '../../../connections/node/keyStore.ts';
import { inspectSetting, type Settings } from '../../../settings.ts';
import { writeSetting } from '../../../writeSetting.ts';

/** Moves the stored submissions of a connection to its new name. */
export type ContinueSubmissions = (former: Connection, now: Connection) => Promise<void>;

/** Writes the user's connections, their keys and the current choice. */
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
   * Adds or replaces a connection.
   * @param key the new key; undefined keeps the stored key of the connection's origin, under the new name if that changed.
   */
  async save(connection: Connection, key: string | undefined, replaced: Connection | undefined): Promise<void> {
    const renamed = replaced !== undefined && replaced.name !== connection.name;
    const found = renamed ? await this.#keys.find({ ...connection, name: replaced.name }) : undefined;
    // Before a submission under the new name is possible. Harmless if the rename then fails.
    if (renamed) await this.#continueSubmissions(replaced, connection);
    // Settings first: a connection without a key only prompts for one, but a key without a connection would stay behind unnoticed.
    const changed = withConnection(written(), connection, replaced?.name, this.#settings.connectionDefaults);
    await writeSetting('connections', changed, vscode.ConfigurationTarget.Global);
    const stored = key ?? (found?.from === 'secretStorage' ? found.key : undefined);
    if (stored !== undefined) await this.#keys.set(connection, stored);
    // Keys entered for an address that the connection no longer has are of no use.
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

  /** Keeps a renamed connection selected wherever it was, in the user's or the folder's settings. */
  async #rechoose(former: string, now: string): Promise<void> {
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const chosen = inspectSetting('connection');
    const byFolder = this.#settings.connectionChosenByFolder && chosen?.workspaceValue === former;
    if (chosen?.globalValue === former) await writeSetting('connection', now, Global);
    if (byFolder) await writeSetting('connection', now, Workspace);
  }
}

/** The user's own value. A malformed value must never be overwritten. */
function written(): readonly unknown[] {
  const value: unknown = inspectSetting('connections')?.globalValue ?? [];
  if (Array.isArray(value)) return value;
  throw new UserError(vscode.l10n.t('The setting {0} is not a list. Correct it first.', `${section}.connections`), [
    openSettingsStep('connections'),
  ]);
}
