import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isArray, isJsonObject, type JsonObject } from '../../../src/base/json/json.ts';
import { listFailedAddOns } from '../../../src/jobs/common/failedAddOns.ts';
import { readResult, type JobResult } from '../../../src/jobs/common/result/jobResult.ts';
import { harbourCall } from '../../../src/sample/harbourCall.ts';
import { Sample, type Item } from './sampleClient.ts';

let sample: Sample;
before(async () => {
  sample = await Sample.open({ count: 0, results: true });
});
after(async () => {
  await sample.service.stop();
});

const audio_url = 'https://media.example.com/calls/monday.mp3';

/** Submits a request and returns the job that it ends as. */
async function submit(body: JsonObject): Promise<Item> {
  const { id } = (await sample.post({ audio_url, ...body })).body;
  sample.now += 20_000;
  const item = (await sample.all()).find((each) => each.id === id);
  assert.ok(item);
  return item;
}

async function resultOf(body: JsonObject): Promise<JobResult> {
  const result = readResult((await submit(body)) as unknown as JsonObject);
  assert.ok(result);
  assert.deepEqual(result.gaps, []);
  return result;
}

const spoken = (result: JobResult): readonly string[] =>
  result.transcript?.utterances.map(({ language }) => language ?? '') ?? [];
const texts = (result: JobResult): readonly string[] => result.transcript?.utterances.map(({ text }) => text) ?? [];
const outcomes = (result: JobResult): readonly string[] =>
  result.addOns.map(({ name, outcome }) => `${name} ${outcome}`);

test('the call is complete in each of its languages', () => {
  const lengths = [...harbourCall.values()].map(({ lines }) => lines.length);
  assert.deepEqual(new Set(lengths), new Set([8]));
  for (const [language, { lines, names, place }] of harbourCall) {
    assert.ok(lines[3]?.includes(place), language);
    assert.ok(names.includes('{0}'), language);
  }
});

test('a request without settings has a transcript in English and nothing else', async () => {
  const result = await resultOf({});
  assert.deepEqual(new Set(spoken(result)), new Set(['en']));
  assert.deepEqual(outcomes(result), []);
  assert.deepEqual(result.translations, []);
  assert.deepEqual(result.transcript?.subtitles, []);
  assert.ok(result.transcript?.utterances.every(({ speaker }) => speaker === undefined));
});

test('people speak the first language of the request, or all of them if it switches; metadata name the detected one', async () => {
  const languages = async (body: JsonObject): Promise<readonly string[]> => [...new Set(spoken(await resultOf(body)))];
  const config = (codes: readonly string[], code_switching = false): JsonObject => ({
    language_config: { languages: codes, code_switching },
  });
  assert.deepEqual(await languages(config(['fr'])), ['fr']);
  assert.deepEqual(await languages(config(['de', 'es'])), ['de']);
  assert.deepEqual(await languages(config(['ja', 'en', 'fr'], true)), ['ja', 'en', 'fr']);
  assert.deepEqual(await languages({ custom_metadata: { language: 'es' } }), ['es']);
  assert.deepEqual(await languages({ custom_metadata: { language: 'es' }, ...config(['fr']) }), ['fr']);
  const other = await resultOf(config(['pt']));
  assert.deepEqual(new Set(spoken(other)), new Set(['pt']));
  assert.ok(texts(other).every((text) => text.startsWith('[pt] ')));
});

test('translations are in the target languages, utterance by utterance, and have subtitles if the request has', async () => {
  const body = {
    language_config: { languages: ['fr'] },
    translation: true,
    translation_config: { target_languages: ['de', 'pt'] },
    subtitles: true,
    subtitles_config: { formats: ['vtt', 'srt'], maximum_characters_per_row: 30, maximum_rows_per_caption: 2 },
  };
  const result = await resultOf(body);
  assert.deepEqual(
    result.translations.map(({ language }) => language),
    ['de', 'pt'],
  );
  for (const { utterances } of result.translations) assert.equal(utterances.length, spoken(result).length);
  assert.equal(result.translations[0]?.utterances[0]?.text, harbourCall.get('de')?.lines[0]);
  assert.match(result.translations[1]?.utterances[0]?.text ?? '', /^\[pt\] Thanks for calling/);
  const subtitles = [...(result.transcript?.subtitles ?? []), ...result.addOns.flatMap((addOn) => addOn.subtitles)];
  assert.deepEqual(
    subtitles.map(({ format }) => format),
    ['srt', 'vtt', 'srt', 'vtt', 'srt', 'vtt'],
  );
  for (const { format, text } of subtitles) {
    const captions = text.split('\n\n').filter((each) => each.includes(' --> '));
    assert.ok(captions.length > 8);
    for (const caption of captions) {
      const rows = caption.split('\n').filter((row) => row !== '' && !/^\d+$| --> /u.test(row));
      assert.ok(rows.length >= 1 && rows.length <= 2, caption);
      assert.ok(
        rows.every((row) => row.length <= 30),
        caption,
      );
    }
    assert.equal(text.startsWith('WEBVTT\n\n'), format === 'vtt');
  }
  assert.equal((await resultOf({ ...body, translation: false })).translations.length, 0);
});

test('speakers are separated only if the request says so, as many as it says', async () => {
  const speakers = async (config: JsonObject): Promise<number> =>
    new Set(
      (await resultOf({ diarization: true, diarization_config: config })).transcript?.utterances.map(
        ({ speaker }) => speaker,
      ),
    ).size;
  assert.equal(await speakers({}), 2);
  assert.equal(await speakers({ number_of_speakers: 3 }), 3);
  assert.equal(await speakers({ number_of_speakers: 10 }), 10);
  assert.equal(await speakers({ min_speakers: 4, max_speakers: 6 }), 4);
  assert.equal(await speakers({ max_speakers: 1 }), 1);
  assert.equal(await speakers({ number_of_speakers: 1e9 }), 12);
});

test('terms of the vocabulary are said, and are entities with the place', async () => {
  const config = { vocabulary: ['Kubernetes', { value: 'Nguyen', intensity: 0.5 }, 7, { value: '' }] };
  const body = { custom_vocabulary: true, custom_vocabulary_config: config, named_entity_recognition: true };
  const result = await resultOf(body);
  assert.ok(texts(result).some((text) => text.includes('Kubernetes, Nguyen')));
  assert.deepEqual(
    result.addOns[0]?.passages.map(({ heading, text }) => `${heading} ${text}`),
    ['LOCATION old fish market', 'NAME Kubernetes', 'NAME Nguyen'],
  );
  assert.ok(
    !texts(await resultOf({ ...body, custom_vocabulary: false }))
      .join()
      .includes('Kubernetes'),
  );
});

test('the summary has the requested type and the spoken language; sentences and sentiment come as requested', async () => {
  const summary = async (type?: string): Promise<string | undefined> => {
    const config = type === undefined ? {} : { summarization_config: { type } };
    const body = { language_config: { languages: ['de'] }, summarization: true, ...config };
    return (await resultOf(body)).addOns[0]?.passages[0]?.text;
  };
  assert.match((await summary('bullet_points')) ?? '', /^- Ein Paket .+\n- Es wird /);
  assert.match((await summary()) ?? '', /^Ein Paket .+\. Es wird /);
  assert.equal(await summary('concise'), 'Ein Paket mit Teilen für eine Lampe ging an die alte Adresse.');
  const { result } = (await submit({ sentences: true, sentiment_analysis: true })) as unknown as JsonObject;
  assert.ok(
    isJsonObject(result) && isJsonObject(result['transcription']) && isJsonObject(result['sentiment_analysis']),
  );
  const { sentences } = result['transcription'];
  assert.ok(isArray(sentences) && isJsonObject(sentences[0]) && isArray(sentences[0]['results']));
  assert.equal(sentences[0]['results'][0], 'Thanks for calling, you are through to the harbour office.');
});

test('an address that ends in 404 or timeout makes its job fail with that code, with or without an extension', async () => {
  const ending = async (path: string): Promise<readonly [string, unknown]> => {
    const { status, error_code: code } = await submit({ audio_url: `https://example.org/${path}` });
    return [status, code];
  };
  for (const path of ['404.mp3', '404', 'calls/monday-404.wav?token=1', '404.mp3#t=1'])
    assert.deepEqual(await ending(path), ['error', 404], path);
  for (const path of ['timeout.mp3', 'a/b/Timeout', 'call_timeout.webm'])
    assert.deepEqual(await ending(path), ['error', 408], path);
  for (const path of [
    '1404.mp3',
    '404/call.mp3',
    'call.mp3?x=404',
    'impartial.mp3',
    'failure.mp3',
    '404.original.mp3',
    '',
  ])
    assert.deepEqual(await ending(path), ['done', null], path);
});

test('an address that ends in partial makes one part of the result fail, one that was requested if there is any', async () => {
  const failed = async (body: JsonObject): Promise<readonly string[]> => {
    const item = await submit({ audio_url: 'https://example.org/calls/partial.mp3', ...body });
    assert.equal(item.status, 'done');
    return listFailedAddOns({ raw: JSON.stringify(item) });
  };
  const translation = { translation: true, translation_config: { target_languages: ['en'] } };
  assert.deepEqual(await failed({ summarization: true, ...translation }), [
    'Translation failed: The translation took too long and was given up.',
  ]);
  assert.deepEqual(await failed({ summarization: true }), [
    'Summary failed: The summary took too long and was given up.',
  ]);
  assert.deepEqual(await failed({}), ['Sentences failed: The search for sentences took too long and was given up.']);
});

test('settings of wrong types and endless lists do no harm', async () => {
  const result = await resultOf({
    language_config: [],
    translation: true,
    translation_config: { target_languages: Array.from({ length: 5000 }, (_, index) => `x${index}`) },
    subtitles: true,
    subtitles_config: { formats: 'srt', maximum_characters_per_row: 0, maximum_rows_per_caption: 1.5 },
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: Array.from({ length: 5000 }, (_, index) => `${index}${'y'.repeat(500)}`) },
    diarization: true,
    diarization_config: { number_of_speakers: -1, min_speakers: 'two' },
    summarization: true,
    summarization_config: { type: {} },
  });
  assert.equal(result.translations.length, 20);
  assert.ok(JSON.stringify(result).length < 300_000);
});

test('the result is the same at every reading, and each job has its own', async () => {
  const [one, other] = [await submit({ summarization: true }), await submit({ summarization: true })];
  const again = (await sample.all()).find(({ id }) => id === one.id);
  assert.deepEqual(again, one);
  assert.notEqual(other.id, one.id);
});
