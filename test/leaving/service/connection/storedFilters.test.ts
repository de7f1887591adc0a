import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFilter, type JobFilter } from '../../../../src/domain/filter/jobFilter.ts';
import { StoredFilters } from '../../../../src/service/connection/storedFilters.ts';
import { JsonMemory } from '../../../support/states/jsonMemory.ts';

const filter: JobFilter = { statuses: ['error'], time: { type: 'last', hours: 24 }, metadata: { customer: 'x' } };

test('a filter that version 0.1.0 cannot read lies where it does not look, until that version writes one', async () => {
  const memory = new JsonMemory();
  const stored = new StoredFilters(memory);
  const yesterday: JobFilter = { ...filter, time: { type: 'yesterday' } };
  await stored.write('One', filter);
  await stored.write('One', yesterday);
  assert.equal(memory.get('filter/One'), undefined);
  assert.deepEqual(await stored.read('One'), { filter: yesterday });
  const { 'filter/Other': asByOlder } = await contentWith('Other', filter);
  await memory.update('filter/One', asByOlder);
  assert.deepEqual(await stored.read('One'), { filter });
  await stored.write('One', noFilter);
  assert.deepEqual([...memory.entries.keys()], ['recentFilters/One']);
});

/** What a workspace holds that has one filter. */
async function contentWith(connection: string, only: JobFilter): Promise<Readonly<Record<string, unknown>>> {
  const memory = new JsonMemory();
  await new StoredFilters(memory).write(connection, only);
  return memory.content;
}
