import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import type { BenchServiceOptions } from './benchServiceOptions.ts';

/** A running service and the way to stop it. */
export interface BenchService {
  readonly baseUrl: string;
  stop(): void;
}

/** Starts the service in a child process that ends with the parent. */
export async function startBenchService(options: BenchServiceOptions): Promise<BenchService> {
  const script = join(repositoryRoot, 'test/bench/service/benchService.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { baseUrl: said.toString().trim(), stop: () => child.stdin.end() };
}
