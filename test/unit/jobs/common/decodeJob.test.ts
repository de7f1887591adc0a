import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeJob, readJobFields } from '../../../../src/jobs/common/decodeJob.ts';
import { readJobItem } from '../../../../src/jobs/common/job.ts';
import type { SchemaDeviation } from '../../../../src/base/decode/readShape.ts';
import { liveItem, preRecordedItem } from '../../../support/builders/jobItem.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

function decode(value: unknown) {
  const deviations: SchemaDeviation[] = [];
  const raw = JSON.stringify(value) ?? 'null';
  return { entry: decodeJob(value, raw, 'live', (deviation) => deviations.push(deviation)), deviations };
}

test('a complete pre-recorded item has no deviations', () => {
  const { entry, deviations } = decode(preRecordedItem({ error_code: 500 }));
  assert.deepEqual(deviations, []);
  assert.deepEqual(entry, {
    type: 'job',
    id: '1a2b3c4d-0000-4000-8000-000000000001',
    kind: 'pre-recorded',
    status: 'done',
    createdAtMs: Date.UTC(2026, 10, 19, 10),
    completedAtMs: Date.UTC(2026, 10, 19, 10, 2, 3, 500),
    errorCode: 500,
    raw: JSON.stringify(preRecordedItem({ error_code: 500 })),
  });
});

test('a complete live item has no deviations', () => {
  const { entry, deviations } = decode(liveItem({ error_code: 500 }));
  assert.deepEqual(deviations, []);
  const { request_params: _, ...plain } = liveItem({ error_code: 500 });
  assert.deepEqual(readJobFields(entry), plain);
});

test('the request echoed by a pre-recorded item is no deviation, whatever its members', () => {
  const echo = {
    audio_url: 'https://media.example.com/a.mp3',
    diarization: true,
    detect_language: true,
    language: null,
  };
  const deviationsOf = (item: ReturnType<typeof preRecordedItem>): readonly string[] =>
    decode({ ...item, error_code: 500 }).deviations.map(({ kind, path }) => `${kind} ${path}`);
  assert.deepEqual(deviationsOf(preRecordedItem({ request_params: echo })), []);
  assert.deepEqual(deviationsOf(preRecordedItem({ request_params: null })), []);
  assert.deepEqual(deviationsOf(preRecordedItem({ request_params: 3 })), ['wrongType items[].request_params']);
  const { kind: _, ...unnamed } = preRecordedItem({ request_params: echo });
  const found: string[] = [];
  decodeJob(unnamed, JSON.stringify(unnamed), 'pre-recorded', ({ path }) => found.push(path));
  assert.ok(!found.some((path) => path.includes('request_params')), found.join(', '));
});

test('every deviation is reported once, and the item stays complete', () => {
  const item = liveItem(
    { status: 'archived', kind: 'batch', version: '2', error_code: null, colour: 'red' },
    { channels: 1.5, callback_config: null, seed: 7 },
  );
  const { entry, deviations } = decode(item);
  assert.deepEqual(deviations.map(({ kind, path }) => `${kind} ${path}`).toSorted(), [
    'null items[].request_params.callback_config',
    'unknownField items[].*',
    'unknownField items[].request_params.*',
    'unknownValue items[].kind',
    'unknownValue items[].status',
    'wrongType items[].request_params.channels',
    'wrongType items[].version',
  ]);
  assert.equal(entry.type === 'job' && entry.status, 'archived');
  assert.equal(entry.type === 'job' && entry.kind, 'batch');
  assert.deepEqual(readJobItem(entry), item);
  const { version, error_code: errorCode, id } = readJobFields(entry);
  assert.deepEqual({ version, errorCode, id }, { version: undefined, errorCode: undefined, id: item['id'] });
});

test('a field that is usually empty is no deviation', () => {
  const deviationsOf = (status: string): readonly string[] =>
    decode(
      preRecordedItem({
        status,
        completed_at: null,
        error_code: null,
        custom_metadata: null,
        post_session_metadata: null,
      }),
    ).deviations.map(({ kind, path }) => `${kind} ${path}`);
  assert.deepEqual(deviationsOf('queued'), []);
  assert.deepEqual(deviationsOf('processing'), []);
  assert.deepEqual(deviationsOf('done'), ['null items[].completed_at']);
  assert.deepEqual(deviationsOf('error'), ['null items[].completed_at', 'null items[].error_code']);
  const { error_code: _code, custom_metadata: _metadata, ...bare } = preRecordedItem();
  assert.deepEqual(decode(bare).deviations, []);
  const wrong = decode(preRecordedItem({ error_code: '7', custom_metadata: [] })).deviations;
  assert.deepEqual(
    wrong.map(({ kind, path }) => `${kind} ${path}`),
    ['wrongType items[].custom_metadata', 'wrongType items[].error_code'],
  );
});

for (const [name, value] of [
  ['nothing', null],
  ['a text', 'job'],
  ['an array', []],
  ['an object without id', { status: 'done' }],
  ['an empty id', { id: ' ' }],
  ['an object as id', { id: {} }],
] as const) {
  test(`${name} becomes an unreadable item and is not dropped`, () => {
    const { entry, deviations } = decode(value);
    assert.deepEqual(entry, { type: 'unreadable', raw: JSON.stringify(value) });
    assert.deepEqual(deviations, [{ path: 'items[]', kind: 'unreadable' }]);
  });
}

test('an item without a kind has the requested kind', () => {
  const entry = decodeJob({ id: 'x' }, '{"id":"x"}', 'pre-recorded', () => undefined);
  assert.equal(entry.type === 'job' && entry.kind, 'pre-recorded');
});

test('property: any JSON is decoded without an exception, and its text is kept', () => {
  const nearlyItem = fc.record(
    Object.fromEntries(
      Object.keys(liveItem()).map((field) => [field, fc.oneof(fc.jsonValue(), fc.constant(liveItem()[field]))]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), nearlyItem), (value) => {
      const { entry } = decode(value);
      assert.equal(entry.raw, JSON.stringify(value));
      if (entry.type === 'job') assert.deepEqual(readJobItem(entry), JSON.parse(entry.raw));
    }),
    { numRuns: propertyRuns },
  );
});

for (const [name, written, id] of [
  ['a number', '7', '7'],
  ['an integer that a double cannot represent', '12345678901234567891', '12345678901234567891'],
  ['a negative integer that a double cannot represent', '-9007199254740993', '-9007199254740993'],
  ['a number larger than the largest double', '1e999', '1e999'],
  ['the last of two members', '1, "id": 12345678901234567890', '12345678901234567890'],
  ['a number as a string', '"12345678901234567891"', '12345678901234567891'],
] as const) {
  test(`an id may be ${name}`, () => {
    const raw = `{"nested": {"id": 5}, "id": ${written}, "status": "done"}`;
    const entry = decodeJob(JSON.parse(raw), raw, 'live', () => {});
    assert.equal(entry.type === 'job' && entry.id, id);
  });
}
