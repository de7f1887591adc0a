import { runTool, type ToolResult } from './runTool.ts';
import { UserError } from './userError.ts';

/** Where npm runs, and with which environment; the user's own registry and proxy settings apply. */
export interface NpmOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Keeps a registry that does not answer from holding everything up for minutes, which npm's own defaults would. */
const patience = [
  '--fetch-timeout=45000',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=2000',
];
const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * Runs npm and returns what it printed.
 * @param purpose what fails when npm fails, such as `download the editor`
 * @throws UserError when npm fails, with npm's own reason in one line
 */
export async function npm(args: readonly string[], purpose: string, options: NpmOptions): Promise<string> {
  const result = await start([...args, ...patience, ...quiet], options);
  if (result.code === 0) return result.stdout;
  throw new UserError(
    `Could not ${purpose}: ${reason(result)}. Check the network and "npm config get registry", then run this again.`,
  );
}

function start(args: readonly string[], options: NpmOptions): Promise<ToolResult> {
  // Inside an npm script its own npm is known, and needs no shell on Windows.
  const script = process.env['npm_execpath'];
  if (script?.endsWith('.js')) return runTool(process.execPath, [script, ...args], options);
  return process.platform === 'win32' ? runTool('cmd', ['/c', 'npm', ...args], options) : runTool('npm', args, options);
}

function reason({ stdout, stderr, signal }: ToolResult): string {
  if (signal) return `npm was ended by ${signal}`;
  const lines = `${stderr}\n${stdout}`
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('npm warn'));
  const telling = lines.find((line) => !/^(code|errno|syscall|type|network This is)\b/.test(line)) ?? 'npm failed';
  return telling.replace(/\.$/, '');
}
