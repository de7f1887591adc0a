import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Task {
  readonly label: string;
  readonly type: 'npm' | 'shell';
  readonly script?: string;
  readonly command?: string;
  readonly isBackground?: boolean;
  readonly problemMatcher: unknown;
}

/** Finds problems in the output of esbuild. */
export interface EsbuildMatcher {
  readonly pattern: readonly { readonly regexp: string }[];
  readonly background?: { readonly beginsPattern: string; readonly endsPattern: string };
}

/** The tasks in `.vscode`. */
export const { tasks: editorTasks } = JSON.parse(readFileSync('.vscode/tasks.json', 'utf8')) as {
  readonly tasks: readonly Task[];
};

/** Returns the problem matcher of a task. */
export function matcherOf(label: string): EsbuildMatcher {
  const matcher = editorTasks.find((task) => task.label === label)?.problemMatcher;
  assert(matcher !== undefined, `there is no task "${label}"`);
  return matcher as EsbuildMatcher;
}
