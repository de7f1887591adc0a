import { noFilter } from '../../../../../src/jobs/common/jobFilter.ts';
import type { ListEntry } from '../../../../../src/jobs/common/job.ts';
import type { TreeList, TreeSource } from '../../../../../src/features/tree/common/jobTree.ts';

/** Creates an empty loaded list of finished live jobs, with changes. */
export function treeList(changes: Partial<TreeList> & { readonly entries?: readonly ListEntry[] } = {}): TreeList {
  const { entries = [], ...rest } = changes;
  return {
    key: { kind: 'live', status: 'done' },
    jobs: { entries },
    loaded: true,
    hasMore: false,
    isComplete: rest.hasMore !== true,
    failure: undefined,
    notice: undefined,
    ...rest,
  };
}

/** Creates a tree source with these lists. */
export function treeSource(lists: readonly TreeList[], changes: Partial<TreeSource> = {}): TreeSource {
  return {
    isSample: false,
    listSource: 'byKind',
    filter: noFilter,
    kinds: () => ['pre-recorded', 'live'],
    lists: (kind) => lists.filter(({ key }) => key.kind === kind),
    list: (key) =>
      lists.find((each) => each.key.kind === key.kind && each.key.status === key.status) ?? treeList({ key }),
    ...changes,
  };
}
