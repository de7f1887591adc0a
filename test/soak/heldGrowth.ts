import { changedPaths, isOfEngine, type Held } from '../support/heap/heapPaths.ts';

/**
 * Objects that the editor retains for every row that it has rendered, until the tree view is disposed: an empty `DisposableStore` in the
 * view's own store (`ExtHostTreeView._createTreeNode`), and its entry there.
 */
const rowOfEditor =
  /\._treeViews:Map \.table: \.\[\]:\w+ \._store:\w+ \._toDispose:Set \.table:(?: \.\[\]:\w+(?: \._toDispose:Set(?: \.table:)?)?)?$/;

/** Growth of a heap, in bytes, by owner. */
export interface HeldGrowth {
  /** Retained by the editor for the rows that it has rendered. */
  readonly ofRows: number;
  /** V8's own objects, such as compiled code. */
  readonly ofEngine: number;
  /** Everything else: retained by the product, and the rest of the editor. */
  readonly kept: number;
  /** The largest parts of {@link kept}, with the ends of their retaining paths. */
  readonly largest: readonly string[];
}

/** Max number of largest parts in the report. */
const maxTold = 5;
/** Number of characters at the end of a retaining path, which contain the most information. */
const endCharacters = 200;

/**
 * Returns the growth between two heap snapshots. The size of a heap alone is not conclusive: V8 compiles for as long as code is used, and
 * decides itself when to release memory.
 */
export function heldGrowth(before: ReadonlyMap<string, Held>, after: ReadonlyMap<string, Held>): HeldGrowth {
  let [ofRows, ofEngine, kept] = [0, 0, 0];
  const largest: string[] = [];
  for (const { path, bytes, count } of changedPaths(before, after)) {
    if (rowOfEditor.test(path)) ofRows += bytes;
    else if (isOfEngine(path)) ofEngine += bytes;
    else {
      kept += bytes;
      if (largest.length < maxTold)
        largest.push(`${(bytes / 1024).toFixed(0)} KiB in ${count} objects: ${path.slice(-endCharacters)}`);
    }
  }
  return { ofRows, ofEngine, kept, largest };
}
