import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Undecodable } from '../../../src/domain/decode/decoder.ts';
import { bounded, listAnswer, listLimit, readToolInput, toolInputs } from '../../../src/domain/tools.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { listedJob } from '../../support/builders/listedJob.ts';

test('what a model gives is decoded, and times are brought to UTC', () => {
  assert.deepEqual(
    readToolInput('listJobs', {
      kind: 'live',
      createdAfter: '2026-11-01T10:00:00+02:00',
      metadata: { a: 'b' },
      more: 1,
    }),
    {
      kind: 'live',
      statuses: undefined,
      createdAfter: '2026-11-01T08:00:00.000Z',
      createdBefore: undefined,
      metadata: { a: 'b' },
      limit: undefined,
    },
  );
  for (const [name, input] of [
    ['listJobs', { kind: 'batch' }],
    ['listJobs', { kind: 'live', statuses: ['ok'] }],
    ['listJobs', { kind: 'live', createdBefore: '2026-02-30' }],
    ['getJob', { kind: 'live' }],
    ['checkRequest', undefined],
    ['submitRequest', { request: {} }],
  ] as const) {
    assert.throws(() => readToolInput(name, input), Undecodable);
  }
});

test('a list is as long as wanted, within its bounds', () => {
  assert.deepEqual([undefined, 5, 0, -3, 5000, 2.9, Number.NaN].map(listLimit), [20, 5, 1, 1, 50, 2, 1]);
});

test('an answer is small whatever the jobs hold', () => {
  const long = listedJob({ custom_metadata: { note: 'x'.repeat(100_000) }, transcript: 'y'.repeat(100_000) });
  const answer = listAnswer([long, { type: 'unreadable', raw: 'null' }], true);
  assert.ok(answer.length < 1000, String(answer.length));
  const read = JSON.parse(answer) as { readonly jobs: readonly { readonly id: string }[]; readonly unreadable: number };
  assert.equal(read.jobs[0]?.id, long.id);
  assert.equal(read.unreadable, 1);
  assert.match(bounded('z'.repeat(30_000)), /\[cut: 10000 more characters\]$/);
});

test('the manifest declares the same inputs', () => {
  const declared = Object.fromEntries(
    manifest.contributes.languageModelTools.map(({ name, inputSchema }) => [
      name.replace('transcriptionJobs_', ''),
      Object.keys(inputSchema.properties),
    ]),
  );
  assert.deepEqual(Object.keys(declared), Object.keys(toolInputs));
  assert.deepEqual(declared['listJobs'], Object.keys(readToolInput('listJobs', { kind: 'live' })));
  assert.deepEqual(declared['getJob'], Object.keys(readToolInput('getJob', { kind: 'live', id: 'x' })));
});
