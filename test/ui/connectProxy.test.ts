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
  const { workbench } = session();
  const { quickInput } = workbench;
  await workbench.showView('Transcription Jobs');
  await workbench.runCommand('Transcription: Connect to a Service…');
  for (const [step, typed] of [
    ['1/4', `https://${hostname}`],
    ['2/4', 'x-service-key'],
    ['3/4', 'sesame'],
    ['4/4', 'Company'],
  ] as const) {
    await quickInput.shown(`(${step})`);
    await quickInput.answer(typed);
  }
  await quickInput.hidden();
  await workbench.tree('Jobs').row('Pre-recorded').first().waitFor();
  assert.deepEqual([...new Set(proxy.tunnels)], [`${hostname}:443`]);
  assert(service.seen.some(({ path, rawHeaders }) => path.startsWith('/v2/') && rawHeaders.includes('sesame')));
});
