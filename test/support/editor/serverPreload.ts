// Loaded into the editor server before its own code.
import { randomBytes } from 'node:crypto';
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';

// The workbench stores secrets in the browser, encrypted with a key that it requests from the server. The package's
// outer program would answer, but this server is started without it. Without an answer, a page reload loses the
// secrets.
const sealingKey = randomBytes(32);
const emit: (event: string, ...values: unknown[]) => boolean = Reflect.get(Server.prototype, 'emit');

function answerSealingKey(this: Server, event: string, ...values: unknown[]): boolean {
  if (event === 'request') {
    const [request, response] = values as [IncomingMessage, ServerResponse];
    if (request.method === 'POST' && request.url === '/mint-key') {
      response.end(sealingKey);
      return true;
    }
  }
  return Reflect.apply(emit, this, [event, ...values]);
}
Reflect.set(Server.prototype, 'emit', answerSealingKey);

// Stdin is a pipe from the process that started the server: when it closes, that process has ended, however it
// happened, and the whole group is killed.
process.stdin
  .resume()
  .once('close', () => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'));
process.stdin.unref();
