import type { TreeNode } from './jobTree.ts';

/** More rows than these are drawn anew with their list, which is one message to the editor instead of one for each. */
const maxRows = 20;
/** Rows of a list whose age is kept up to date between refreshes. */
const maxAged = 100;

/**
 * What the editor has been given of the tree: the rows below a node, and how each node looked. With it, what a refresh leaves as it was is
 * not drawn anew: the editor never lets go of all that it sets up for a row that it draws.
 */
export class DrawnTree {
  /** By the id of the node above. */
  readonly #rows = new Map<string, readonly TreeNode[]>();
  #looks = new WeakMap<TreeNode, object>();
  /** Nodes that were drawn anew although the editor had asked for none of the rows below: it may have lost the answer, but not twice. */
  readonly #drawnAgain = new Set<string>();

  /** Notes the rows below a node as they are given to the editor. */
  list(above: string, rows: readonly TreeNode[]): void {
    this.#rows.set(above, rows);
    this.#drawnAgain.delete(above);
  }

  /** Notes how a node looks as it is given to the editor: plain data. */
  look(node: TreeNode, look: object): void {
    this.#looks.set(node, look);
  }

  /** The editor forgets the rows below a node, and asks for them again if it shows them. */
  forget(above: string): void {
    this.#rows.delete(above);
  }

  clear(): void {
    this.#rows.clear();
    this.#drawnAgain.clear();
    this.#looks = new WeakMap();
  }

  /** The rows below a node, as given, that look otherwise now: among the first ones only, because the editor draws each on its own. */
  staleRows(above: string, lookOf: (node: TreeNode) => object): readonly TreeNode[] {
    const rows = this.#rows.get(above)?.slice(0, maxAged) ?? [];
    // One that was never drawn is out of sight.
    return rows.filter((row) => this.#looks.has(row) && !isSame(this.#looks.get(row), lookOf(row)));
  }

  /**
   * The nodes to draw anew for the rows below a node to be right: the node itself, which draws all that is below it, or some of its rows.
   * @param rows as they are now; each node is the same object for as long as it is in the tree
   * @param lookOf how a node looks now; the same object again, where that is kept, saves comparing
   */
  stale(
    node: TreeNode,
    above: string,
    rows: () => readonly TreeNode[],
    lookOf: (node: TreeNode) => object,
  ): readonly TreeNode[] {
    const isStale = (each: TreeNode): boolean => !isSame(this.#looks.get(each), lookOf(each));
    if (isStale(node)) return [node];
    const given = this.#rows.get(above);
    if (given === undefined) {
      // The editor has none of the rows, and asks when it shows them.
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
