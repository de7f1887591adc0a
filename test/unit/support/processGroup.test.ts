import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ProcessGroup } from '../../support/editor/processGroup.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { until } from '../../support/until.ts';

const support = (file: string): string => pathToFileURL(join(repositoryRoot, 'test/support/editor', file)).href;
const groups = { skip: process.platform === 'win32' && 'Windows has no process groups' };

test('stopping a group stops what it has started, even what does not want to', groups, async () => {
  const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid);`;
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' });`;
  const group = new ProcessGroup(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'inherit'] });
  const grandchild = await firstNumber(group);
  assert(isRunning(grandchild));
  await group.stop();
  await until('the end of the grandchild', () => !isRunning(grandchild));
});

test('a server goes when the process that started it is killed', groups, async () => {
  const server = `console.log(process.pid); require('node:http').createServer().listen(0, '127.0.0.1');`;
  const starter = `
    import { ProcessGroup } from ${JSON.stringify(support('processGroup.ts'))};
    const args = [${JSON.stringify(`--import=${support('serverPreload.ts')}`)}, '-e', ${JSON.stringify(server)}];
    new ProcessGroup(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] });`;
  const group = new ProcessGroup(process.execPath, ['--input-type=module-typescript', '--eval', starter], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await firstNumber(group);
  assert(isRunning(pid));
  group.child.kill('SIGKILL');
  await until('the end of the server', () => !isRunning(pid));
  await group.stop();
});

test('a crash is told from a stop', async () => {
  const crashing = new ProcessGroup(process.execPath, ['-e', 'process.exit(3)'], { stdio: 'ignore' });
  await crashing.crashed;
  assert.deepEqual(await crashing.exited, { code: 3, signal: null });
  const stopped = new ProcessGroup(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  let crashed = false;
  void stopped.crashed.then(() => (crashed = true));
  await stopped.stop();
  await stopped.exited;
  assert.equal(crashed, false);
});

async function firstNumber(group: ProcessGroup): Promise<number> {
  assert(group.child.stdout);
  const [text] = (await once(group.child.stdout, 'data')) as [Buffer];
  return Number(text.toString());
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
