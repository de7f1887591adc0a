import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { compareJobFacts, compareSessions } from '../../../../../src/features/details/common/compareSessions.ts';
import { comparisonView } from '../../../../../src/features/details/common/comparison.ts';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { liveItem, preRecordedItem, switches } from '../../../../support/builders/jobItem.ts';
import { jobFrom } from './jobFrom.ts';
import { valueText } from './plainText.ts';
import { jobItemShape } from '../../../../../src/jobs/common/decodeJob.ts';

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

/** Returns the rows that differ: `Sample rate: 16,000 Hz | 8,000 Hz*`, with differing values marked by a star. */
function differences(...params: readonly JsonObject[]): string[] {
  return compare(...params).groups.flatMap(({ rows }) =>
    rows.flatMap(({ label, values }) =>
      values.type === 'same'
        ? []
        : [`${label}: ${values.cells.map(({ value, odd }) => `${valueText(value)}${odd ? '*' : ''}`).join(' | ')}`],
    ),
  );
}

test('identical sessions show every value once', () => {
  const view = compare({}, {}, {});
  assert.deepEqual(differences({}, {}, {}), []);
  assert.equal(view.summary, 'All 39 parameters are identical.');
  assert.equal(view.title, '3 sessions compared');
  assert.deepEqual(
    view.sessions.map(({ title, status, created }) => [title, status.text, created?.absolute]),
    [0, 1, 2].map((index) => [`Session ${index}`, 'Done', 'Nov 19, 2026, 10:00:00 AM UTC']),
  );
});

test('values that differ from the majority are marked', () => {
  assert.deepEqual(differences({}, { sample_rate: 8000 }, {}, {}), [
    'Sample rate: 16,000 Hz | 8,000 Hz* | 16,000 Hz | 16,000 Hz',
  ]);
  assert.equal(compare({}, { sample_rate: 8000 }).summary, '1 of 39 parameters differs.');
});

test('every value is marked if there is no majority', () => {
  assert.deepEqual(differences({ channels: 1 }, { channels: 2 }), ['Channels: 1* | 2*']);
  assert.deepEqual(differences({ channels: 1 }, { channels: 2 }, { channels: 2 }, { channels: 1 }), [
    'Channels: 1* | 2* | 2* | 1*',
  ]);
});

test('absent and null are equal, and numbers are equal if they are written the same', () => {
  const [a, b, c] = [
    '{"id":"a","request_params":{"endpointing":0.50,"model":null}}',
    '{"id":"b","request_params":{"endpointing":0.50}}',
    '{"id":"c","request_params":{"endpointing":5e-1}}',
  ].map((raw) => ({ job: jobFrom(JSON.parse(raw), 'live', raw), title: raw }));
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  assert.equal(compareSessions([a, b], locale).summary, 'All 39 parameters are identical.');
  assert.equal(compareSessions([a, c], locale).summary, '1 of 39 parameters differs.');
});

test('message switches are compared in both sets', () => {
  const config = { url: 'https://hooks.example.com/live', ...switches(false), receive_errors: true };
  assert.deepEqual(differences({}, { callback_config: config }, {}), ['Errors: Off | On* | Off']);
});

test('unknown parameters are compared under their own names, including dots and nesting', () => {
  assert.deepEqual(
    differences(
      { 'a.b': { x: 1, y: 2 }, seed: 1 },
      { 'a.b': { y: 2, x: 1 }, seed: 1, language_config: { accent: 'any' } },
    ),
    ['Languages: English (en), French (fr)* | –*', 'Code switching: On* | –*', 'language_config.accent: –* | "any"*'],
  );
});

test('a group without rows is left out', () => {
  const groups = (...params: readonly JsonObject[]): string[] => compare(...params).groups.map(({ id }) => id);
  assert(!groups({}, {}).includes('other'));
  assert(groups({}, { seed: 1 }).includes('other'));
  for (const group of compare({}, {}).groups) assert(group.rows.length > 0, group.id);
});

test('a session without parameters, or with parameters of the wrong type, can be compared', () => {
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

test('the view survives the transfer to the page', () => {
  const view = compare({}, { channels: 2, seed: [1] });
  assert.deepEqual(comparisonView(JSON.parse(JSON.stringify(view))), view);
});

test('times and measured values come first, and do not count as parameters', () => {
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

test('metadata of sessions are compared, and do not count as parameters', () => {
  const session = (index: number, metadata: JsonObject | null) => ({
    job: jobFrom({
      ...liveItem({ id: `s${index}` }, {}),
      custom_metadata: metadata,
      post_session_metadata: { drops: index },
    }),
    title: `Session ${index}`,
  });
  const view = compareSessions([session(0, { room: 'A', show: 'News' }), session(1, { show: 'News' })], locale);
  assert.equal(view.summary, 'All 39 parameters are identical.');
  const rows = view.groups
    .filter(({ id }) => id.endsWith('_metadata'))
    .flatMap(({ title, rows }) => rows.map(({ label, values }) => `${title} / ${label}: ${values.type}`));
  assert.deepEqual(rows, [
    'Custom metadata / room: different',
    'Custom metadata / show: same',
    'Post-session metadata / drops: different',
  ]);
});

function compareFacts(...changes: readonly JsonObject[]) {
  const jobs = changes.map((each, index) => ({
    job: jobFrom(preRecordedItem({ id: `j${index}`, ...each })),
    title: `Job ${index}`,
  }));
  return compareJobFacts(jobs, { locale, errorLabels: { 422: 'Bad audio' } });
}

/** Returns every row with its group: `overview Status: Done* | Failed*`; one value if all jobs have it. */
function factRows(...changes: readonly JsonObject[]): string[] {
  return compareFacts(...changes).groups.flatMap(({ id, rows }) =>
    rows.map(({ label, values }) => {
      const cells = values.type === 'same' ? [{ value: values.value, odd: false }] : values.cells;
      return `${id} ${label}: ${cells.map(({ value, odd }) => `${valueText(value)}${odd ? '*' : ''}`).join(' | ')}`;
    }),
  );
}

const bareFacts = { version: 2, custom_metadata: null, post_session_metadata: null, completed_at: null };

test('plain fields, times and metadata of pre-recorded jobs are compared', () => {
  const metadata = (customer: string): JsonObject => ({ custom_metadata: { customer, 'a.b': [1] } });
  assert.deepEqual(
    factRows(
      { ...bareFacts, ...metadata('acme'), file: { n: 1 } },
      { ...bareFacts, ...metadata('zenith'), file: { n: 1 }, status: 'error', error_code: 422 },
    ),
    [
      'overview Status: Done* | Failed*',
      'overview Error code: –* | 422: Bad audio*',
      'overview Version: 2',
      'custom_metadata customer: "acme"* | "zenith"*',
      'custom_metadata a.b: [1]',
      'other file: {"n":1}',
    ],
  );
  const view = compareFacts(bareFacts, { ...bareFacts, status: 'error' });
  assert.equal(view.title, '2 jobs compared');
  assert.equal(view.summary, '1 of 2 fields differs.');
  assert.equal(compareFacts(bareFacts, bareFacts).summary, 'All 2 fields are identical.');
  assert.deepEqual(comparisonView(JSON.parse(JSON.stringify(view))), view);
});

test('no field in which two jobs differ is left out', () => {
  // IDs always differ, the kind of compared jobs never does, and times are compared as durations.
  const left = new Set(['id', 'request_id', 'kind', 'created_at', 'completed_at']);
  for (const field of Object.keys(jobItemShape).filter((name) => !left.has(name))) {
    const [one, other] = field.endsWith('metadata')
      ? [{ a: 1 }, { a: 2 }]
      : field === 'status'
        ? ['done', 'error']
        : [1, 2];
    const { groups } = compareFacts({ ...bareFacts, [field]: one }, { ...bareFacts, [field]: other });
    assert.ok(
      groups.some(({ rows }) => rows.some(({ values }) => values.type !== 'same')),
      field,
    );
  }
});

test('times of pre-recorded jobs are processing times', () => {
  const times = factRows({}, {}).filter((row) => row.startsWith('times '));
  assert.match(times[0] ?? '', /^times Processing time: /);
});

test('settings are compared if the service echoes all requests, by purpose in a fixed order', () => {
  const first = { request_params: { sentences: true, subtitles: true, subtitles_config: { formats: ['srt'] } } };
  const second = { request_params: { sentences: true, audio_url: 'https://a.example/1', diarization: false } };
  assert.deepEqual(
    factRows({ ...bareFacts, ...first }, { ...bareFacts, ...second }).filter((row) => row.startsWith('settings/')),
    [
      'settings/audio audio_url: –* | https://a.example/1*',
      'settings/speakers diarization: –* | Off*',
      'settings/subtitles subtitles: On* | –*',
      'settings/subtitles subtitles_config.formats: ["srt"]* | –*',
      'settings/more sentences: On',
    ],
  );
  assert.equal(compareFacts(first, second).note, undefined);
});

test('a note reports that long results, which rows do not have, are not compared', () => {
  const job = jobFrom(preRecordedItem({ id: 'a', request_params: {} }));
  const lean = { ...job, omitted: { characters: 9_000, digest: 'd', service: Symbol('service') } };
  const noteOf = (...jobs: readonly Job[]) =>
    compareJobFacts(
      jobs.map((each) => ({ job: each, title: each.id })),
      { locale, errorLabels: {} },
    ).note;
  assert.equal(noteOf(job, job), undefined);
  assert.equal(noteOf(job, lean), "Transcripts and other long results aren't compared.");
  const shown = (text: string) => ({ request_params: {}, result: { transcription: { full_transcript: text } } });
  assert.ok(factRows(shown('one'), shown('other')).some((row) => /^other result: .*one.*\| .*other/.test(row)));
});

test('a note explains why settings are not compared, and a missing echo does not count as a different setting', () => {
  const echo = { request_params: { sentences: true } };
  assert.equal(
    compareFacts({}, {}).note,
    "Settings aren't compared, because the service doesn't send them with these jobs.",
  );
  assert.equal(
    compareFacts({}, echo).note,
    "Settings aren't compared, because the service sent them with only some of these jobs.",
  );
  assert(!factRows({}, echo).some((row) => /sentences/.test(row)));
  assert(factRows({}, { request_params: 'none' }).includes('other request_params: –* | "none"*'));
});

test('metadata of any size or type is compared, large metadata as a whole', () => {
  const large = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
  const rows = (...metadata: readonly JsonObject[string][]): string[] =>
    factRows(...metadata.map((each) => ({ ...bareFacts, custom_metadata: each }))).filter((row) =>
      row.startsWith('custom_metadata '),
    );
  assert.equal(rows(large, { k1: 1 }).length, 1);
  assert.deepEqual(rows('text', null), ['custom_metadata custom_metadata: "text"* | –*']);
  assert.deepEqual(rows({ n: 1.0, constructor: 1 }, { n: 1 }), [
    'custom_metadata n: 1',
    'custom_metadata constructor: 1* | –*',
  ]);
});
