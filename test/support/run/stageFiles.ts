import { chmodSync, cpSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder, type OwnedFolder } from '../editor/ownedFolder.ts';

/**
 * Copies files into a temporary folder to be packed there. All get the same mode: an archive holds the modes of its files,
 * which would otherwise depend on who checked the repository out.
 * @param files path in the folder → path of the file
 * @param executable paths in the folder of files that are started
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

/** The files that the extension's package holds: all that `.vscodeignore` excepts, as paths with `/` below `root`. */
export function packagedFiles(root: string): readonly string[] {
  const [everything, ...exceptions] = readFileSync(join(root, '.vscodeignore'), 'utf8').trim().split(/\r?\n/);
  const patterns = exceptions.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  if (everything !== '**' || patterns.length < exceptions.length)
    throw new Error('.vscodeignore is to exclude everything (**) but what it names with ! in front');
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return [...new Set(files)].map((file) => file.replaceAll('\\', '/')).toSorted();
}
