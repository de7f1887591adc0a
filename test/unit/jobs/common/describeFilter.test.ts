import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeFilter, formatMetadataValue } from '../../../../src/jobs/common/describeFilter.ts';
import { noFilter, type JobFilter } from '../../../../src/jobs/common/jobFilter.ts';

function shown(changes: Partial<JobFilter>, timeZone = 'UTC'): string {
  // Intl puts narrow no-break spaces before AM and PM.
  return describeFilter({ ...noFilter, ...changes }, { language: 'en', timeZone }).replaceAll(/\s/g, ' ');
}

test('describes a filter in one line', () => {
  assert.equal(shown({}), '');
  assert.equal(
    shown({
      statuses: ['done', 'error'],
      time: { type: 'last', hours: 24 },
      metadata: { customer: 'Blue Harbor', episode: 12 },
    }),
    'Done, Failed · last 24 hours · customer: Blue Harbor, episode: 12',
  );
});

test('names the time zone of a range', () => {
  assert.equal(shown({ time: { type: 'today', utc: true } }), 'today (UTC)');
  assert.equal(shown({ time: { type: 'today', utc: false } }), 'today');
  assert.equal(shown({ time: { type: 'yesterday' } }), 'yesterday');
  assert.equal(shown({ time: { type: 'last', hours: 1 } }), 'last hour');
  assert.equal(shown({ time: { type: 'last', hours: 168 } }), 'last 7 days');
  assert.equal(shown({ time: { type: 'day', day: '2026-11-20' } }), 'on 2026-11-20');
  const after = '2026-11-19T23:00:00.000Z';
  const before = '2026-11-20T09:30:15.000Z';
  assert.equal(shown({ time: { type: 'range', after, before: undefined } }), 'since Nov 19, 2026, 11:00 PM UTC');
  assert.equal(
    shown({ time: { type: 'range', after, before } }, 'Europe/Paris'),
    'Nov 20, 2026, 12:00 AM GMT+1 to Nov 20, 2026, 10:30:15 AM GMT+1',
  );
  assert.match(shown({ time: { type: 'range', after: undefined, before } }), /^until /);
});

test('metadata values stay on one short line', () => {
  assert.equal(formatMetadataValue('a\n\u202eb\tc'), 'a b c');
  assert.equal(formatMetadataValue({ building: 'A' }), '{"building":"A"}');
  assert.equal(formatMetadataValue('x'.repeat(100)).length, 60);
});
