import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import { isFailure } from '../../../../src/base/failure.ts';
import { faultMatrix } from '../../../support/faults/faultMatrix.ts';
import { faultRun, sentinelKey, type FaultRun } from '../../../support/faults/faultRun.ts';
import { withScene, type Scene } from '../../../support/faults/scene.ts';

suite('fault matrix', () => {
  for (const { name, fault, get, post, timeoutMs } of faultMatrix) {
    test(`GET: ${name}`, async () => {
      await withScene(fault, async (scene) => {
        const run = faultRun(scene.baseUrl, timeoutMs);
        const result = await run.api.listJobs('pre-recorded', { limit: 2 }).then(
          () => 'page',
          (error: unknown) => error,
        );
        run.client.dispose();
        assert.deepEqual([isFailure(result) ? result.code : result, scene.seen.length], get);
        assertKeyStayedHome(run, scene, result);
      });
    });

    test(`POST: ${name}`, async () => {
      await withScene(fault, async (scene) => {
        const run = faultRun(scene.baseUrl, timeoutMs);
        const outcome = await run.api.submit('{"audio_url":"https://example.com/a.wav"}');
        run.client.dispose();
        assert.deepEqual([outcome.type, scene.seen.length], post);
        assertKeyStayedHome(run, scene, outcome);
      });
    });
  }
});

function assertKeyStayedHome(run: FaultRun, scene: Scene, result: unknown): void {
  for (const { rawHeaders } of scene.seen) assert.ok(rawHeaders.includes(sentinelKey), 'the service got the key');
  const sinks = {
    'another origin': scene.seenByOthers.flatMap(({ rawHeaders, path }) => [path, ...rawHeaders]),
    log: run.lines,
    inspection: [inspect(result, { depth: 20, showHidden: true })],
    sentences: [String(result)],
  };
  // Searches for the beginning of the key, which is also in escaped and truncated forms.
  for (const [sink, texts] of Object.entries(sinks)) {
    for (const text of texts) assert.ok(!text.includes('sk-sentinel'), `${sink}: ${text}`);
  }
}
