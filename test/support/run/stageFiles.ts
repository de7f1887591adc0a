import { chmodSync, cpSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder, type OwnedFolder } from '../editor/ownedFolder.ts';

/**
 * Copies files into a temporary folder for packing. All get the same mode: an archive stores the modes of its files, which would otherwise
 * depend on the checkout.
 * @param files path in the folder → path of the file
 * @param executable paths in the folder of executable files
 */
export function stageFiles(files: Readonly<Record<string, string>>, executable: readonly string[] = []): OwnedFolder {
  const stage = temporaryFolder();
  for (const [path, source] of Object.entries(files)) {
    const target = join(stage.path, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target);
    chmodSync(target, executable.includes(path) ? 0o755 : 0o644);
  }
  return stage;
}

/** Lists the files in the extension's package: all that `.vscodeignore` excepts, as paths with `/` below `root`. */
export function packagedFiles(root: string): readonly string[] {
  const [everything, ...exceptions] = readFileSync(join(root, '.vscodeignore'), 'utf8').trim().split(/\r?\n/);
  const patterns = exceptions.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  if (everything !== '**' || patterns.length < exceptions.length)
    throw new Error('.vscodeignore is to exclude everything (**) but what it names with ! in front');
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return [...new Set(files)].map((file) => file.replaceAll('\\', '/')).toSorted();
}
