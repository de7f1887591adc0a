import { changedPaths, isOfEngine, type Held } from '../support/heap/heapPaths.ts';

/**
 * What the editor retains for every row that it has drawn, until the tree view is disposed: an empty `DisposableStore` in the view's own
 * store (`ExtHostTreeView._createTreeNode`), and the place for it there.
 */
const rowOfEditor =
  /\._treeViews:Map \.table: \.\[\]:\w+ \._store:\w+ \._toDispose:Set \.table:(?: \.\[\]:\w+(?: \._toDispose:Set(?: \.table:)?)?)?$/;

/** What a heap holds more than before, in bytes, by who holds it. */
export interface HeldGrowth {
  /** What the editor retains for the rows that it has drawn. */
  readonly ofRows: number;
  /** What V8 has made for itself, such as compiled code. */
  readonly ofEngine: number;
  /** Everything else: what the product keeps, and the rest of the editor. */
  readonly kept: number;
  /** The largest parts of {@link kept}, with the ends of their retaining paths. */
  readonly largest: readonly string[];
}

/** How many of the largest parts are told. */
const maxTold = 5;
/** Characters at the end of a retaining path, which say the most. */
const endCharacters = 200;

/**
 * What has grown between two heap snapshots. The size of a heap alone would not tell: V8 compiles for as long as code is used, and decides by
 * itself when to give memory back.
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
