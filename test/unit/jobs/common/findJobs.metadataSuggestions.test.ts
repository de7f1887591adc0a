import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../../../src/jobs/common/job.ts';
import type { JsonValue } from '../../../../src/base/json/json.ts';
import { suggestMetadata, readTypedValues } from '../../../../src/jobs/common/findJobs.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';

function job(metadata: JsonValue | undefined): Job {
  return bareJob({ raw: JSON.stringify({ id: 'a', custom_metadata: metadata }) });
}

test('suggests keys and values of loaded jobs, the most frequent first', () => {
  const suggestions = suggestMetadata([
    job({ customer: 'Blue', episode: 12 }),
    job({ customer: 'Red', vip: true }),
    job({ customer: 'Red', room: { floor: 1 }, note: '' }),
    job(null),
    job(undefined),
    job(['odd']),
  ]);
  assert.deepEqual(
    suggestions.map(({ key, jobs, values }) => [key, jobs, values.map(({ value }) => value)]),
    [
      ['customer', 3, ['Red', 'Blue']],
      ['episode', 1, [12]],
      ['note', 1, []],
      ['room', 1, []],
      ['vip', 1, [true]],
    ],
  );
});

test('reads a bounded number of jobs', () => {
  let given = 0;
  function* endless(): Generator<Job> {
    for (;;) {
      given++;
      yield job({ [`key${given % 7}`]: given });
    }
  }
  const suggestions = suggestMetadata(endless());
  assert.ok(given <= 5_001);
  assert.ok(suggestions.length === 7 && suggestions.every(({ values }) => values.length === 200));
});

test('suggests keys that exist on every object, such as __proto__', () => {
  const odd: Job = { ...job({}), raw: '{"id":"a","custom_metadata":{"__proto__":"x","constructor":1}}' };
  assert.deepEqual(
    suggestMetadata([odd]).map(({ key }) => key),
    ['__proto__', 'constructor'],
  );
});

test('a typed value is read as a string and as the JSON value that it spells', () => {
  assert.deepEqual(readTypedValues('Blue Harbor'), ['Blue Harbor']);
  assert.deepEqual(readTypedValues('12'), [12, '12']);
  assert.deepEqual(readTypedValues('-1.5'), [-1.5, '-1.5']);
  assert.deepEqual(readTypedValues('true'), [true, 'true']);
  for (const text of ['1e3', '1.50', '12345678901234567890']) {
    assert.deepEqual(readTypedValues(text), [JSON.rawJSON(text), text]);
  }
  for (const text of ['007', 'null', ' 1']) assert.deepEqual(readTypedValues(text), [text]);
  assert.deepEqual(readTypedValues('{"city":"Lyon"}'), [{ city: 'Lyon' }, '{"city":"Lyon"}']);
  assert.deepEqual(readTypedValues('[1, 2]'), [[1, 2], '[1, 2]']);
  assert.deepEqual(readTypedValues('[Lyon]'), ['[Lyon]']);
  assert.deepEqual(readTypedValues(''), []);
});
