/** What an extension host holds after all garbage has gone. */
export interface HostState {
  /** Of V8's heap. */
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Timers under way that the product's code has set. */
  readonly productTimers: number;
  /** All listeners of the editor's and the product's emitters, and of Node's process. */
  readonly listeners: number;
  /** What keeps the host's event loop busy, by Node's names. */
  readonly resources: Readonly<Record<string, number>>;
}
