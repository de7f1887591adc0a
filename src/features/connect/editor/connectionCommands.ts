import * as vscode from 'vscode';
import { useConnection } from '../../../connections/editor/useConnection.ts';
import { originOf, checkApiKey, sampleName } from '../../../connections/common/connectionInput.ts';
import { keyVariable, type Connection, type KeySource } from '../../../connections/common/connection.ts';
import { Failure, isFailure } from '../../../base/failure.ts';
import { checkConnection } from '../../../jobs/node/connectionCheck.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import {
  commandIds,
  connectionCommandNames,
  contextKeys,
  type ConnectionCommand,
} from '../../../platform/editor/ids.ts';
import { registerCommand } from '../../../platform/editor/runCommand.ts';
import { askInModal, commandStep, focusJobsView, showMessage, UserError } from '../../../platform/editor/messages.ts';
import type { KeyStore } from '../../../connections/node/keyStore.ts';
import { StepBox } from '../../../platform/editor/inputBox.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import { showConnectionReport } from './connectionReport.ts';
import { askConnection, keyPrompt } from './connectionSteps.ts';
import { pickConnection, pickOwnConnection } from './pickConnection.ts';
import { showStoredKeys } from './showStoredKeys.ts';
import { SavedConnections } from './savedConnections.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';
import type { Services } from '../../../services.ts';

/** Registers the commands that choose, edit and check connections. */
export function registerConnections(services: Services): Disposable {
  const commands = new ConnectionCommands(services);
  const owner = new DisposableOwner();
  for (const command of connectionCommandNames) {
    owner.own(registerCommand(services.log, commandIds[command], () => commands.run(command)));
  }
  return owner;
}

/** The commands that choose, edit and check connections. */
export class ConnectionCommands {
  readonly #services: Services;
  readonly #saved: SavedConnections;

  constructor(services: Services) {
    this.#services = services;
    const { settings, keys, actions } = services;
    this.#saved = new SavedConnections(settings, keys, async (former, now) => {
      await actions.submit.continueSubmissions(former, now);
      await actions.attention.continueMarks(former, now);
    });
  }

  async run(command: ConnectionCommand): Promise<void> {
    switch (command) {
      case 'connect':
        return this.#connect(undefined);
      case 'switchConnection':
        return this.#switch();
      case 'editConnection':
        return this.#editOne();
      case 'removeConnection':
        return this.#removeOne();
      case 'useSample':
        await useConnection(sampleName, this.#services.settings);
        // With the view closed, the result of a command from the palette or an error would not be visible.
        await focusJobsView();
        return;
      case 'setApiKey':
        return this.#setApiKey();
      case 'forgetApiKey':
        return this.#forgetApiKey();
      case 'showStoredKeys':
        return showStoredKeys(this.#services);
      case 'testConnection':
        return this.#test();
    }
  }

  /** Connect to a Service, or Edit Connection when `edited` is given: prompts, checks, then saves and switches. */
  async #connect(edited: Connection | undefined): Promise<void> {
    await vscode.commands.executeCommand('setContext', contextKeys.busyConnecting, true);
    try {
      await this.#askAndSave(edited);
    } finally {
      await vscode.commands.executeCommand('setContext', contextKeys.busyConnecting, false);
    }
  }

  async #askAndSave(edited: Connection | undefined): Promise<void> {
    const { settings, keys } = this.#services;
    const { l10n } = vscode;
    const others = settings.get('connections').filter(({ name }) => name !== edited?.name);
    const keyAt = (baseUrl: string): ReturnType<KeyStore['find']> => keys.find({ name: edited?.name ?? '', baseUrl });
    const connectionOf = (draft: Pick<Connection, 'name' | 'baseUrl' | 'apiKeyHeader'>): Connection => ({
      ...(edited ?? settings.connectionDefaults),
      name: draft.name,
      baseUrl: draft.baseUrl,
      apiKeyHeader: draft.apiKeyHeader,
    });
    const draft = await askConnection({
      title: edited === undefined ? l10n.t('Connect to a Service') : l10n.t('Edit Connection {0}', edited.name),
      draft: {
        baseUrl: edited?.baseUrl ?? '',
        apiKeyHeader: edited?.apiKeyHeader ?? settings.connectionDefaults.apiKeyHeader,
        key: '',
        name: edited?.name ?? '',
      },
      otherNames: others.map(({ name }) => name),
      keyHome: async (baseUrl) => (await keyAt(baseUrl))?.from,
      attempt: async (tried, signal) => {
        const key = tried.key === '' ? (await keyAt(tried.baseUrl))?.key : tried.key;
        await this.#tryKey(connectionOf(tried), key, signal);
      },
    });
    if (draft === undefined) return;
    const connection = connectionOf(draft);
    await this.#saved.save(connection, draft.key === '' ? undefined : draft.key, edited);
    if (edited === undefined) await useConnection(connection.name, settings);
  }

  async #switch(): Promise<void> {
    const { settings, sample, connections, keys } = this.#services;
    const pick = await pickConnection(settings.get('connections'), sample.connection, connections.current, keys);
    switch (pick?.type) {
      case undefined:
        return;
      case 'use':
        return useConnection(pick.name, settings);
      case 'add':
        return this.#connect(undefined);
      case 'edit':
        return this.#connect(pick.connection);
      case 'remove':
        return this.#remove(pick.connection);
    }
  }

  async #editOne(): Promise<void> {
    const connection = await this.#pickOwn(vscode.l10n.t('Select the connection to edit'));
    if (connection !== undefined) await this.#connect(connection);
  }

  async #removeOne(): Promise<void> {
    const connection = await this.#pickOwn(vscode.l10n.t('Select the connection to remove'));
    if (connection !== undefined) await this.#remove(connection);
  }

  async #pickOwn(placeHolder: string): Promise<Connection | undefined> {
    const { settings, connections, keys } = this.#services;
    const own = settings.get('connections');
    if (own.length > 0) return pickOwnConnection(placeHolder, own, connections.current, keys);
    const { l10n } = vscode;
    const connect = commandStep(l10n.t('Connect to a Service'), commandIds.connect);
    void showMessage('information', l10n.t("You don't have a connection yet."), [connect]);
    return undefined;
  }

  async #remove({ name }: Connection): Promise<void> {
    const { l10n } = vscode;
    const remove = l10n.t('Remove');
    const question = l10n.t('Remove the connection {0}?', name);
    const consequence = l10n.t("Its API key is deleted too. Jobs on the service aren't affected.");
    const chosen = await askInModal('warning', question, [consequence], [remove]);
    if (chosen !== remove) return;
    const isInUse = this.#services.connections.current?.name === name;
    await this.#saved.remove(name);
    if (isInUse) await this.#chooseAnother();
  }

  /** For users who already have other connections: uses the only one, or lets the user choose. */
  async #chooseAnother(): Promise<void> {
    const { settings } = this.#services;
    const [only, ...others] = settings.get('connections');
    if (only === undefined) return;
    if (others.length === 0) await useConnection(only.name, settings);
    else await this.#switch();
  }

  /** Tries the key first: a key that the service rejects replaces another only if the user insists. */
  async #setApiKey(): Promise<void> {
    const { keys } = this.#services;
    const connection = this.#current();
    const box = new StepBox(vscode.l10n.t('API Key of {0}', connection.name), 1);
    try {
      const found = await keys.find(connection);
      let rejected: string | undefined;
      for (;;) {
        const answer = await box.ask({
          number: 1,
          canGoBack: false,
          prompt: keyPrompt(originOf(connection.baseUrl), found?.from),
          placeholder: '',
          typed: rejected ?? '',
          secret: true,
          problem: rejected && vscode.l10n.t('The service rejects this key. To save it anyway, press Enter again.'),
          check: (typed) =>
            found !== undefined && typed.trim() === '' ? { type: 'good', text: '' } : checkApiKey(typed),
        });
        if (answer.type !== 'next' || answer.text === '') return;
        const key = answer.text;
        if (key === rejected || !(await this.#isRejected(box, connection, key))) return await keys.set(connection, key);
        rejected = key;
      }
    } finally {
      box.dispose();
    }
  }

  /** True if the service rejects a key; false if it could not be queried. @throws Failure `cancelled` when the box is closed meanwhile */
  async #isRejected(box: StepBox, connection: Connection, key: string): Promise<boolean> {
    try {
      await box.whileTrying(vscode.l10n.t('Testing the connection…'), (signal) =>
        this.#tryKey(connection, key, signal),
      );
      return false;
    } catch (error) {
      if (!isFailure(error) || error.code === 'cancelled') throw error;
      return error.code === 'keyRejected';
    }
  }

  /** @throws Failure when the service can't be read with this key */
  async #tryKey(connection: Connection, key: string | undefined, signal: AbortSignal): Promise<void> {
    const endpoint = connection.listSource === 'combined' ? 'combined' : 'pre-recorded';
    await this.#pagesOf(connection, async () => key).readPage(endpoint, { limit: 1 }, signal);
  }

  async #forgetApiKey(): Promise<void> {
    const { keys } = this.#services;
    const { l10n } = vscode;
    const connection = this.#current();
    const fromEnvironment = l10n.t(
      'Its API key comes from the environment variable {0}, which can only be unset where the editor is started.',
      keyVariable,
    );
    if ((await keys.find(connection))?.from === 'environment') throw new UserError(fromEnvironment);
    const forget = l10n.t('Forget');
    const question = l10n.t('Forget the API key of {0}?', connection.name);
    const consequence = l10n.t('It is deleted from the secure storage for all windows.');
    const chosen = await askInModal('warning', question, [consequence], [forget]);
    if (chosen !== forget) return;
    await keys.forget(connection.name);
    if ((await keys.find(connection)) !== undefined) void showMessage('information', fromEnvironment);
  }

  async #test(): Promise<void> {
    const { settings, connections, log } = this.#services;
    const name = connections.current?.name ?? '';
    const check = await withCancel(vscode.l10n.t('Testing the connection {0}', name), async (signal) => {
      const connection = await connections.reach();
      return checkConnection(connection, (each) => this.#pagesOf(each, connections.keyOf), signal);
    });
    for (const list of check.lists) log.info(`test of ${name}: ${list.endpoint} ${list.type}`);
    for (const { filter, verdict } of check.filters) log.info(`test of ${name}: filter ${filter} ${verdict}`);
    const style = await showConnectionReport(name, check);
    const saved = settings.get('connections').find((each) => each.name === name);
    if (style !== undefined && saved !== undefined) await this.#saved.save({ ...saved, ...style }, undefined, saved);
  }

  /** Reads lists over a connection that may not be saved yet. */
  #pagesOf(connection: Connection, key: KeySource): ListReader {
    return this.#services.service.open(() => Promise.resolve(connection), key, connection.baseUrl).lists;
  }

  /** @throws Failure `noConnection`; UserError for the sample connection, whose key the user does not manage */
  #current(): Connection {
    const { current } = this.#services.connections;
    if (current === undefined) throw new Failure('noConnection');
    if (current.name === sampleName) {
      throw new UserError(vscode.l10n.t("The sample service has its own key, which can't be changed."));
    }
    return current;
  }
}
