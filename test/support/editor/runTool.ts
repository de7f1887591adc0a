import { ProcessGroup, type Exit } from './processGroup.ts';

/** The output of a finished tool, and how it ended. */
export interface ToolResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Options for {@link runTool}. */
export interface ToolOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Also prints the output as it arrives. */
  readonly show?: boolean;
}

/** Runs a command line tool in its own process group, without input, to its end. Rejects only if it cannot start. */
export async function runTool(
  command: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<ToolResult> {
  const { show = false, ...spawnOptions } = options;
  const group = new ProcessGroup(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    group.child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      if (show) process[name].write(text);
    });
  }
  const closed = new Promise((resolve) => group.child.once('close', resolve));
  try {
    const exit = await group.exited;
    await closed;
    return { ...exit, ...output };
  } finally {
    await group.stop();
  }
}
