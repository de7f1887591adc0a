import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { listJobMatches } from '../../../../src/service/submit/jobMatches.ts';
import { digest } from '../../../../src/service/ports.ts';
import { startSampleService, type SampleRequest } from '../../../../src/sample/sampleService.ts';
import { faultRun } from '../../../support/faults/faultRun.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { aSubmission } from './aSubmission.ts';

const never = new AbortController().signal;
const audioUrl = 'https://audio.example.com/a.wav';

/** A service whose clock is an hour behind ours, with 30 jobs of other people in the minutes around the submission. */
async function scene(context: TestContext) {
  const clock = new FakeClock();
  const serviceNow = clock.now() - 3_600_000;
  const requests: SampleRequest[] = [];
  const service = await startSampleService({
    count: 200,
    clock: () => serviceNow,
    onRequest: (request) => void requests.push(request),
  });
  context.after(() => service.stop());
  const run = faultRun(service.baseUrl, 30_000, service.key);
  context.after(() => run.client.dispose());
  for (let index = 0; index < 30; index++) {
    service.add({
      createdAt: serviceNow - 10_000 - index,
      fields: { file: { source: `https://audio.example.com/${index}.wav` } },
    });
  }
  const submission = aSubmission({
    sentAtMs: clock.now() - 20_000,
    expectedByMs: clock.now() + 25_000,
    audioHash: digest(audioUrl),
    tag: undefined,
  });
  const look = (changes: Partial<typeof submission> = {}, others: readonly string[] = []) =>
    listJobMatches(run.api, { ...submission, ...changes }, new Set(others), clock, never);
  return { service, look, requests, createdAt: serviceNow - 15_000 };
}

test('a tag is found among the jobs of the minutes around the submission, by GETs alone', async (context) => {
  const { service, look, requests, createdAt } = await scene(context);
  const id = service.add({ createdAt, fields: { custom_metadata: { tag: 'b7', more: 1 } } });
  const { candidates, complete } = await look({ tag: { key: 'tag', value: 'b7' } });
  assert.deepEqual(
    candidates.map(({ job, confidence }) => [job.id, confidence]),
    [[id, 'tag']],
  );
  assert.equal(complete, true);
  assert.ok(requests.every(({ method }) => method === 'GET') && requests.length <= 3);
});

test('the same audio comes before nothing but the time; jobs of other submissions stay out', async (context) => {
  const { service, look, createdAt } = await scene(context);
  const timeOnly = service.add({ createdAt, fields: { file: null, request_params: null } });
  const same = service.add({ createdAt: createdAt + 1, fields: { file: { source: audioUrl } } });
  const other = service.add({ createdAt: createdAt + 2, fields: { file: { source: audioUrl } } });
  const { candidates } = await look({}, [other]);
  assert.deepEqual(
    candidates.map(({ job, confidence }) => [job.id, confidence]),
    [
      [same, 'audio'],
      [timeOnly, 'time'],
    ],
  );
});

test('a job that is not there is not found', async (context) => {
  const { look } = await scene(context);
  assert.deepEqual(await look(), { candidates: [], complete: true });
  assert.deepEqual(await look({ tag: { key: 'tag', value: 'b7' } }), { candidates: [], complete: true });
});
