import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseFacets } from '../../../../src/domain/board/chooseFacets.ts';
import { boardColumns, columnsOf, jobOf } from './boardJobs.ts';

describe('Columns of jobs', () => {
  it('give back every value as it was, of text of any script too', () => {
    const names = ['Ärger', '北京', '', 'plain', '\ud800 half', 'a'.repeat(150)];
    const columns = columnsOf(names.map((name, index) => jobOf({ id: `j${index}`, custom_metadata: { name } })));
    const read = names.map((_, row) => columns.column('custom_metadata.name')?.value(row));
    assert.deepEqual(read, names);
    assert.deepEqual(
      names.map((_, row) => columns.column('id')?.value(row)),
      names.map((_, index) => `j${index}`),
    );
  });

  it('take members at any depth, lists of plain values, and keep missing apart from empty', () => {
    const columns = columnsOf([
      jobOf({ id: 'a', custom_metadata: { room: { floor: 3 }, tags: ['x', 'y'], done: true, nothing: null } }),
      jobOf({ id: 'b', custom_metadata: { tags: [] } }),
      jobOf({ id: 'c' }),
    ]);
    const read = (key: string): unknown[] => [0, 1, 2].map((row) => columns.column(key)?.value(row));
    assert.deepEqual(read('custom_metadata.room.floor'), ['3', undefined, undefined]);
    assert.deepEqual(read('custom_metadata.tags'), ['x, y', '', undefined]);
    assert.deepEqual(read('custom_metadata.done'), ['true', undefined, undefined]);
    assert.equal(columns.column('custom_metadata.nothing'), undefined);
    assert.equal(columns.column('custom_metadata.room.floor')?.isText(1), false);
    assert.equal(columns.column('custom_metadata.tags')?.isText(2), false);
  });

  it('keep values that hardly repeat as text, without losing any, and do not offer them as a facet', () => {
    const columns = boardColumns({ seed: 3, count: 5000 });
    const call = columns.column('custom_metadata.call');
    assert.equal(call?.isCoded, false);
    assert.equal(call?.value(0), '3-0');
    assert.equal(call?.value(4999), '3-4999');
    assert.deepEqual(chooseFacets(columns).toSorted(), [
      'custom_metadata.agent',
      'custom_metadata.customer',
      'custom_metadata.region',
      'error_code',
      'kind',
      'request_params.language_config.languages',
      'request_params.model',
      'status',
    ]);
  });

  it('take times and processing times as they are, and none where they contradict each other', () => {
    const columns = columnsOf([
      jobOf({ id: 'a', created_at: '2026-10-01T00:00:00.000Z', completed_at: '2026-10-01T00:00:05.000Z' }),
      jobOf({ id: 'b', created_at: '2026-10-01T00:00:00.000Z', completed_at: '2026-09-01T00:00:05.000Z' }),
      jobOf({ id: 'c', created_at: 'yesterday' }),
    ]);
    assert.deepEqual(
      [0, 1, 2].map((row) => columns.processingMs(row)),
      [5000, NaN, NaN],
    );
  });

  it('tell which of some keys most jobs have, the first of several', () => {
    const metadata = [{ title: 'a', name: 'n' }, { name: 'm' }, { customer: 'x' }, { customer: 'y' }, {}];
    const columns = columnsOf(metadata.map((custom_metadata, at) => jobOf({ id: String(at), custom_metadata })));
    const keys = (...names: readonly string[]) => names.map((name) => `custom_metadata.${name}`);
    assert.equal(columns.mostFilled(keys('title', 'name', 'customer')), 'custom_metadata.name');
    assert.equal(columns.mostFilled(keys('title', 'customer', 'name')), 'custom_metadata.customer');
    assert.equal(columns.mostFilled(keys('other')), undefined);
    assert.equal(columns.mostFilled([]), undefined);
  });

  it('leave out keys beyond the most, and say how many', () => {
    const metadata = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key${index}`, index]));
    const columns = columnsOf([jobOf({ id: 'a', custom_metadata: metadata })]);
    assert.ok(columns.omittedKeys >= 50);
  });
});
