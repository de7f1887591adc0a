// Loaded into the editor server before its own code.
import { randomBytes } from 'node:crypto';
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';

// The workbench keeps secrets in the browser, sealed with a key that it asks the server for. The package's outer program would
// answer; this one is started without it. Unanswered, secrets are forgotten whenever the page reloads.
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

// The starter holds the other end of stdin: when it closes, the starter is gone, however it ended, and the whole group goes too.
process.stdin
  .resume()
  .once('close', () => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'));
process.stdin.unref();
