import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject } from '../../../src/base/json/json.ts';
import { listFailedAddOns } from '../../../src/jobs/common/failedAddOns.ts';
import { readResult, type JobResult } from '../../../src/jobs/common/result/jobResult.ts';
import { writeSubtitles } from '../../../src/jobs/common/result/subtitles.ts';
import { Sample, type Item } from './sampleClient.ts';
import { usualLimits } from '../../../src/jobs/common/result/captions.ts';
import { finish } from '../../support/finish.ts';

const read = (item: Item): JobResult | undefined => readResult(item as unknown as JsonObject);

test('done jobs have results without gaps, others have none', async () => {
  await using sample = await Sample.open({ results: true });
  const all = await sample.all();
  const done = all.filter(({ status }) => status === 'done');
  assert.deepEqual(
    all.filter((item) => 'result' in item).map(({ id }) => id),
    done.map(({ id }) => id),
  );
  const results = done.map(read).filter((result) => result !== undefined);
  assert.deepEqual(
    results.flatMap(({ gaps }) => gaps),
    [],
  );
  const languages = new Set(results.flatMap(({ transcript }) => transcript?.languages ?? []));
  assert.deepEqual([...languages].toSorted(), ['de', 'en', 'es', 'fr', 'ja']);
  for (const { transcript, figures } of results) {
    const utterances = transcript?.utterances ?? [];
    assert.ok(utterances.length > 0 || (figures.audioMs ?? 0) < 10_000);
    assert.ok(utterances.every(({ endMs = 0 }) => endMs <= (figures.audioMs ?? 0) + 1));
    assert.ok(utterances.length < 2 || new Set(utterances.map(({ speaker }) => speaker)).size === 2);
  }
  const shown = done.flatMap((item) => {
    const metadata = item.custom_metadata;
    const language = isJsonObject(metadata) ? metadata['language'] : undefined;
    const first = read(item)?.transcript?.utterances[0]?.language;
    return language === undefined || first === undefined ? [] : [[language, first]];
  });
  assert.ok(shown.length > 100);
  assert.deepEqual(
    shown.filter(([language, first]) => language !== first),
    [],
    'people speak the language that the metadata name',
  );
  const withWords = results.filter(({ transcript }) => transcript?.utterances.some(({ words }) => words.length > 0));
  assert.ok(withWords.length > 20);
  assert.ok(results.some(({ transcript }) => transcript?.subtitles[0] !== undefined));
  const failed = done.flatMap((item) => listFailedAddOns({ raw: JSON.stringify(item) }));
  assert.ok(failed.length > 10);
  assert.equal(failed[0], 'Translation failed: The translation took too long and was given up.');
});

test('one job is ten hours long, and is on no first page', async () => {
  await using sample = await Sample.open({ life: 'arrivals' });
  const long = (await sample.all()).filter(({ file }) => isJsonObject(file) && file['audio_duration'] === 36_000);
  const [job] = long;
  assert.ok(job !== undefined && long.length === 1);
  assert.ok(JSON.stringify(job).length > 1_000_000 && JSON.stringify(job).length < 5_000_000);
  const { transcript } = read(job) ?? {};
  assert.ok(transcript && (transcript.utterances.at(-1)?.endMs ?? 0) > 35_900_000);
  const source = { type: 'made', fault: undefined } as const;
  assert.match(finish(writeSubtitles(transcript, 'srt', source, usualLimits)) ?? '', /\n09:59:\d\d,\d{3}/);
  for (const list of ['pre-recorded', 'pre-recorded?status=done', 'transcription', 'live']) {
    const text = (await sample.get(`/v2/${list}`)).text;
    assert.ok(text.length < 300_000 && !text.includes(job.id), list);
  }
  const other = await Sample.open({ life: 'arrivals' });
  assert.equal(JSON.stringify((await other.all()).find(({ id }) => id === job.id)), JSON.stringify(job));
  await other[Symbol.asyncDispose]();
});

test('a service without arrivals has no results, unless they are requested', async () => {
  await using sample = await Sample.open();
  assert.ok((await sample.all()).every((item) => !('result' in item)));
});

test('a submitted job has a result once it is done, and a result from a test is kept', async () => {
  await using sample = await Sample.open({ count: 0, results: true });
  sample.service.add();
  sample.service.add({ fields: { result: { own: true } } });
  assert.equal((await sample.all()).filter((item) => 'result' in item).length, 1);
  sample.now += 60_000;
  const results = (await sample.all()).map(({ result }) => result as JsonObject);
  assert.equal(results.filter((result) => 'transcription' in result).length, 1);
  assert.equal(results.filter((result) => result['own'] === true).length, 1);
});
