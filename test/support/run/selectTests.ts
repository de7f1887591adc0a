import { relative } from 'node:path';

/** The test files to load and, if the filter matches no file, the test titles to run. */
export interface Selection {
  readonly files: readonly string[];
  readonly title?: RegExp;
}

/**
 * A filter is a part of a file's path below the tests' folder or, if no path contains it, a part of test titles. Case
 * does not matter. The folder's own path is ignored, because a clone may have the name of a test.
 */
export function selectTests(folder: string, files: readonly string[], filter: string | undefined): Selection {
  if (filter === undefined || filter === '') return { files };
  const wanted = filter.toLowerCase();
  const pathOf = (file: string): string => relative(folder, file).replaceAll('\\', '/').toLowerCase();
  const byPath = files.filter((file) => pathOf(file).includes(wanted));
  if (byPath.length > 0) return { files: byPath };
  return { files, title: new RegExp(filter.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'i') };
}
