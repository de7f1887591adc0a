import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startSampleService } from '../../../src/sample/sampleService.ts';
import { faultRun } from '../../support/faults/faultRun.ts';
import { startFaultyService } from '../../support/faults/faultyService.ts';
import { reset } from '../../support/faults/plays.ts';

suite('faulty service', () => {
  test('plays faults where it is told and passes the rest on', async (t) => {
    const sample = await startSampleService({ count: 30, clock: () => Date.parse('2026-11-20T10:00:00Z') });
    t.after(() => sample.stop());
    const faulty = await startFaultyService({
      target: sample.baseUrl,
      faults: ({ method }, nth) => (method === 'GET' && nth === 1 ? reset() : undefined),
    });
    t.after(() => faulty.stop());
    const { api, client, lines } = faultRun(faulty.origin, 30_000, sample.key);
    t.after(() => client.dispose());

    const page = await api.listJobs('live', { limit: 3 });
    assert.equal(page.entries.length, 3, lines.join('\n'));
    assert.equal(faulty.seen.length, 2);
    const outcome = await api.submit('{"audio_url":"https://example.com/a.wav"}');
    assert.equal(outcome.type, 'accepted');
    assert.ok(outcome.type === 'accepted' && outcome.id !== undefined);
  });
});
