import type { TreeSource } from '../../domain/jobs/jobTree.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Settings } from '../settings.ts';

/** What the tree is made of: the lists of the store, and what decides on the rows above them. */
export function treeSource(store: JobStore, settings: Settings, isSample: () => boolean): TreeSource {
  return {
    get isSample() {
      return isSample();
    },
    get listSource() {
      return settings.get('listSource');
    },
    get filter() {
      return store.filter;
    },
    kinds: () => store.kinds(),
    lists: (kind) => store.lists(kind),
    list: (key) => store.list(key),
  };
}
