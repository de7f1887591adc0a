import type { commandIds } from '../ids.ts';

/** The commands about connections, as `commandIds` names them. */
export const connectionCommandNames = [
  'connect',
  'switchConnection',
  'editConnection',
  'removeConnection',
  'useSample',
  'setApiKey',
  'forgetApiKey',
  'testConnection',
] as const satisfies readonly (keyof typeof commandIds)[];
/** One of them. */
export type ConnectionCommand = (typeof connectionCommandNames)[number];
