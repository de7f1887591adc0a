import type { TreeNode } from './jobTree.ts';

/** Number of changed rows above which the whole list is rendered again, which is one message to the editor instead of one per row. */
const maxRows = 20;
/** Number of rows of a list whose age is updated between refreshes. */
const maxAged = 100;

/**
 * State of the tree in the editor: the rows below each node, and the look of each node. Avoids rendering unchanged nodes again on a
 * refresh: the editor never releases all resources of a rendered row.
 */
export class RenderedTree {
  /** By the ID of the parent node. */
  readonly #rows = new Map<string, readonly TreeNode[]>();
  #looks = new WeakMap<TreeNode, object>();
  /** Nodes rendered again although the editor had not requested their rows: it may have lost a response once, but not twice. */
  readonly #drawnAgain = new Set<string>();

  /** Records the rows below a node as passed to the editor. */
  list(above: string, rows: readonly TreeNode[]): void {
    this.#rows.set(above, rows);
    this.#drawnAgain.delete(above);
  }

  /** Records the look of a node as passed to the editor: plain data. */
  look(node: TreeNode, look: object): void {
    this.#looks.set(node, look);
  }

  /** Forgets the rows below a node. The editor requests them again if it shows them. */
  forget(above: string): void {
    this.#rows.delete(above);
  }

  clear(): void {
    this.#rows.clear();
    this.#drawnAgain.clear();
    this.#looks = new WeakMap();
  }

  /** True if a node looks different now, or it is unknown how it was rendered. */
  isOutdated(node: TreeNode, look: object): boolean {
    return !isSame(this.#looks.get(node), look);
  }

  /**
   * Returns the rows below a node that look different now. Checks only the first rows, because the editor renders each row individually.
   */
  staleRows(above: string, lookOf: (node: TreeNode) => object): readonly TreeNode[] {
    const rows = this.#rows.get(above)?.slice(0, maxAged) ?? [];
    // A row that was never rendered is not visible.
    return rows.filter((row) => this.#looks.has(row) && this.isOutdated(row, lookOf(row)));
  }

  /**
   * Returns the nodes to render again so that the rows below a node are up to date: the node itself, which renders everything below it, or
   * some of its rows.
   * @param rows current rows; each node is the same object for as long as it is in the tree
   * @param lookOf returns the current look of a node; returning a cached object saves a comparison
   */
  stale(
    node: TreeNode,
    above: string,
    rows: () => readonly TreeNode[],
    lookOf: (node: TreeNode) => object,
  ): readonly TreeNode[] {
    const isStale = (each: TreeNode): boolean => this.isOutdated(each, lookOf(each));
    if (isStale(node)) return [node];
    const given = this.#rows.get(above);
    if (given === undefined) {
      // The editor has none of the rows, and requests them when it shows them.
      if (this.#drawnAgain.has(above)) return [];
      this.#drawnAgain.add(above);
      return [node];
    }
    const now = rows();
    if (now.length !== given.length || now.some((each, place) => each !== given[place])) return [node];
    const stale = now.filter(isStale);
    return stale.length > maxRows ? [node] : stale;
  }
}

function isSame(one: object | undefined, other: object): boolean {
  return one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other));
}
