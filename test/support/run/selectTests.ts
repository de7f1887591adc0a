/** Which test files to load and, when the filter names no file, which test titles to run. */
export interface Selection {
  readonly files: readonly string[];
  readonly title?: RegExp;
}

/** A filter is a part of a file's path or, when no path has it, a part of test titles. Case does not matter. */
export function selectTests(files: readonly string[], filter: string | undefined): Selection {
  if (filter === undefined || filter === '') return { files };
  const wanted = filter.toLowerCase();
  const byPath = files.filter((file) => file.toLowerCase().includes(wanted));
  if (byPath.length > 0) return { files: byPath };
  return { files, title: new RegExp(filter.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'i') };
}
