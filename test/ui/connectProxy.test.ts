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
  await workbench.ask('Transcription: Connect to a Service…', '(1/4)');
  for (const [step, typed] of [
    ['1/4', baseUrl],
    ['2/4', 'x-service-key'],
    ['3/4', 'sesame'],
    ['4/4', name],
  ] as const) {
    await quickInput.shown(`(${step})`);
    await quickInput.answer(typed);
  }
  // The command is not offered before this one has ended.
  await workbench
    .tree('Jobs')
    .row(new RegExp(`^\\s*${name}`))
    .first()
    .waitFor();
}

test("reaches a service behind the company's proxy and authority with the editor's own settings", async () => {
  await session().workbench.showView('Transcription Jobs');
  await connectTo(`https://${hostname}`, 'Company');
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`]);
  assert(service.seen.some(({ path, rawHeaders }) => path.startsWith('/v2/') && rawHeaders.includes('sesame')));
});

test('reaches a service on this machine without the proxy, which would see the key', async () => {
  for (const host of ['localhost', '127.0.0.1']) {
    const before = local.seen.length;
    await connectTo(`http://${host}:${port}`, host);
    assert(local.seen.slice(before).some(({ rawHeaders }) => rawHeaders.includes('sesame')));
  }
  assert.deepEqual(proxy.clear, []);
  // What the first service is still asked in the meantime may open a tunnel, so they are compared by target, not counted.
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`]);
});
