/** The state of an extension host after garbage collection. */
export interface HostState {
  /** V8's heap. */
  readonly heapBytes: number;
  /** The part of it that V8 has compiled: bytecode and machine code, which grow as code is used, and not with what is done. */
  readonly codeBytes: number;
  readonly residentBytes: number;
  /** Active timers that were set by the product's code. */
  readonly productTimers: number;
  /** All listeners on the editor's and the product's emitters and on Node's process. */
  readonly listeners: number;
  /**
   * Sets without members. The editor keeps one for every row that it draws until the tree view is disposed
   * (`ExtHostTreeView._createTreeNode` registers a `DisposableStore` and never removes it).
   */
  readonly emptySets: number;
  /** What keeps the host's event loop alive, by Node's resource names. */
  readonly resources: Readonly<Record<string, number>>;
}
