import { globSync, readFileSync } from 'node:fs';

/** Texts of the product's own TypeScript files by path relative to the repository's root, with `/` on every system. */
export function projectSources(): ReadonlyMap<string, string> {
  const paths = globSync(['src/**/*.ts', 'media/**/*.ts']).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.sort().map((path) => [path, readFileSync(path, 'utf8')]));
}
