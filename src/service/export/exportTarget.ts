/** Where an export is written. Nothing stands under the final name until it is complete. */
export interface ExportTarget {
  /** @throws what the file system says, such as `ENOSPC`. */
  write(text: string): Promise<void>;
  /** Gives the file its name. @throws what the file system says. */
  commit(): Promise<void>;
  /** Leaves what was written, named as partial. @returns its name; undefined when nothing is left. Never throws. */
  abandon(): Promise<string | undefined>;
}
