import type { Connection, KeySource } from './connection.ts';

/** The place where a key is stored. */
export type KeyHome = 'secretStorage' | 'environment';

/** State of the active connection. */
export type ConnectionState =
  | { readonly type: 'none' }
  /** The setting `connection` names a connection that does not exist. */
  | { readonly type: 'unknown'; readonly name: string; readonly fromFolder: boolean }
  /** The secret store has not responded yet. */
  | { readonly type: 'lookingForKey'; readonly connection: Connection }
  | { readonly type: 'noKey'; readonly connection: Connection }
  | { readonly type: 'ready'; readonly connection: Connection; readonly keyFrom: KeyHome | 'sample' };

/** The connection in use. */
export interface ConnectionInUse {
  readonly state: ConnectionState;
  /** The same object as long as the connection does not change. */
  readonly current: Connection | undefined;
  readonly keyOf: KeySource;
  /** Returns the connection with its actual address. @throws Failure */
  reach(): Promise<Connection>;
}
