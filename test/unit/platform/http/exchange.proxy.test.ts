import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../../../support/editor/repositoryRoot.ts';
import { runTool } from '../../../support/editor/runTool.ts';
import { startFaultServer } from '../../../support/faults/faultServer.ts';
import { answer } from '../../../support/faults/plays.ts';

test('a request to this machine never uses the proxy of the environment', async (t) => {
  const [service, proxy] = await Promise.all([startFaultServer(answer(200, '{}')), startFaultServer(answer(204, ''))]);
  t.after(() => Promise.all([service.stop(), proxy.stop()]));
  const script = join(repositoryRoot, 'test/support/remote/exchangeOnce.ts');
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy.origin,
    HTTPS_PROXY: proxy.origin,
    NO_PROXY: '',
  };
  const send = (method: string, url: string) => runTool(process.execPath, [script, method, url], { env });
  // Another machine is reached through the proxy, which shows that the environment takes effect.
  assert.equal((await send('GET', 'http://elsewhere.invalid/')).stdout.trim(), '204');
  assert.equal(proxy.seen.length, 1);
  for (const method of ['GET', 'POST']) {
    assert.equal((await send(method, `${service.origin}/v2/live`)).stdout.trim(), '200', method);
  }
  assert.equal(proxy.seen.length, 1);
  assert.deepEqual(
    service.seen.map((request) => request.method),
    ['GET', 'POST'],
  );
});
