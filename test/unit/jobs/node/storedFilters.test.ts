import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFilter, type JobFilter } from '../../../../src/jobs/common/jobFilter.ts';
import { StoredFilters } from '../../../../src/jobs/node/storedFilters.ts';
import { JsonMemory } from '../../../support/states/jsonMemory.ts';

const filter: JobFilter = { statuses: ['error'], time: { type: 'last', hours: 24 }, metadata: { customer: 'x' } };

test('each connection has its own filter, and clearing it keeps only the recent ones', async () => {
  const memory = new JsonMemory();
  const stored = new StoredFilters(memory);
  await stored.write('One', filter);
  assert.deepEqual(await new StoredFilters(memory).read('One'), { filter });
  assert.deepEqual(await stored.read('Other'), { filter: noFilter });
  await stored.write('One', noFilter);
  assert.deepEqual([...memory.entries.keys()], ['recentFilters/One']);
});

test('the filter "yesterday", which version 0.2.0 stored under another key, is found, replaced and cleared', async () => {
  const yesterday: JobFilter = { ...filter, time: { type: 'yesterday' } };
  for (const next of [filter, yesterday, noFilter]) {
    const memory = new JsonMemory({ 'laterFilter/One': { version: 1, ...yesterday } });
    const stored = new StoredFilters(memory);
    assert.deepEqual(await stored.read('One'), { filter: yesterday });
    await stored.write('One', next);
    assert.deepEqual(await stored.read('One'), { filter: next });
    assert.equal(memory.get('laterFilter/One'), undefined);
  }
});

test('an unreadable filter is quarantined, reported once, and never overwritten', async () => {
  const memory = new JsonMemory();
  const stored = new StoredFilters(memory);
  const damaged = [{ version: 2, statuses: 'all' }, ['rubbish']];
  for (const value of damaged) {
    await memory.update('filter/One', value);
    const read = await stored.read('One');
    assert.deepEqual([read.filter, read.quarantined?.value], [noFilter, value]);
    assert.deepEqual(await stored.read('One'), { filter: noFilter });
    await stored.write('One', filter);
    await stored.write('One', noFilter);
  }
  const [aside = ''] = memory.entries.values();
  assert.deepEqual(
    JSON.parse(aside),
    damaged.map((value) => ({ connection: 'One', value })),
  );
});

test('the recently used filters are kept, newest first, each once', async () => {
  const memory = new JsonMemory();
  const stored = new StoredFilters(memory);
  const of = (customer: string): JobFilter => ({ ...filter, metadata: { customer } });
  for (const customer of ['a', 'b', 'c', 'd', 'e', 'a', 'f']) await stored.write('One', of(customer));
  await stored.write('One', noFilter);
  assert.deepEqual(
    new StoredFilters(memory).recent('One').map(({ metadata }) => metadata['customer']),
    ['f', 'a', 'e', 'd', 'c'],
  );
  assert.deepEqual(stored.recent('Other'), []);
  for (const damaged of ['x', 7, { a: 1 }, ['{', 3, null, { version: 9 }, []]]) {
    await memory.update('recentFilters/One', damaged);
    assert.deepEqual(stored.recent('One'), []);
  }
});

test('a recently used filter of a later version is kept until five others have been used', async () => {
  const later = { version: 2, statuses: 'all' };
  const memory = new JsonMemory({ 'recentFilters/One': [later] });
  const stored = new StoredFilters(memory);
  const kept: boolean[] = [];
  for (const customer of ['a', 'b', 'a', 'c', 'd', 'e']) {
    await stored.write('One', { ...filter, metadata: { customer } });
    kept.push(JSON.stringify(memory.get('recentFilters/One')).includes(JSON.stringify(later)));
  }
  assert.deepEqual(kept, [true, true, true, true, true, false]);
});
