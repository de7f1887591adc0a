import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ageInMinutes,
  describeCount,
  buildJobRow,
  chooseJobLabel,
  formatJobAge,
  type RowFacts,
} from '../../../../src/jobs/common/jobRow.ts';
import { KeyMask } from '../../../../src/platform/http/keyMask.ts';
import { keyForms, keyFormsIn, markedKey } from '../../../support/hostile/keyForms.ts';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { listedJob } from '../../../support/builders/listedJob.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const facts: RowFacts = {
  labelKeys: ['title', 'customer'],
  errorLabels: { '503': 'Service was busy' },
  nowMs: Date.UTC(2026, 10, 19, 10, 3),
  locale: { language: 'en', timeZone: 'UTC' },
};
const id = '1a2b3c4d-0000-4000-8000-000000000001';

test('a label contains no key, also where it is cut', () => {
  const keyMask = new KeyMask(markedKey);
  const mask = (text: string): string => keyMask.applyToBeginning(text);
  for (const key of keyForms.map(({ write }) => write(markedKey))) {
    for (const item of [
      { custom_metadata: { title: `Call ${key}` } },
      { custom_metadata: { title: `${'x'.repeat(150)}${key}` } },
      { custom_metadata: null, file: { filename: `${key}.mp3` } },
      { custom_metadata: { other: key }, file: null },
      { custom_metadata: null, file: null, id: `${key}-1` },
    ])
      assert.deepEqual(keyFormsIn(chooseJobLabel(listedJob(item), ['title'], undefined, mask), markedKey), []);
  }
});

test('a row of a failed job that was resubmitted says so, also to screen readers', () => {
  const failed = listedJob({ status: 'error', error_code: 503, created_at: '2026-11-19T10:00:00Z' });
  const row = (id: string) => buildJobRow(failed, { ...facts, resubmittedAs: new Map([[id, 'new']]) });
  assert.equal(row(failed.id).description, 'Service was busy · resubmitted · 3m');
  assert.match(row(failed.id).accessibilityLabel, /, resubmitted, /);
  assert.doesNotMatch(JSON.stringify(row('other')), /resubmitted/);
});

test('a row without a label and file name has the name of its submission', () => {
  const submittedAs = new Map([[listedJob().id, 'call.wav']]);
  const label = (changes: Parameters<typeof listedJob>[0]): string =>
    buildJobRow(listedJob(changes), { ...facts, submittedAs }).label;
  assert.equal(label({ custom_metadata: null }), 'call.wav');
  assert.equal(label({ custom_metadata: { title: 'Episode 12' } }), 'Episode 12');
  assert.equal(label({ custom_metadata: null, file: { filename: 'talk.mp3' } }), 'talk.mp3');
});

test('a row without any other label has the first short text of its metadata', () => {
  const label = (metadata: JsonObject, changes: Parameters<typeof listedJob>[0] = {}): string =>
    buildJobRow(listedJob({ custom_metadata: metadata, ...changes }), facts).label;
  const unusual = {
    call: 7,
    url: 'https://a.example/x',
    key: '0123456789abcdef0123',
    note: 'long '.repeat(9),
    empty: '',
  };
  assert.equal(label({ ...unusual, room: 'Room 0', floor: 'Second' }), 'Room 0');
  assert.equal(label(unusual), '1a2b3c4d');
  assert.equal(label({ room: 'Room 0', customer: 'acme' }), 'acme');
  assert.equal(label({ room: 'Room 0' }, { file: { filename: 'talk.mp3' } }), 'talk.mp3');
  const submittedAs = new Map([[id, 'call.wav']]);
  assert.equal(
    buildJobRow(listedJob({ custom_metadata: { room: 'Room 0' } }), { ...facts, submittedAs }).label,
    'call.wav',
  );
});

test('the name of the submission follows a label that several jobs share', () => {
  const named = (name: string, labelKeys = facts.labelKeys): string =>
    buildJobRow(listedJob({ custom_metadata: { customer: 'acme' }, file: { filename: 'talk.mp3' } }), {
      ...facts,
      labelKeys,
      submittedAs: new Map([[id, name]]),
    }).label;
  assert.equal(named('b1.mp3'), 'acme · b1.mp3');
  assert.equal(named('acme'), 'acme');
  assert.equal(
    named('b1.mp3', ['customer', 'show']),
    'acme',
    'without a title among the keys, the first one is the title',
  );
  const other = listedJob({ id: 'other', custom_metadata: { customer: 'acme' } });
  assert.equal(buildJobRow(other, { ...facts, submittedAs: new Map([[id, 'b1.mp3']]) }).label, 'acme');
});

test('the label of a row is the first label key, otherwise the file name, otherwise the start of the ID', () => {
  const label = (changes: Parameters<typeof listedJob>[0]): string => buildJobRow(listedJob(changes), facts).label;
  assert.equal(label({ custom_metadata: { customer: 'Blue Harbor', title: 'Episode 12' } }), 'Episode 12');
  assert.equal(label({ custom_metadata: { title: ' ', customer: 7 } }), '7');
  assert.equal(label({ custom_metadata: null, file: { filename: 'talk.mp3' } }), 'talk.mp3');
  for (const filename of [id, `${id}.wav`, `${id}.`])
    assert.equal(label({ custom_metadata: null, file: { filename } }), '1a2b3c4d', 'just the id');
  assert.equal(label({ custom_metadata: null, file: { filename: `my ${id}.wav` } }), `my ${id}.wav`);
  assert.equal(label({ custom_metadata: { title: { nested: true } }, file: null }), '1a2b3c4d');
  assert.equal(label({ custom_metadata: { title: 'one\n\u202Etwo\u0000' } }), 'one two');
});

test('a row shows why a job failed, with the error label of the user if there is one', () => {
  const description = (code: number): string =>
    buildJobRow(listedJob({ status: 'error', error_code: code }), facts).description;
  assert.equal(description(503), 'Service was busy · 3m');
  assert.equal(description(500), '500 · 3m');
  assert.equal(buildJobRow(listedJob({ status: 'done', error_code: 500 }), facts).description, '3m');
  assert.equal(buildJobRow(listedJob({ created_at: 'yesterday' }), facts).description, '');
});

test('a row shows the duration of its job if rows are sorted by duration', () => {
  const row = buildJobRow(listedJob({}), { ...facts, lengthOf: () => '38m 20s' });
  assert.match(row.description, /^38m 20s · /);
  assert.match(row.accessibilityLabel, /, 38m 20s, /);
});

test('a row marks a live session if lists have both kinds', () => {
  const description = (kind: string, areKindsMixed: boolean): string =>
    buildJobRow(listedJob({ kind }), { ...facts, areKindsMixed }).description;
  assert.equal(description('live', true), 'Live · 3m');
  assert.equal(description('pre-recorded', true), '3m');
  assert.equal(description('live', false), '3m');
});

test('a row can show its time by the clock, with the day unless it is today', () => {
  const row = (created_at: string) => buildJobRow(listedJob({ created_at }), { ...facts, times: 'clock' });
  assert.equal(row('2026-11-19T08:07:00Z').description, '08:07');
  assert.match(row('2026-11-18T18:07:00Z').description, /^Nov 18.* 18:07$/);
  assert.match(row('2026-11-19T08:07:00Z').accessibilityLabel, /, 08:07$/);
});

test('a screen reader reads ID, status, kind and age', () => {
  const spoken = (changes: Parameters<typeof listedJob>[0]): string =>
    buildJobRow(listedJob(changes), facts).accessibilityLabel;
  assert.equal(
    spoken({ kind: 'pre-recorded', custom_metadata: null }),
    'job 1a2b3c4d, done, pre-recorded, 3 minutes ago',
  );
  assert.equal(
    spoken({ id, status: 'error', error_code: 503, custom_metadata: { title: 'Talk' } }),
    'job 1a2b3c4d, Talk, failed, live, Service was busy, 3 minutes ago',
  );
});

test('the text of an age only changes with its whole minutes', () => {
  const age = fc.oneof(fc.nat(3 * 60_000), fc.nat(3 * 86_400_000), fc.nat(800 * 86_400_000));
  fc.assert(
    fc.property(age, fc.nat(120_000), (ageMs, laterMs) => {
      const job = listedJob({ created_at: new Date(facts.nowMs - ageMs).toISOString() });
      const later = { ...facts, nowMs: facts.nowMs + laterMs };
      const minutes = ageInMinutes(job, facts);
      fc.pre(minutes !== undefined && minutes === ageInMinutes(job, later));
      assert.equal(formatJobAge(job, facts), formatJobAge(job, later));
    }),
    { numRuns: propertyRuns },
  );
  assert.equal(
    ageInMinutes(listedJob(), { ...facts, times: 'clock' }),
    undefined,
    'the day of a clock changes at midnight',
  );
});

test('a job that is done but failed in part is marked', () => {
  const partly = { status: 'done', result: { translation: { success: false, error: { message: 'too long' } } } };
  const row = buildJobRow(listedJob(partly), facts);
  assert.equal(row.isPartlyFailed, true);
  assert.match(row.accessibilityLabel, /, done, failed in part, /);
  const result = { translation: { success: true } };
  const whole = buildJobRow(listedJob({ status: 'done', result }), facts);
  assert.equal(whole.isPartlyFailed, false);
  assert.doesNotMatch(whole.accessibilityLabel, /part/);
});

test('a count never shows more than is known', () => {
  const list = { jobs: { entries: Array.from({ length: 20 }) }, loaded: true, isComplete: false, exact: undefined };
  assert.equal(describeCount(list, facts), '20+');
  assert.equal(describeCount({ ...list, isComplete: true }, facts), '20');
  assert.equal(describeCount({ ...list, loaded: false }, facts), '');
  assert.equal(
    describeCount({ ...list, exact: { count: 1234, atMs: Date.UTC(2026, 0, 1, 14, 2) } }, facts).replaceAll(
      '\u202F',
      ' ',
    ),
    '1,234 at 2:02 PM',
  );
});

test('a row with another time than that of creation uses it in its text and for screen readers', () => {
  const { nowMs } = facts;
  const job = listedJob({
    status: 'error',
    error_code: 503,
    created_at: new Date(nowMs - 3 * 3_600_000).toISOString(),
  });
  const shownMs = nowMs - 120_000;
  const shown = buildJobRow(job, { ...facts, shownMs });
  assert.match(shown.description, /2m$/);
  assert.match(shown.accessibilityLabel, /2 minutes ago$/);
  assert.match(buildJobRow(job, facts).accessibilityLabel, /3 hours ago$/);
  const clock = buildJobRow(job, { ...facts, shownMs, times: 'clock' });
  assert.deepEqual(
    [clock.description, clock.accessibilityLabel].map((text) => text.slice(-5)),
    ['10:01', '10:01'],
  );
});
