import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import type { Editor } from '../editor/startEditor.ts';

/** The log of an editor's extension hosts so far, including errors of extensions. */
export function extensionHostLog(editor: Editor): string {
  return read(editor, '*/exthost*/remoteexthost.log');
}

/** The content of our log channel in all windows. */
export function logChannel(editor: Editor): string {
  return read(editor, `*/exthost*/${extensionId}/*.log`);
}

function read({ dataDir }: Editor, pattern: string): string {
  const cwd = join(dataDir, 'data/logs');
  if (!existsSync(cwd)) return '';
  return globSync(pattern, { cwd })
    .sort()
    .map((file) => readFileSync(join(cwd, file), 'utf8'))
    .join('');
}
