import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';

/**
 * Lists the editor's CSS variables that pages use, sorted.
 * @param defaultStyles the style sheet that the editor gives every webview
 */
export function usedVariables(defaultStyles: string): readonly string[] {
  const sources = ['css', 'ts'].flatMap((ending) =>
    globSync(`media/**/*.${ending}`, { cwd: repositoryRoot }).map((path) =>
      readFileSync(join(repositoryRoot, path), 'utf8'),
    ),
  );
  const own = new Set(sources.flatMap((text) => namesIn(text, /(?<![\w-])(--[a-z][\w-]*)'?:/g)));
  const used = [...sources, defaultStyles].flatMap((text) => [
    ...namesIn(text, /var\(\s*(--[a-z][\w-]*)/g),
    ...namesIn(text, /(--vscode-[\w-]+)/g),
  ]);
  return [...new Set(used)].filter((name) => !own.has(name)).toSorted();
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}
