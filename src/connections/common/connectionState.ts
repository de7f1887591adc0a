import type { Connection, KeySource } from './connection.ts';

/** Where a key is stored. */
export type KeyHome = 'secretStorage' | 'environment';

/** State of the active connection. */
export type ConnectionState =
  | { readonly type: 'none' }
  /** The setting `connection` names a connection that does not exist. */
  | { readonly type: 'unknown'; readonly name: string; readonly fromFolder: boolean }
  /** Until the secret store responds. */
  | { readonly type: 'lookingForKey'; readonly connection: Connection }
  | { readonly type: 'noKey'; readonly connection: Connection }
  | { readonly type: 'ready'; readonly connection: Connection; readonly keyFrom: KeyHome | 'sample' };

/** The connection in use. */
export interface ConnectionInUse {
  readonly state: ConnectionState;
  /** The same object for as long as nothing about the connection changes. */
  readonly current: Connection | undefined;
  readonly keyOf: KeySource;
  /** The connection with its actual address. @throws Failure */
  reach(): Promise<Connection>;
}
