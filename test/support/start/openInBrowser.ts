import { spawn } from 'node:child_process';

/** Opens the address in the user's own browser if there is a desktop. @returns true if it tried. */
export function openInBrowser(url: string): boolean {
  const command = opener();
  if (command === undefined) return false;
  const [program, ...args] = command;
  // Detached, because the user's browser stays open when this process ends. If no program can open it, the user has the printed address.
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => {});
  child.unref();
  return true;
}

function opener(): readonly [string, ...string[]] | undefined {
  const { platform, env } = process;
  if (env['CI'] !== undefined) return undefined;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return env['DISPLAY'] === undefined && env['WAYLAND_DISPLAY'] === undefined ? undefined : ['xdg-open'];
}
