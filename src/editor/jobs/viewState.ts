import type { FailureCode } from '../../domain/failure.ts';
import { nothingMatches, type TreeSource } from '../../domain/jobs/jobTree.ts';
import type { ListState } from '../../service/store/listState.ts';
import type { ConnectionState } from '../connections/activeConnection.ts';
import type { ViewState } from '../ids.ts';

/** What the view has to say when it has no rows, and `ready` when it has. Undefined: leave it as it is. */
export function viewState(
  connection: ConnectionState,
  source: TreeSource,
  lists: readonly ListState[],
): ViewState | undefined {
  switch (connection.type) {
    case 'none':
    case 'unknown':
      return 'noConnection';
    case 'lookingForKey':
      return undefined;
    case 'noKey':
      return 'noKey';
    case 'ready':
      return blockedBy(lists) ?? (nothingMatches(source) ? 'noMatch' : 'ready');
  }
}

/** A failure that leaves nothing to show, if there is one. */
function blockedBy(lists: readonly ListState[]): ViewState | undefined {
  if (lists.some(({ loaded }) => loaded)) return undefined;
  const codes = new Set<FailureCode>();
  for (const { failure } of lists) if (failure !== undefined) codes.add(failure.failure.code);
  if (codes.has('noKey')) return 'noKey';
  if (codes.has('keyRejected')) return 'keyRejected';
  return codes.has('offline') ? 'offline' : undefined;
}
