import type { FailureCode } from '../failure.ts';
import { hasNoMatch, type TreeSource } from './jobTree.ts';

/** What the jobs view has to say when it has no rows, and `ready` when it has. */
export type ViewState = 'noConnection' | 'noKey' | 'keyRejected' | 'offline' | 'noMatch' | 'ready';

/** How far the connection in use has come. */
type ConnectionStage = 'none' | 'unknown' | 'lookingForKey' | 'noKey' | 'ready';

/** What the view has to say now. Undefined: leave it as it is, because that is about to be known. */
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

/** A failure that leaves nothing to show, if there is one. */
function findBlockingFailure(source: TreeSource): ViewState | undefined {
  const lists = source.kinds().flatMap((kind) => source.lists(kind));
  if (lists.some(({ loaded }) => loaded)) return undefined;
  const codes = new Set<FailureCode>();
  for (const { failure } of lists) if (failure !== undefined) codes.add(failure.failure.code);
  if (codes.has('noKey')) return 'noKey';
  if (codes.has('keyRejected')) return 'keyRejected';
  return codes.has('offline') ? 'offline' : undefined;
}
