import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';

/** Maps positions in bundled tests to their sources. The extension host formats stacks itself, without source maps. */
export function sourcePositions(stack: string): string {
  return stack.replaceAll(/(\/[^\s():]+\.cjs):(\d+):(\d+)/g, (position, file: string, line: string, column: string) => {
    if (!existsSync(`${file}.map`)) return position;
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
    const origin = map.findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return position;
    const source = relative(repositoryRoot, resolve(dirname(file), origin.fileName));
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
