import { isEnding, shutdown } from '../editor/shutdown.ts';
import { UserError } from '../editor/userError.ts';

const parentCheckMs = 500;

/** Runs a command line program; what it returns is the exit code. A UserError is printed as one line, and ends it with 1 or its own code. */
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

/** npm passes signals on to the shell around us, which ends without passing them on in turn: then this ends too. */
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

/** The command line makes no sense; the exit code is 2. */
export class UsageError extends UserError {}
