import * as vscode from 'vscode';
import { withConnection, withoutConnection } from '../../domain/connection/connectionsEdit.ts';
import type { SettingName } from '../../domain/settings/settingShapes.ts';
import type { Connection } from '../../service/ports.ts';
import { section } from '../ids.ts';
import { openSettingsStep } from '../nextSteps.ts';
import type { KeyStore } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { UserError } from '../userError.ts';

/** Lets a connection keep what is known of its submissions under its new name. */
export type KeepSubmissions = (former: Connection, now: Connection) => Promise<void>;

/** Writes the user's connections, their keys, and which of them is in use. */
export class SavedConnections {
  readonly #settings: Settings;
  readonly #keys: KeyStore;
  readonly #keepSubmissions: KeepSubmissions;

  constructor(settings: Settings, keys: KeyStore, keepSubmissions: KeepSubmissions) {
    this.#settings = settings;
    this.#keys = keys;
    this.#keepSubmissions = keepSubmissions;
  }

  /**
   * Adds a connection, or replaces one.
   * @param key a new one; undefined keeps what there is for the connection's origin, under its new name if that changed.
   */
  async save(connection: Connection, key: string | undefined, replaced: Connection | undefined): Promise<void> {
    const renamed = replaced !== undefined && replaced.name !== connection.name;
    const kept = renamed ? await this.#keys.find({ ...connection, name: replaced.name }) : undefined;
    // Before anybody can submit under the new name. If the rename then fails, it does no harm.
    if (renamed) await this.#keepSubmissions(replaced, connection);
    // Settings first: without a key the user is asked for one, but a key without a connection would lie around unseen.
    const changed = withConnection(written(), connection, replaced?.name, this.#settings.connectionDefaults);
    await write('connections', changed, vscode.ConfigurationTarget.Global);
    const stored = key ?? (kept?.from === 'secretStorage' ? kept.key : undefined);
    if (stored !== undefined) await this.#keys.set(connection, stored);
    if (!renamed) return;
    await this.#keys.forget(replaced.name);
    if (this.#settings.get('connection') === replaced.name) await this.choose(connection.name);
  }

  /** Removes a connection and its keys. */
  async remove(name: string): Promise<void> {
    const remaining = withoutConnection(written(), name);
    if (inspect('connection')?.globalValue === name) {
      await write('connection', undefined, vscode.ConfigurationTarget.Global);
    }
    await write('connections', remaining, vscode.ConfigurationTarget.Global);
    await this.#keys.forget(name);
  }

  /** Makes a connection the one in use: in the folder's settings when these decide, otherwise in the user's. */
  async choose(name: string): Promise<void> {
    const { Global, Workspace } = vscode.ConfigurationTarget;
    await write('connection', name, this.#settings.connectionChosenByFolder ? Workspace : Global);
  }
}

/** The user's own value, which nothing of ours may overwrite when it is broken. */
function written(): readonly unknown[] {
  const value: unknown = inspect('connections')?.globalValue ?? [];
  if (Array.isArray(value)) return value;
  throw new UserError(vscode.l10n.t('The setting {0} is not a list. Correct it first.', `${section}.connections`), [
    openSettingsStep('connections'),
  ]);
}

function inspect(name: SettingName): ReturnType<vscode.WorkspaceConfiguration['inspect']> {
  return vscode.workspace.getConfiguration(section).inspect(name);
}

async function write(name: SettingName, value: unknown, target: vscode.ConfigurationTarget): Promise<void> {
  try {
    await vscode.workspace.getConfiguration(section).update(name, value, target);
  } catch (error) {
    // The editor's own sentence, in the user's language: most often that the settings file has errors.
    throw new UserError(error instanceof Error ? error.message : String(error), [openSettingsStep(name)]);
  }
}
