import type { Memento } from 'vscode';

/** Under which names the workspace keeps what is watched, and the watched jobs that failed unseen. */
export const watchMemory = {
  jobs: 'watchedJobs',
  failures: 'unseenFailures',
} as const;

/** Whether anything is kept. What cannot be read counts: somebody has to say so. */
export function isAnythingStored(memory: Memento): boolean {
  return [watchMemory.jobs, watchMemory.failures].some((name) => memory.get<unknown>(name) !== undefined);
}
