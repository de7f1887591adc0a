import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFilterParams, findContradiction, noFilter } from '../../../../src/jobs/common/jobFilter.ts';
import type { ListParams } from '../../../../src/jobs/common/listParams.ts';
import { listedJob } from '../../../support/builders/listedJob.ts';

const at = '2026-11-20T12:00:00.000Z';
const before = '2026-11-20T11:59:59.999Z';
const after = '2026-11-20T12:00:00.001Z';

const contradiction = (asked: ListParams, created_at = at, item = {}) =>
  findContradiction(listedJob({ created_at, status: 'done', ...item }), asked);

test('a job of any time may match a time condition, which only the service interprets', () => {
  for (const asked of [
    { afterDate: at },
    { beforeDate: at },
    { date: '2026-11-20' },
    { afterDate: at, beforeDate: at },
  ]) {
    for (const created of ['2019-01-01T00:00:00Z', before, at, after, '2031-01-01T00:00:00Z']) {
      assert.equal(contradiction(asked, created), undefined, `${JSON.stringify(asked)} ${created}`);
    }
  }
});

test('only a known status that was not requested contradicts a filter; a missing time does not', () => {
  assert.equal(contradiction({ statuses: ['queued', 'done'] }), undefined);
  assert.equal(contradiction({ statuses: ['queued'] }), 'status');
  assert.equal(contradiction({ statuses: ['queued'] }, at, { status: 'archived' }), undefined);
  assert.equal(contradiction({ afterDate: at }, '', {}), undefined);
});

test('metadata must contain each pair; strings equal numbers, and objects may have further members', () => {
  const item = { custom_metadata: { call: 7, where: { city: 'Lyon', floor: 2 }, tags: ['a', 'b'] } };
  const asked = (customMetadata: NonNullable<ListParams['customMetadata']>) =>
    contradiction({ customMetadata }, at, item);
  assert.equal(asked({ call: '7' }), undefined);
  assert.equal(asked({ call: 7, where: { floor: '2' } }), undefined);
  assert.equal(asked({ tags: ['a', 'b'] }), undefined);
  for (const other of [{ call: 8 }, { call: 7, agent: 'x' }, { where: { floor: 3 } }, { tags: ['a'] }, { tags: 'a' }]) {
    assert.equal(asked(other), 'metadata', JSON.stringify(other));
  }
});

test('yesterday and today follow the local clock, including days of 23 and 25 hours', (context) => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/Paris';
  context.after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  const dates = (type: 'yesterday' | 'today', now: string) => {
    const time = type === 'today' ? { type, utc: false } : { type };
    return buildFilterParams({ ...noFilter, time }, Date.parse(now));
  };
  assert.deepEqual(dates('yesterday', '2026-03-30T12:00:00Z'), {
    afterDate: '2026-03-28T23:00:00.000Z',
    beforeDate: '2026-03-29T22:00:00.000Z',
  });
  assert.deepEqual(dates('yesterday', '2026-10-26T12:00:00Z'), {
    afterDate: '2026-10-24T22:00:00.000Z',
    beforeDate: '2026-10-25T23:00:00.000Z',
  });
  assert.deepEqual(dates('today', '2026-10-25T12:00:00Z'), { afterDate: '2026-10-24T22:00:00.000Z' });
});

test('truncated metadata of a row never excludes its job', () => {
  const asked = { customMetadata: { customer: 'Blue Harbor' } };
  const job = listedJob({ status: 'done', custom_metadata: { room: 'one' } });
  assert.equal(findContradiction(job, asked), 'metadata');
  assert.equal(findContradiction({ ...job, cutFields: ['custom_metadata'] }, asked), undefined);
  assert.equal(findContradiction({ ...job, cutFields: ['file'] }, asked), 'metadata');
});
