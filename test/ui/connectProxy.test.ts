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

// A company network: only the proxy can resolve host names, and certificates come from the company's own authority.
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
const local = await startFaultServer(answer(200, pageText));
const { port } = new URL(local.origin);
after(async () => {
  await local.stop();
  await proxy.stop();
  await service.stop();
  rmSync(folder, { recursive: true });
});

async function connectTo(baseUrl: string, name: string): Promise<void> {
  const { workbench } = session();
  const { quickInput } = workbench;
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

test("a service behind the company's proxy and authority is reached with the editor's own settings", async () => {
  await session().workbench.showView('Transcription Jobs');
  await connectTo(`https://${hostname}`, 'Company');
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`]);
  assert(service.seen.some(({ path, rawHeaders }) => path.startsWith('/v2/') && rawHeaders.includes('sesame')));
});

test('a service on this machine is reached without the proxy, and an address that the proxy would get is refused', async () => {
  const { quickInput } = session().workbench;
  for (const host of ['localhost', '127.0.0.1']) {
    const before = local.seen.length;
    await connectTo(`http://${host}:${port}`, host);
    assert(local.seen.slice(before).some(({ rawHeaders }) => rawHeaders.includes('sesame')));
  }
  await session().workbench.ask('Transcription: Connect to a Service…', '(1/4)');
  await quickInput.answer(`http://127.0.0.2:${port}`);
  await quickInput.message.filter({ hasText: 'Only a service on this computer' }).waitFor();
  await quickInput.cancel();
  assert.deepEqual(proxy.clear, []);
  // What the first service is still asked in the meantime may open a tunnel, so they are compared by target, not counted.
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`]);
});
