import { relative } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';

/** Returns the source of a test file, bundled or not, as a path below the repository. */
export function sourceOf(file: string): string {
  return relative(repositoryRoot, file)
    .replaceAll('\\', '/')
    .replace(/^out\/(.*)\.c?js$/, '$1.ts');
}
