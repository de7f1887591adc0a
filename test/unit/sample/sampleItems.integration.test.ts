import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dayMs } from '../../../src/base/time.ts';
import type { Item } from './sampleClient.ts';
import { Sample, start } from './sampleClient.ts';

let sample: Sample;
let all: readonly Item[];
before(async () => {
  sample = await Sample.open({ count: 1000 });
  all = await sample.all();
});
after(async () => {
  await sample.service.stop();
});

const share = (wanted: (item: Item) => boolean): number => all.filter(wanted).length / all.length;

test('the same seed, count and clock give the same bytes; another seed gives others', async () => {
  const bytesOf = async (seed?: number): Promise<string> => {
    await using other = await Sample.open({ count: 1000, ...(seed === undefined ? {} : { seed }) });
    return JSON.stringify((await other.get('/v2/transcription?limit=1000')).body.items);
  };
  assert.equal(await bytesOf(), JSON.stringify(all));
  assert.equal(await bytesOf(1), JSON.stringify(all));
  assert.notEqual(await bytesOf(2), JSON.stringify(all));
});

test('items have the fields of contract 2.2', () => {
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  for (const item of all) {
    assert.match(item.id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.match(item.request_id, /^G-\d{8}$/);
    assert.ok(Number.isInteger(item.version));
    assert.match(item.created_at, instant);
    const ended = item.status === 'done' || item.status === 'error';
    assert.equal(typeof item.completed_at, ended ? 'string' : 'object');
    if (item.completed_at !== null) {
      assert.match(item.completed_at, instant);
      assert.ok(item.created_at < item.completed_at && Date.parse(item.completed_at) <= start);
    }
    if (item.status === 'error')
      assert.ok(Number.isInteger(item.error_code) && item.error_code! >= 400 && item.error_code! <= 599);
    else assert.equal(item.error_code ?? null, null);
    assert.equal('request_params' in item, item.kind === 'live');
    if (item.kind === 'live') assert.equal('file' in item, false);
  }
  assert.equal(new Set(all.map((item) => item.id)).size, all.length);
});

test('the distribution is realistic', () => {
  const between = (value: number, min: number, max: number): void =>
    assert.ok(value >= min && value <= max, String(value));
  between(
    share((item) => item.kind === 'live'),
    0.3,
    0.4,
  );
  between(
    share((item) => item.status === 'done'),
    0.75,
    0.9,
  );
  between(
    share((item) => item.status === 'error'),
    0.08,
    0.2,
  );
  between(
    share((item) => item.completed_at === null),
    0.03,
    0.05,
  );
  between(
    share((item) => item.custom_metadata === undefined),
    0.03,
    0.15,
  );
  between(
    share((item) => item.custom_metadata === null),
    0.005,
    0.08,
  );
  between(
    share((item) => item['file'] !== undefined && item['file'] !== null),
    0.25,
    0.5,
  );
  between(
    share((item) => Object.values(item.custom_metadata ?? {}).some((value) => typeof value === 'object')),
    0.01,
    0.1,
  );
  between(new Set(all.map((item) => item.error_code)).size, 8, 20);
  const ages = all.map((item) => (start - Date.parse(item.created_at)) / dayMs);
  between(Math.max(...ages), 89, 90);
  between(Math.min(...ages), 0, 0.01);
  between(ages.filter((age) => age < 7).length / ages.length, 0.2, 0.35);
  for (const day of [0, 10, 20, 30, 40, 50, 60, 70, 80]) assert.ok(ages.some((age) => age >= day && age < day + 10));
});

test('live items echo every field of contract 2.3 and both sets of switches', () => {
  const switches = [
    'receive_partial_transcripts',
    'receive_final_transcripts',
    'receive_speech_events',
    'receive_pre_processing_events',
    'receive_realtime_processing_events',
    'receive_post_processing_events',
    'receive_acknowledgments',
    'receive_errors',
    'receive_lifecycle_events',
  ].map((name) => [name, 'boolean']);
  const shape = {
    encoding: 'string',
    bit_depth: 'number',
    sample_rate: 'number',
    channels: 'number',
    model: 'string',
    endpointing: 'number',
    maximum_duration_without_endpointing: 'number',
    language_config: { languages: ['string'], code_switching: 'boolean' },
    pre_processing: { audio_enhancer: 'boolean', speech_threshold: 'number' },
    realtime_processing: {
      custom_vocabulary: 'boolean',
      custom_spelling: 'boolean',
      translation: 'boolean',
      named_entity_recognition: 'boolean',
      sentiment_analysis: 'boolean',
    },
    post_processing: { summarization: 'boolean', summarization_config: { type: 'string' }, chapterization: 'boolean' },
    messages_config: Object.fromEntries(switches) as unknown,
    callback: 'boolean',
    callback_config: { url: 'string', ...(Object.fromEntries(switches) as object) },
  };
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return [...new Set(['string', ...value.map(shapeOf)])];
    if (typeof value !== 'object' || value === null) return typeof value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
  };
  const live = all.map((item) => item.request_params).filter((params) => params !== undefined);
  const complete = live.filter((params) => 'url' in (params['callback_config'] as object));
  assert.ok(complete.length > 0.9 * live.length);
  for (const params of complete) assert.deepEqual(shapeOf(params), shape);
  for (const params of live.filter((each) => !complete.includes(each))) assert.equal(params['callback'], true);
});

test('live sessions vary, and a few are inconsistent', () => {
  const live = all.map((item) => item.request_params).filter((params) => params !== undefined);
  const variety = (read: (params: Record<string, unknown>) => unknown): number =>
    new Set(live.map((params) => JSON.stringify(read(params)))).size;
  assert.ok(variety((params) => params['encoding']) >= 3);
  assert.ok(variety((params) => params['sample_rate']) >= 4);
  assert.ok(variety((params) => params['language_config']) >= 6);
  assert.ok(variety((params) => params['messages_config']) >= 20);
  const languages = live.map((params) => params['language_config'] as { languages: string[]; code_switching: boolean });
  assert.ok(languages.some((config) => config.code_switching && config.languages.length === 1));
  assert.ok(languages.some((config) => config.code_switching && config.languages.length === 0));
  assert.ok(live.some((params) => params['callback'] === true && !('url' in (params['callback_config'] as object))));
});
