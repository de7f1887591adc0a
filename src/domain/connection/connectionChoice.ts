import { sampleName } from './connectionName.ts';

/** What the setting `connection` comes to. */
export type ConnectionChoice<C> =
  | { readonly type: 'none' }
  | { readonly type: 'sample' }
  | { readonly type: 'found'; readonly connection: C }
  /** The setting names a connection that the user does not have. */
  | { readonly type: 'unknown'; readonly name: string };

/** Finds the chosen connection among the user's. */
export function chooseConnection<C extends { readonly name: string }>(
  chosen: string,
  connections: readonly C[],
): ConnectionChoice<C> {
  const name = chosen.trim();
  if (name === '') return { type: 'none' };
  if (name === sampleName) return { type: 'sample' };
  const connection = connections.find((each) => each.name === name);
  return connection === undefined ? { type: 'unknown', name } : { type: 'found', connection };
}
