// A test-only extension: runs in the product's extension host and reports the host's state over loopback.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { writeHeapSnapshot } from 'node:v8';
import * as vscode from 'vscode';
import { hostState } from './readHostState.ts';
import { countTimers } from './productTimers.ts';

/** Activated at startup, before the product, so that it sees all of the product's timers. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const timers = countTimers();
  const answers: Readonly<Record<string, (body: string) => Promise<unknown>>> = {
    '/state': async () => hostState(timers.underWay()),
    '/snapshot': async (body) => writeHeapSnapshot(String(JSON.parse(body))),
    '/read': async (body) => vscode.workspace.getConfiguration().get(String(JSON.parse(body))),
    '/setting': async (body) => {
      const { name, value } = JSON.parse(body) as { readonly name: string; readonly value: unknown };
      const { Global, Workspace } = vscode.ConfigurationTarget;
      const isOfFolder = vscode.workspace.getConfiguration().inspect(name)?.workspaceValue !== undefined;
      await vscode.workspace.getConfiguration().update(name, value, isOfFolder ? Workspace : Global);
      return vscode.workspace.getConfiguration().get(name);
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    void text(request)
      .then(answer)
      .then(
        (value: unknown) => response.end(JSON.stringify(value ?? null)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  }).listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address !== 'string')
      writeFileSync(`${process.env['SOAK_PROBES']}/${process.pid}`, String(address.port));
  });
  context.subscriptions.push({ dispose: () => void server.close() });
}
