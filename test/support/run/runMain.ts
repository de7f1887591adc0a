import { isEnding, shutdown } from '../editor/shutdown.ts';
import { UserError } from '../editor/userError.ts';

const parentCheckMs = 500;

/**
 * Runs a command line program and exits with the code that it returns. A UserError is printed as one line and exits
 * with 1, a {@link UsageError} with 2.
 */
export async function runMain(main: () => Promise<number>): Promise<void> {
  endWithParent();
  try {
    process.exitCode = await main();
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1;
    if (!isEnding()) console.error(error instanceof UserError ? error.message : error);
  } finally {
    await shutdown();
  }
}

/** Ends this process when the shell has ended: npm sends signals to the shell around this process, which ends without forwarding them. */
function endWithParent(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, parentCheckMs);
  timer.unref();
}

/** Invalid command line arguments; the exit code is 2. */
export class UsageError extends UserError {}
