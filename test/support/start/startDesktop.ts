import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { runTool } from '../editor/runTool.ts';
import { UserError } from '../editor/userError.ts';

/** Options for {@link startDesktop}. */
export interface DesktopOptions {
  readonly vsixes: readonly string[];
  readonly folder: string;
  readonly userSettings: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts the installed desktop editor with its own profile and resolves when its window has been closed.
 * @throws UserError if there is no `code` command
 */
export async function startDesktop({ vsixes, folder, userSettings, env }: DesktopOptions): Promise<void> {
  const owned = temporaryFolder();
  const profile = owned.path;
  const places = [`--user-data-dir=${join(profile, 'data')}`, `--extensions-dir=${join(profile, 'extensions')}`];
  const code = (...args: string[]): Promise<{ readonly code: number | null }> => {
    const options = { env: { ...process.env, ...env }, show: true };
    return process.platform === 'win32'
      ? runTool('cmd', ['/c', 'code', ...places, ...args], options)
      : runTool('code', [...places, ...args], options);
  };
  try {
    mkdirSync(join(profile, 'data/User'), { recursive: true });
    writeFileSync(join(profile, 'data/User/settings.json'), JSON.stringify(userSettings, undefined, 2));
    const installed = await code(...vsixes.flatMap((vsix) => ['--install-extension', vsix]));
    if (installed.code !== 0)
      throw new UserError('The desktop editor did not install the extensions; the reason is above.');
    await code('--new-window', '--wait', folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new UserError(
      'There is no "code" command: install VS Code with its command line tool, or start without --desktop.',
    );
  } finally {
    owned.remove();
  }
}
