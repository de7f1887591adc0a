import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { listJobMatches } from '../../../../../src/features/submit/node/jobMatches.ts';
import { decodePage } from '../../../../../src/jobs/common/decodePage.ts';
import type { ListEntry } from '../../../../../src/jobs/common/job.ts';
import { AudioHash } from '../../../../../src/features/submit/node/audioHash.ts';
import { preRecordedItem } from '../../../../support/builders/jobItem.ts';
import { startSampleService, type SampleRequest } from '../../../../../src/sample/sampleService.ts';
import { faultRun } from '../../../../support/faults/faultRun.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { aSubmission } from './aSubmission.ts';
import type { ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const never = new AbortController().signal;
const audioUrl = 'https://audio.example.com/a.wav';
const audio = new AudioHash('key');

/** Creates a service whose clock is an hour behind the local one, with 30 jobs of other users in the minutes around the submission. */
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
    audioHash: audio.of(audioUrl),
    tag: undefined,
  });
  const look = (changes: Partial<typeof submission> = {}, others: readonly string[] = []) => {
    const deps = { source: run.lists, clock, isAudio: audio.matches.bind(audio), others: new Set(others) };
    return listJobMatches(deps, { ...submission, ...changes }, never);
  };
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

test('the same audio ranks before a time match; jobs of other submissions are excluded', async (context) => {
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

test('a job is reported missing only if each job of the whole list certainly belongs to another submission', async (context) => {
  const { look } = await scene(context);
  const tag = { key: 'tag', value: 'b7' };
  for (const changes of [{}, { tag }]) {
    const { candidates, complete, isCertainlyNone, listed, isServiceClock } = await look(changes);
    // Many sample jobs show neither audio nor metadata: any of them could be the job, with a wrong date.
    assert.deepEqual([candidates, complete, isCertainlyNone], [[], true, false]);
    assert.deepEqual([listed >= 30, isServiceClock], [true, true]);
  }
});

const atMs = Date.UTC(2026, 10, 20, 12);

/** Creates a service with a few items, whose clock is correct or unknown. */
function smallService(items: readonly object[], serviceDateMs?: number): ListReader {
  return fakeReader(async (_endpoint, { afterDate, beforeDate, limit = 20 }) => {
    const { entries } = decodePage(JSON.stringify({ first: '', current: '', next: null, items }), 'pre-recorded');
    const isIn = (entry: ListEntry): boolean =>
      afterDate === undefined ||
      beforeDate === undefined ||
      (entry.type === 'job' &&
        entry.createdAtMs !== undefined &&
        entry.createdAtMs > Date.parse(afterDate) &&
        entry.createdAtMs < Date.parse(beforeDate));
    return { entries: entries.filter(isIn).slice(0, limit), hasMore: false, serviceDateMs, deviations: [] };
  });
}

const mine = aSubmission({ sentAtMs: atMs, expectedByMs: atMs + 45_000, audioHash: audio.of(audioUrl) });
const tagged = { ...mine, tag: { key: 'tag', value: 'b7' } };
const created = (ms: number): string => new Date(ms).toISOString();
const other = { request_params: { audio_url: 'https://audio.example.com/other.wav' }, custom_metadata: { tag: 'c8' } };
const jobIn = (fields: object): object => preRecordedItem({ id: 'x', created_at: created(atMs), ...fields });

for (const [name, submission, items, expected] of [
  ['a list of nothing', mine, [], 'none'],
  ['others in time with other audio and tags', tagged, [jobIn(other)], 'none'],
  ['a job of last week that shows nothing', mine, [jobIn({ created_at: created(atMs - 7 * 86_400_000) })], 'none'],
  ['tag on, and the list shows neither metadata nor audio', tagged, [jobIn({ custom_metadata: null })], 'open'],
  ['a job without a time that shows nothing', mine, [jobIn({ created_at: null })], 'open'],
  ['a job dated minutes too early that shows nothing', mine, [jobIn({ created_at: created(atMs - 600_000) })], 'open'],
  ['an unreadable item', mine, [jobIn({ id: null })], 'open'],
  ['its tag on a job without a time', tagged, [jobIn({ created_at: null, custom_metadata: { tag: 'b7' } })], 'tag'],
  [
    'its tag on a job dated a day late',
    tagged,
    [jobIn({ created_at: created(atMs + 86_400_000), custom_metadata: { tag: 'b7' } })],
    'tag',
  ],
  [
    'its audio on a job dated minutes too late',
    mine,
    [jobIn({ created_at: created(atMs + 900_000), request_params: { audio_url: audioUrl } })],
    'audio',
  ],
] as const) {
  test(`searching for a job: ${name}`, async () => {
    for (const serviceDateMs of [undefined, atMs + 60_000]) {
      const source = smallService(items, serviceDateMs);
      const deps = {
        source,
        clock: { now: () => atMs + 60_000 },
        isAudio: audio.matches.bind(audio),
        others: new Set<string>(),
      };
      const { candidates, isCertainlyNone, isServiceClock } = await listJobMatches(deps, submission, never);
      const verdict = candidates[0]?.confidence ?? (isCertainlyNone ? 'none' : 'open');
      assert.deepEqual([verdict, isServiceClock], [expected, serviceDateMs !== undefined]);
    }
  });
}

test('a hash with another key excludes no job', async (context) => {
  const { service, look, createdAt } = await scene(context);
  const same = service.add({ createdAt, fields: { file: { source: audioUrl } } });
  const { keyId } = audio;
  const own = await look({ audioKeyId: keyId });
  assert.deepEqual([own.candidates.length, own.candidates[0]?.confidence], [1, 'audio']);
  const foreign = await look({ audioKeyId: `${keyId}x` });
  assert.equal(foreign.candidates.find(({ job }) => job.id === same)?.confidence, 'time');
  assert.equal(foreign.isCertainlyNone, false);
});

test('a job is not reported missing if the list is longer than the max that is read, although that minute was read', async () => {
  const items = Array.from({ length: 2500 }, (_, index) =>
    jobIn({ id: `x${index}`, created_at: created(atMs - 7 * 86_400_000 - index * 1000), ...other }),
  );
  const small = smallService(items);
  const source = fakeReader(async (endpoint, params) => {
    const { offset = 0, limit = 20 } = params;
    const { entries, ...page } = await small.readPage(endpoint, { ...params, limit: items.length });
    return { ...page, entries: entries.slice(offset, offset + limit), hasMore: offset + limit < entries.length };
  });
  const deps = {
    source,
    clock: { now: () => atMs + 60_000 },
    isAudio: audio.matches.bind(audio),
    others: new Set<string>(),
  };
  const { candidates, complete, isCertainlyNone } = await listJobMatches(deps, tagged, never);
  assert.deepEqual([candidates, complete, isCertainlyNone], [[], true, false]);
});

test('if a minute has too many jobs, two thousand are read in each way, and the result is uncertain', async (context) => {
  const { service, look, requests, createdAt } = await scene(context);
  for (let index = 0; index < 2500; index++) service.add({ createdAt: createdAt - index });
  const { complete } = await look();
  assert.equal(complete, false);
  assert.ok(requests.length >= 40 && requests.length <= 45, `${requests.length} requests`);
});
