import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Editor } from '../editor/startEditor.ts';

/** What the extension hosts of an editor have logged so far, including errors of extensions. */
export function extensionHostLog(editor: Editor): string {
  return read(editor, '*/exthost*/remoteexthost.log');
}

/** What our log channel shows, over all windows. */
export function logChannel(editor: Editor): string {
  return read(editor, '*/exthost*/transcription-jobs.transcription-jobs/*.log');
}

function read({ dataDir }: Editor, pattern: string): string {
  const cwd = join(dataDir, 'data/logs');
  if (!existsSync(cwd)) return '';
  return globSync(pattern, { cwd })
    .sort()
    .map((file) => readFileSync(join(cwd, file), 'utf8'))
    .join('');
}
