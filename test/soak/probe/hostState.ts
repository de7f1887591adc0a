/** The state of an extension host after garbage collection. */
export interface HostState {
  /** V8's heap. */
  readonly heapBytes: number;
  /** The part that V8 has compiled: bytecode and machine code, which grow as code is used, and not with the amount of data. */
  readonly codeBytes: number;
  readonly residentBytes: number;
  /** Active timers that were set by the product's code. */
  readonly productTimers: number;
  /** All listeners on the editor's and the product's emitters and on Node's process. */
  readonly listeners: number;
  /**
   * Sets without members. The editor retains one for every row that it renders until the tree view is disposed
   * (`ExtHostTreeView._createTreeNode` registers a `DisposableStore` and never removes it).
   */
  readonly emptySets: number;
  /** Resources that keep the host's event loop alive, by Node's resource names. */
  readonly resources: Readonly<Record<string, number>>;
}
