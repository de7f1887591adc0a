// Loaded into the editor server before its own code.
import { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';

// The workbench stores secrets in the browser, encrypted with a key that it requests from the server. The package's outer program would
// respond, but this server is started without it. Without a response, a page reload loses the secrets.
const sealingKey = randomBytes(32);
const emit: (event: string, ...values: unknown[]) => boolean = Reflect.get(Server.prototype, 'emit');

// The server keeps the processes of a closed window, in case the window is reopened. Tests that share a server end these processes, so that
// the window of one file does not affect the next.
const children = new Set<ChildProcess>();
const spawn: unknown = Reflect.get(ChildProcess.prototype, 'spawn');
if (typeof spawn !== 'function') throw new Error('This Node starts processes in another way.');
Reflect.set(ChildProcess.prototype, 'spawn', function (this: ChildProcess, ...values: unknown[]): unknown {
  children.add(this.once('exit', () => children.delete(this)));
  const result: unknown = Reflect.apply(spawn, this, values);
  return result;
});

async function endChildren(): Promise<void> {
  await Promise.all(
    [...children].map((child) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      return ended;
    }),
  );
}

function answerTests(this: Server, event: string, ...values: unknown[]): boolean {
  if (event === 'request') {
    const [request, response] = values as [IncomingMessage, ServerResponse];
    if (request.method === 'POST' && request.url === '/mint-key') {
      response.end(sealingKey);
      return true;
    }
    if (request.method === 'POST' && request.url === '/end-windows') {
      void endChildren().then(() => response.end());
      return true;
    }
  }
  return Reflect.apply(emit, this, [event, ...values]);
}
Reflect.set(Server.prototype, 'emit', answerTests);

// Stdin is a pipe from the process that started the server: when it closes, that process has ended, however it
// happened, and the whole group is killed.
process.stdin
  .resume()
  .once('close', () => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'));
process.stdin.unref();
