import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commandFiles,
  commandManifest,
  commandReadme,
  type SharedManifest,
} from '../../../media/package/commandPackage.ts';
import type { OwnedFolder } from '../editor/ownedFolder.ts';
import { stageFiles } from './stageFiles.ts';

/** Returns what a repository's manifest says of all its packages. */
export function readSharedManifest(root: string): SharedManifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as SharedManifest;
}

/**
 * Copies the files of the command's package from the build into a temporary folder.
 * @param more other files of the repository to copy
 */
export function stageCommand(root: string, more: readonly string[] = []): OwnedFolder {
  const sources = [...Object.entries(commandFiles), ...more.map((name): [string, string] => [name, name])];
  const stage = stageFiles(Object.fromEntries(sources.map(([name, source]) => [name, join(root, source)])), [
    'dist/cli.js',
  ]);
  const write = (name: string, text: string): void => {
    writeFileSync(join(stage.path, name), text);
    chmodSync(join(stage.path, name), 0o644);
  };
  write('package.json', commandManifest(readSharedManifest(root)));
  const [page = '', editors = ''] = ['command', 'other-editors'].map((name) =>
    readFileSync(join(root, `docs/${name}.md`), 'utf8'),
  );
  write('README.md', commandReadme(page, editors));
  return stage;
}
