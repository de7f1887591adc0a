import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distinguish } from '../../../../../src/features/tree/common/distinguish.ts';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';

const facts = { labelKeys: ['customer'] };
const job = (id: string, custom_metadata: JsonObject) => bareJob({ id, raw: JSON.stringify({ id, custom_metadata }) });

describe('Jobs with the same label', () => {
  const texts = (jobs: readonly ReturnType<typeof job>[]) => [...distinguish(jobs, facts).values()];

  it('are distinguished by the metadata that differs most', () => {
    const jobs = ['a', 'b', 'c'].map((id, at) =>
      job(id, { customer: 'Aurora', queue: at === 0 ? 'one' : 'two', call: `call ${at}`, odd: { deep: at } }),
    );
    assert.deepEqual(texts(jobs), ['call 0', 'call 1', 'call 2']);
  });

  it('are distinguished by their IDs if nothing differs or a value is missing', () => {
    assert.deepEqual(texts([job('first id', { customer: 'A' }), job('second id', { customer: 'A' })]), [
      'first id',
      'second i',
    ]);
    const some = [
      job('a', { customer: 'A', call: 'x' }),
      job('b', { customer: 'A', call: 'y' }),
      job('c', { customer: 'A' }),
    ];
    assert.deepEqual(texts(some), ['x', 'y', 'c']);
  });

  it('are not distinguished if their labels differ', () => {
    assert.deepEqual(texts([job('a', { customer: 'A', call: 'x' }), job('b', { customer: 'B', call: 'y' })]), []);
  });

  it('show values without control and direction characters', () => {
    const jobs = [job('a', { customer: 'A', call: 'x\u202e\ny' }), job('b', { customer: 'A', call: 'z' })];
    assert.ok(
      texts(jobs).every((text) => /^[a-z ]+$/.test(text)),
      JSON.stringify(texts(jobs)),
    );
  });
});
