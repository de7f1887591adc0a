import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { onShutdown } from './shutdown.ts';

/** Exit of a process; `code` is null if a signal ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const windows = process.platform === 'win32';
const termMs = 3_000;
const killMs = 500;
const running = new Set<ProcessGroup>();

// Also runs after a crash of this process, so that no child survives it.
process.on('exit', () => {
  for (const group of running) group.signal('SIGKILL');
});

/** A child process and all of its descendants, stopped together. */
export class ProcessGroup {
  readonly child: ChildProcess;
  /** Resolves when the child itself has ended; rejects if it could not be started. */
  readonly exited: Promise<Exit>;
  /** Resolves when the child ends without having been stopped. */
  readonly crashed: Promise<void>;
  readonly #forget: () => void;
  #stopping = false;

  constructor(command: string, args: readonly string[], options: SpawnOptions) {
    this.child = spawn(command, [...args], { ...options, detached: !windows, windowsHide: true });
    this.exited = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    this.crashed = new Promise((resolve) => {
      const end = (): void => void (this.#stopping || resolve());
      this.exited.then(end, end);
    });
    running.add(this);
    this.#forget = onShutdown(() => this.stop());
  }

  /** Terminates the group and kills the rest once the child has ended or the time limit is reached. Can be called repeatedly. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.signal('SIGTERM');
    await Promise.race([this.exited.catch(() => {}), delay(termMs, undefined, { ref: false })]);
    this.signal('SIGKILL');
    await this.#isGone();
    running.delete(this);
    this.#forget();
  }

  /** Sends a signal to the whole group. Windows has no process groups: there every process of the tree is killed. */
  signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (windows) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    else trySignal(-pid, signal);
  }

  // There is no event for the end of grandchildren, so this polls. The time limit is for zombies that a container reaps
  // late.
  async #isGone(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined || windows) return;
    const deadline = performance.now() + killMs;
    while (trySignal(-pid, 0) && performance.now() < deadline) await delay(20);
  }
}

function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
