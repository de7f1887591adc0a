import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ListEntry } from '../../../../src/domain/jobs/job.ts';
import { noFilter, type JobFilter } from '../../../../src/domain/filter/jobFilter.ts';
import {
  childNodes,
  listBelow,
  nodeId,
  rootNodes,
  type TreeList,
  type TreeNode,
  type TreeSource,
} from '../../../../src/domain/jobs/jobTree.ts';
import type { ListKey } from '../../../../src/domain/jobs/listKey.ts';
import { listedJob } from '../../../support/builders/listedJob.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const done: ListKey = { kind: 'live', status: 'done' };

function list(changes: Partial<TreeList> & { readonly entries?: readonly ListEntry[] } = {}): TreeList {
  const { entries = [], ...rest } = changes;
  return {
    key: done,
    jobs: { entries },
    loaded: true,
    hasMore: false,
    isComplete: rest.hasMore !== true,
    failure: undefined,
    notice: undefined,
    ...rest,
  };
}

function source(lists: readonly TreeList[], changes: Partial<TreeSource> = {}): TreeSource {
  return {
    isSample: false,
    listSource: 'byKind',
    filter: noFilter,
    kinds: () => ['pre-recorded', 'live'],
    lists: (kind) => lists.filter(({ key }) => key.kind === kind),
    list: (key) => lists.find((each) => each.key.kind === key.kind && each.key.status === key.status) ?? list({ key }),
    ...changes,
  };
}

const types = (nodes: readonly TreeNode[]): string[] => nodes.map(({ type }) => type);

test('the top names the kinds, below what is to be said of them all', () => {
  assert.deepEqual(rootNodes(source([])), [
    { type: 'kind', kind: 'pre-recorded' },
    { type: 'kind', kind: 'live' },
  ]);
  assert.deepEqual(types(rootNodes(source([], { isSample: true, listSource: 'combined' }))), [
    'sampleNote',
    'deprecatedNote',
    'kind',
    'kind',
  ]);
});

test('a filter that nothing matches leaves the top empty, once every list has answered', () => {
  const filter: JobFilter = { ...noFilter, metadata: { customer: 'nobody' } };
  const empty = [list(), list({ key: { kind: 'pre-recorded', status: 'done' } })];
  assert.deepEqual(rootNodes(source(empty, { filter })), []);
  assert.equal(rootNodes(source(empty)).length, 2);
  assert.equal(rootNodes(source([list(), list({ loaded: false })], { filter })).length, 2);
  assert.equal(rootNodes(source([list({ entries: [listedJob()] })], { filter })).length, 2);
});

test('a kind holds its groups, or its rows when it is not grouped', () => {
  const grouped = source([list(), list({ key: { kind: 'live', status: 'error' } })]);
  assert.deepEqual(childNodes({ type: 'kind', kind: 'live' }, grouped), [
    { type: 'group', key: done },
    { type: 'group', key: { kind: 'live', status: 'error' } },
  ]);
  assert.equal(listBelow({ type: 'kind', kind: 'live' }, grouped), undefined);
  const all: ListKey = { kind: 'live', status: undefined };
  const flat = source([list({ key: all, entries: [listedJob({ id: 'a' })] })]);
  assert.deepEqual(childNodes({ type: 'kind', kind: 'live' }, flat), [{ type: 'job', kind: 'live', id: 'a' }]);
  assert.deepEqual(listBelow({ type: 'kind', kind: 'live' }, flat), all);
});

test('rows below a group end with what can be done or must be known', () => {
  const rows = (changes: Parameters<typeof list>[0]): string[] =>
    types(childNodes({ type: 'group', key: done }, source([list(changes)])));
  const entries = [listedJob(), { type: 'unreadable', raw: 'null' } as const];
  assert.deepEqual(rows({}), ['empty']);
  assert.deepEqual(rows({ entries }), ['job', 'unreadable']);
  assert.deepEqual(rows({ isComplete: false, notice: 'stuck' }), ['notice'], 'that there is none is not known');
  assert.deepEqual(rows({ entries, hasMore: true }), ['job', 'unreadable', 'loadMore']);
  assert.deepEqual(rows({ entries, hasMore: true, failure: 'offline' }), ['job', 'unreadable', 'failure']);
  assert.deepEqual(rows({ entries, notice: 'stuck' }), ['job', 'unreadable', 'notice']);
  assert.deepEqual(rows({ loaded: false, failure: 'offline' }), ['failure']);
  assert.deepEqual(rows({ loaded: false }), []);
});

test('property: no two nodes share an id, whatever their names', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constant('\ud800'),
    fc.constantFrom('live', 'done', 'a/b', 'a?b', 'a&b', '%2F', 'unreadable=1'),
  );
  const key = fc.record({ kind: word, status: fc.option(word, { nil: undefined }) });
  const node: fc.Arbitrary<TreeNode> = fc.oneof(
    fc.record({ type: fc.constant('kind'), kind: word }),
    fc.record({ type: fc.constant('job'), kind: word, id: word }),
    fc.record({ type: fc.constantFrom('group', 'loadMore', 'failure', 'notice', 'empty'), key }),
    fc.record({ type: fc.constant('unreadable'), key, place: fc.nat(3) }),
    fc.record({ type: fc.constantFrom('sampleNote', 'deprecatedNote') }),
  );
  fc.assert(
    fc.property(node, node, word, (one, other, connection) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      assert.equal(nodeId(connection, one) === nodeId(connection, other), same);
    }),
    { numRuns: propertyRuns },
  );
});
