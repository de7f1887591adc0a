import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareSessions } from '../../../../src/domain/jobView/compareSessions.ts';
import { comparisonView } from '../../../../src/domain/jobView/comparison.ts';
import type { JsonObject } from '../../../../src/domain/json/json.ts';
import { liveItem, switches } from '../../../support/builders/jobItem.ts';
import { jobFrom } from './jobFrom.ts';
import { valueText } from './plainText.ts';

const locale = { language: 'en', timeZone: 'UTC' };

function compare(...params: readonly JsonObject[]) {
  return compareSessions(
    params.map((changes, index) => ({
      job: jobFrom(liveItem({ id: `s${index}` }, changes)),
      title: `Session ${index}`,
    })),
    locale,
  );
}

/** The rows that differ: `Sample rate: 16,000 Hz | 8,000 Hz*`, with differing values marked by a star. */
function differences(...params: readonly JsonObject[]): string[] {
  return compare(...params).groups.flatMap(({ rows }) =>
    rows.flatMap(({ label, values }) =>
      values.type === 'same'
        ? []
        : [`${label}: ${values.cells.map(({ value, odd }) => `${valueText(value)}${odd ? '*' : ''}`).join(' | ')}`],
    ),
  );
}

test('sessions that are alike state every value once', () => {
  const view = compare({}, {}, {});
  assert.deepEqual(differences({}, {}, {}), []);
  assert.equal(view.summary, 'All 39 parameters are identical.');
  assert.equal(view.title, '3 sessions compared');
  assert.deepEqual(
    view.sessions.map(({ title, status, created }) => [title, status.text, created?.absolute]),
    [0, 1, 2].map((index) => [`Session ${index}`, 'Done', 'Nov 19, 2026, 10:00:00 AM UTC']),
  );
});

test('what most sessions have prevails, the others are odd', () => {
  assert.deepEqual(differences({}, { sample_rate: 8000 }, {}, {}), [
    'Sample rate: 16,000 Hz | 8,000 Hz* | 16,000 Hz | 16,000 Hz',
  ]);
  assert.equal(compare({}, { sample_rate: 8000 }).summary, '1 of 39 parameters differs.');
});

test('where no value prevails every one is odd', () => {
  assert.deepEqual(differences({ channels: 1 }, { channels: 2 }), ['Channels: 1* | 2*']);
  assert.deepEqual(differences({ channels: 1 }, { channels: 2 }, { channels: 2 }, { channels: 1 }), [
    'Channels: 1* | 2* | 2* | 1*',
  ]);
});

test('absent and null are one, and a number is itself however it is written', () => {
  const [a, b] = [
    '{"id":"a","request_params":{"endpointing":0.50,"model":null}}',
    '{"id":"b","request_params":{"endpointing":5e-1}}',
  ].map((raw) => ({ job: jobFrom(JSON.parse(raw), 'live', raw), title: raw }));
  assert.ok(a !== undefined && b !== undefined);
  assert.equal(compareSessions([a, b], locale).summary, 'All 39 parameters are identical.');
});

test('message switches are compared in each of their sets', () => {
  const config = { url: 'https://hooks.example.com/live', ...switches(false), receive_errors: true };
  assert.deepEqual(differences({}, { callback_config: config }, {}), ['Errors: Off | On* | Off']);
});

test('unknown parameters are compared under their own names, dots and nesting included', () => {
  assert.deepEqual(
    differences(
      { 'a.b': { x: 1, y: 2 }, seed: 1 },
      { 'a.b': { y: 2, x: 1 }, seed: 1, language_config: { accent: 'any' } },
    ),
    ['Languages: English (en), French (fr)* | –*', 'Code switching: On* | –*', 'language_config.accent: –* | "any"*'],
  );
});

test('a group without a row is left out', () => {
  const groups = (...params: readonly JsonObject[]): string[] => compare(...params).groups.map(({ id }) => id);
  assert(!groups({}, {}).includes('other'));
  assert(groups({}, { seed: 1 }).includes('other'));
  for (const group of compare({}, {}).groups) assert(group.rows.length > 0, group.id);
});

test('a session without parameters, or with wrong ones, can be compared', () => {
  const bare = jobFrom({ id: 'x', kind: 'live', request_params: 'none' });
  const view = compareSessions(
    [
      { job: bare, title: 'x' },
      { job: jobFrom(liveItem()), title: 'y' },
    ],
    locale,
  );
  assert.match(view.summary, /^3\d of 39 parameters differ\.$/);
});

test('the view survives the way to the page', () => {
  const view = compare({}, { channels: 2, seed: [1] });
  assert.deepEqual(comparisonView(JSON.parse(JSON.stringify(view))), view);
});

test('times and what the service measured come first, and do not count as parameters', () => {
  const session = (index: number, result: JsonObject | null) => ({
    job: jobFrom({ ...liveItem({ id: `s${index}` }, {}), result }),
    title: `Session ${index}`,
  });
  const measured = { metadata: { audio_duration: 60, number_of_distinct_channels: 2 } };
  const view = compareSessions([session(0, measured), session(1, null)], locale);
  assert.equal(view.summary, 'All 39 parameters are identical.');
  const [times] = view.groups;
  assert.deepEqual(
    times?.rows.map(({ label, values }) => [
      label,
      values.type === 'same' ? valueText(values.value) : values.cells.map(({ value }) => valueText(value)).join(' | '),
    ]),
    [
      ['Session length', '2 min 3.5 sec'],
      ['Audio length', '1 min | –'],
      ['Channels', '2 | –'],
    ],
  );
});
