import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distinguish } from '../../../../../src/features/tree/common/distinguish.ts';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';

const facts = { labelKeys: ['customer'] };
const job = (id: string, custom_metadata: JsonObject) => bareJob({ id, raw: JSON.stringify({ id, custom_metadata }) });

describe('Jobs of the same label', () => {
  const texts = (jobs: readonly ReturnType<typeof job>[]) => [...distinguish(jobs, facts).values()];

  it('are told apart by the metadata that differs most', () => {
    const jobs = ['a', 'b', 'c'].map((id, at) =>
      job(id, { customer: 'Aurora', queue: at === 0 ? 'one' : 'two', call: `call ${at}`, odd: { deep: at } }),
    );
    assert.deepEqual(texts(jobs), ['call 0', 'call 1', 'call 2']);
  });

  it('are told apart by their ids where nothing differs or has no value', () => {
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

  it('need nothing where labels differ', () => {
    assert.deepEqual(texts([job('a', { customer: 'A', call: 'x' }), job('b', { customer: 'B', call: 'y' })]), []);
  });

  it('show no control or direction characters of their values', () => {
    const jobs = [job('a', { customer: 'A', call: 'x\u202e\ny' }), job('b', { customer: 'A', call: 'z' })];
    assert.ok(
      texts(jobs).every((text) => /^[a-z ]+$/.test(text)),
      JSON.stringify(texts(jobs)),
    );
  });
});
