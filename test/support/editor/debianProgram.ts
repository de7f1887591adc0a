import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A program that tests can run, or why there is none. */
export type FoundProgram =
  | { readonly type: 'found'; readonly path: string; readonly env: Readonly<Record<string, string>> }
  | { readonly type: 'missing'; readonly reason: string };

/** Where a program of Debian's packages stands, and what it needs to run outside of the system's folders. */
export interface DebianProgram {
  /** Name of the installed program. */
  readonly name: string;
  readonly packages: readonly string[];
  /** Path of the program below the folder of the unpacked packages. */
  readonly path: string;
  readonly envIn: (root: string) => Readonly<Record<string, string>>;
}

/** Finds an installed program; otherwise unpacks Debian's packages into a folder, which needs no rights, only a network. */
export function findDebianProgram({ name, packages, path, envIn }: DebianProgram, folder: string): FoundProgram {
  const installed = (process.env['PATH'] ?? '').split(':').find((each) => globSync(join(each, name)).length > 0);
  if (installed !== undefined) return { type: 'found', path: join(installed, name), env: {} };
  const run = (program: string, args: readonly string[], cwd: string): string | undefined => {
    const { status, stdout } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 120_000 });
    return status === 0 ? stdout : undefined;
  };
  const plan = run('apt-get', ['--simulate', '--no-install-recommends', 'install', ...packages], '/');
  const needed = [...(plan ?? '').matchAll(/^Inst (\S+)/gmu)].flatMap(([, each]) => each ?? []);
  const downloads = join(folder, 'packages');
  const root = join(folder, 'root');
  mkdirSync(downloads, { recursive: true });
  if (needed.length === 0 || run('apt-get', ['download', ...needed], downloads) === undefined) {
    return { type: 'missing', reason: `${name} is not installed, and apt-get can't download ${packages.join(', ')}` };
  }
  for (const each of globSync(join(downloads, '*.deb'))) run('dpkg-deb', ['--extract', each, root], downloads);
  return {
    type: 'found',
    path: join(root, path),
    env: { LD_LIBRARY_PATH: globSync(join(root, 'usr/lib/*-linux-gnu')).join(':'), ...envIn(root) },
  };
}
