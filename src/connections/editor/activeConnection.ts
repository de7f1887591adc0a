import * as vscode from 'vscode';
import { chooseConnection, sameConnection, type Connection, type KeySource } from '../common/connection.ts';
import { Failure } from '../../base/failure.ts';
import type { ConnectionInUse, ConnectionState, KeyHome } from '../common/connectionState.ts';
import type { KeyStore } from '../node/keyStore.ts';
import type { SampleConnection } from '../node/sampleConnection.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { contextKeys } from '../../platform/editor/ids.ts';
import type { Settings } from '../../settings.ts';

/** The current connection: the one that the setting `connection` selects among the user's connections, or `Sample`. */
export class ActiveConnection extends DisposableOwner implements ConnectionInUse {
  /** Fires with each new state, even if only the key changed. */
  readonly onDidChange: vscode.Event<ConnectionState>;
  /** The only source of keys for `HttpClient`. */
  readonly keyOf: KeySource;
  readonly #changed = this.own(new vscode.EventEmitter<ConnectionState>());
  readonly #settings: Settings;
  readonly #keys: KeyStore;
  readonly #sample: SampleConnection;
  #state: ConnectionState = { type: 'none' };

  constructor(settings: Settings, keys: KeyStore, sample: SampleConnection) {
    super();
    this.#settings = settings;
    this.#keys = keys;
    this.#sample = sample;
    this.onDidChange = this.#changed.event;
    this.keyOf = async (connection) => sample.keyFor(connection) ?? keys.get(connection);
    this.own(
      settings.onDidChange((change) => {
        if (change.affects('connection') || change.affects('connections')) this.#choose();
      }),
    );
    this.own(
      keys.onDidChange((name) => {
        if (this.current?.name === name) this.#lookForKey(this.current);
      }),
    );
    this.#choose();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The same object as long as the connection does not change. */
  get current(): Connection | undefined {
    return this.#state.type === 'none' || this.#state.type === 'unknown' ? undefined : this.#state.connection;
  }

  /**
   * Returns the connection to send requests to: the current one, or the sample service's real address once it runs.
   * @throws Failure `noConnection`, or `offline` if the sample service cannot start.
   */
  async reach(): Promise<Connection> {
    const { current } = this;
    if (current === undefined) throw new Failure('noConnection');
    return current === this.#sample.connection ? this.#sample.reach() : current;
  }

  #choose(): void {
    const name = this.#settings.get('connection');
    const connections = this.#settings.get('connections');
    const choice = chooseConnection(name, connections);
    void vscode.commands.executeCommand('setContext', contextKeys.connection, name);
    void vscode.commands.executeCommand('setContext', contextKeys.hasConnections, connections.length > 0);
    switch (choice.type) {
      case 'none':
        if (this.#state.type !== 'none') this.#enter(choice);
        break;
      case 'unknown':
        this.#enter({ ...choice, fromFolder: this.#settings.connectionChosenByFolder });
        break;
      case 'sample':
        if (this.current === this.#sample.connection) break;
        this.#enter({ type: 'ready', connection: this.#sample.connection, keyFrom: 'sample' });
        break;
      case 'found':
        if (this.current === undefined || !sameConnection(this.current, choice.connection)) {
          this.#lookForKey(choice.connection);
        }
        break;
    }
  }

  #lookForKey(connection: Connection): void {
    const looking: ConnectionState = { type: 'lookingForKey', connection };
    this.#enter(looking);
    const finish = (keyFrom: KeyHome | undefined): void => {
      if (this.#state !== looking) return;
      this.#enter(keyFrom === undefined ? { type: 'noKey', connection } : { type: 'ready', connection, keyFrom });
    };
    // If the secret store fails, treat the key as missing; the first request reports it.
    void this.#keys.find(connection).then(
      (found) => finish(found?.from),
      () => finish(undefined),
    );
  }

  #enter(state: ConnectionState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}
