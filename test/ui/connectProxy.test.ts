import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFaultServer } from '../support/faults/faultServer.ts';
import { answer, pageText } from '../support/faults/plays.ts';
import { createPrivateAuthority } from '../support/proxy/privateAuthority.ts';
import { startTunnelProxy } from '../support/proxy/tunnelProxy.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

// A company's network: names are known to the proxy alone, and certificates come from the company's own authority.
const hostname = 'speech.corp.example';
const authority = await createPrivateAuthority();
const service = await startFaultServer(answer(200, pageText), { certificate: await authority.certify(hostname) });
const proxy = await startTunnelProxy({ [hostname]: Number(new URL(service.origin).port) });
const folder = mkdtempSync(join(tmpdir(), 'authority-'));
const authorityFile = join(folder, 'authority.pem');
writeFileSync(authorityFile, authority.cert);

const session = useWorkbench(import.meta.filename, {
  userSettings: { 'http.proxy': proxy.url },
  env: { NODE_EXTRA_CA_CERTS: authorityFile },
});
after(async () => {
  await proxy.stop();
  await service.stop();
  rmSync(folder, { recursive: true });
});

test("a service behind the company's proxy and authority is reached with the editor's own settings", async () => {
  await connectTo(`https://${hostname}`, 'Company');
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`]);
  assert(service.seen.some(({ path, rawHeaders }) => path.startsWith('/v2/') && rawHeaders.includes('sesame')));
});

test('a service on this machine is reached without the proxy, under the names that the editor keeps from it', async () => {
  const local = await startFaultServer(answer(200, pageText));
  after(async () => local.stop());
  const { port } = new URL(local.origin);
  await connectTo(`http://localhost:${port}`, 'By name');
  await connectTo(`http://127.0.0.1:${port}`, 'By number');
  assert(local.seen.length >= 2);
  // Under any other name of this machine it would be asked for: in the clear, with the key.
  const { quickInput } = session().workbench;
  await session().workbench.runCommand('Transcription: Connect to a Service…');
  await quickInput.shown('(1/4)');
  await quickInput.answer(`http://127.0.0.2:${port}`);
  await quickInput.message.getByText('Only a service on this machine').waitFor();
  await quickInput.cancel();
  assert.deepEqual(proxy.requests, []);
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`]);
});

async function connectTo(baseUrl: string, name: string): Promise<void> {
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.showView('Transcription Jobs');
  await workbench.runCommand('Transcription: Connect to a Service…');
  for (const [step, typed] of [
    ['1/4', baseUrl],
    ['2/4', 'x-service-key'],
    ['3/4', 'sesame'],
    ['4/4', name],
  ] as const) {
    await quickInput.shown(`(${step})`);
    await quickInput.answer(typed);
  }
  await quickInput.hidden();
  await workbench.tree('Jobs').row('Pre-recorded').first().waitFor();
}
