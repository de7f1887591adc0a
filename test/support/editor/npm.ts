import { runTool, type ToolResult } from './runTool.ts';
import { UserError } from './userError.ts';

/** Working directory and environment of npm. The user's own registry and proxy settings apply. */
export interface NpmOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Limits retries and timeouts: with npm's defaults, an unresponsive registry would block for minutes. */
const patience = [
  '--fetch-timeout=45000',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=2000',
];
const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * Runs npm and returns its output.
 * @param purpose what fails if npm fails, such as `download the editor`
 * @throws UserError if npm fails, with npm's own reason in one line
 */
export async function npm(args: readonly string[], purpose: string, options: NpmOptions): Promise<string> {
  const result = await start([...args, ...patience, ...quiet], options);
  if (result.code === 0) return result.stdout;
  throw new UserError(
    `Could not ${purpose}: ${reason(result)}. Check the network and "npm config get registry", then run this again.`,
  );
}

function start(args: readonly string[], options: NpmOptions): Promise<ToolResult> {
  // Inside an npm script the path of npm is known, and no shell is needed on Windows.
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
