import type { FailureCode } from '../../../base/failure.ts';
import { hasNoMatch, type TreeSource } from './jobTree.ts';

/** Message that the jobs view shows instead of rows; `ready` if it has rows. */
export type ViewState = 'noConnection' | 'noKey' | 'keyRejected' | 'offline' | 'noMatch' | 'ready';

/** State of the active connection. */
type ConnectionStage = 'none' | 'unknown' | 'lookingForKey' | 'noKey' | 'ready';

/** Returns the current view state. Undefined means to keep the previous one, because the state will be known shortly. */
export function decideViewState(connection: ConnectionStage, source: TreeSource): ViewState | undefined {
  switch (connection) {
    case 'none':
    case 'unknown':
      return 'noConnection';
    case 'lookingForKey':
      return undefined;
    case 'noKey':
      return 'noKey';
    case 'ready':
      return findBlockingFailure(source) ?? (hasNoMatch(source) ? 'noMatch' : 'ready');
  }
}

/** Returns the state for a failure that leaves nothing to show. */
function findBlockingFailure(source: TreeSource): ViewState | undefined {
  const lists = source.kinds().flatMap((kind) => source.lists(kind));
  if (lists.some(({ loaded }) => loaded)) return undefined;
  const codes = new Set<FailureCode>();
  for (const { failure } of lists) if (failure !== undefined) codes.add(failure.failure.code);
  if (codes.has('noKey')) return 'noKey';
  if (codes.has('keyRejected')) return 'keyRejected';
  return codes.has('offline') ? 'offline' : undefined;
}
