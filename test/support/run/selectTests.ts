import { relative } from 'node:path';

/** Which test files to load and, when the filter names no file, which test titles to run. */
export interface Selection {
  readonly files: readonly string[];
  readonly title?: RegExp;
}

/**
 * A filter is a part of a file's path below the tests' folder or, when no path has it, a part of test titles. Case does not matter.
 * Where the folder lies says nothing of a test: a clone may be called like one.
 */
export function selectTests(folder: string, files: readonly string[], filter: string | undefined): Selection {
  if (filter === undefined || filter === '') return { files };
  const wanted = filter.toLowerCase();
  const pathOf = (file: string): string => relative(folder, file).replaceAll('\\', '/').toLowerCase();
  const byPath = files.filter((file) => pathOf(file).includes(wanted));
  if (byPath.length > 0) return { files: byPath };
  return { files, title: new RegExp(filter.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'i') };
}
