import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure, type FailureCode } from '../../../../../src/base/failure.ts';
import { noFilter, type JobFilter } from '../../../../../src/jobs/common/jobFilter.ts';
import {
  attentionBranches,
  attentionParent,
  isAttentionNode,
  listChildNodes,
  listBelow,
  nodeId,
  listRootNodes,
  type TreeNode,
} from '../../../../../src/features/tree/common/jobTree.ts';
import type { ListKey } from '../../../../../src/jobs/common/listKey.ts';
import { listedJob } from '../../../../support/builders/listedJob.ts';
import { treeList, treeSource } from './treeSource.ts';
import { anyCharacter } from '../../../../support/anyCharacter.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const done: ListKey = { kind: 'live', status: 'done' };

const types = (nodes: readonly TreeNode[]): string[] => nodes.map(({ type }) => type);

test('the top level has the kinds, below the notes that concern all of them', () => {
  assert.deepEqual(listRootNodes(treeSource([])), [
    { type: 'connectionNote' },
    { type: 'kind', kind: 'pre-recorded' },
    { type: 'kind', kind: 'live' },
  ]);
  assert.deepEqual(types(listRootNodes(treeSource([], { isSample: true, listSource: 'combined' }))), [
    'sampleNote',
    'deprecatedNote',
    'kind',
    'kind',
  ]);
});

test('lists of all kinds are below one row, which expands to groups or to jobs', () => {
  const lists = ['done', 'error'].map((status) => treeList({ key: { kind: undefined, status } }));
  const source = treeSource(lists, { listSource: 'combined', kinds: () => [undefined] });
  const root = listRootNodes(source).at(-1);
  assert.deepEqual(root, { type: 'kind', kind: undefined });
  const groups = listChildNodes({ type: 'kind', kind: undefined }, source);
  assert.deepEqual(types(groups), ['group', 'group']);
  const flat = treeSource([treeList({ key: { kind: undefined, status: undefined } })], { kinds: () => [undefined] });
  assert.deepEqual(types(listChildNodes({ type: 'kind', kind: undefined }, flat)), ['empty']);
  const ofKind = { type: 'kind', kind: 'all' } as const;
  const ids = [{ type: 'kind', kind: undefined } as const, ofKind, ...groups].map((node) => nodeId('Work', node));
  assert.equal(new Set(ids).size, ids.length);
});

test('a filter without matches has its own row instead of the kinds, once every list is loaded', () => {
  const filter: JobFilter = { ...noFilter, metadata: { customer: 'nobody' } };
  const empty = [treeList(), treeList({ key: { kind: 'pre-recorded', status: 'done' } })];
  assert.deepEqual(types(listRootNodes(treeSource(empty, { filter, views: () => ['Failed'] }))), [
    'connectionNote',
    'view',
    'noMatch',
  ]);
  const failed = treeList({ failure: { failure: new Failure('offline'), during: 'refreshing' } });
  for (const source of [
    treeSource(empty),
    treeSource([treeList(), treeList({ loaded: false })], { filter }),
    treeSource([treeList(), failed], { filter }),
    treeSource([treeList({ entries: [listedJob()] })], { filter }),
  ]) {
    assert.deepEqual(types(listRootNodes(source)), ['connectionNote', 'kind', 'kind']);
  }
});

test('a kind has its groups, or its rows if it is not grouped', () => {
  const grouped = treeSource([treeList(), treeList({ key: { kind: 'live', status: 'error' } })]);
  assert.deepEqual(listChildNodes({ type: 'kind', kind: 'live' }, grouped), [
    { type: 'group', key: done },
    { type: 'group', key: { kind: 'live', status: 'error' } },
  ]);
  assert.equal(listBelow({ type: 'kind', kind: 'live' }, grouped), undefined);
  const all: ListKey = { kind: 'live', status: undefined };
  const flat = treeSource([treeList({ key: all, entries: [listedJob({ id: 'a' })] })]);
  assert.deepEqual(listChildNodes({ type: 'kind', kind: 'live' }, flat), [{ type: 'job', kind: 'live', id: 'a' }]);
  assert.deepEqual(listBelow({ type: 'kind', kind: 'live' }, flat), all);
});

test('rows and groups follow the arrangement, and actions stay at the end', () => {
  const failed: ListKey = { kind: 'live', status: 'error' };
  const entries = [listedJob({ id: 'a' }), { type: 'unreadable', raw: 'null' } as const, listedJob({ id: 'b' })];
  const source = treeSource([treeList({ entries, hasMore: true }), treeList({ key: failed })], {
    arrangement: { places: (some) => [...some.keys()].toReversed(), lists: (some) => some.toReversed() },
  });
  assert.deepEqual(listChildNodes({ type: 'group', key: done }, source), [
    { type: 'job', kind: 'live', id: 'b' },
    { type: 'unreadable', key: done, place: 1 },
    { type: 'job', kind: 'live', id: 'a' },
    { type: 'loadMore', key: done },
  ]);
  assert.deepEqual(listChildNodes({ type: 'kind', kind: 'live' }, source), [
    { type: 'group', key: failed },
    { type: 'group', key: done },
  ]);
});

test('rows below a group end with an action or a notice', () => {
  const rows = (changes: Parameters<typeof treeList>[0]): string[] =>
    types(listChildNodes({ type: 'group', key: done }, treeSource([treeList(changes)])));
  const entries = [listedJob(), { type: 'unreadable', raw: 'null' } as const];
  assert.deepEqual(rows({}), ['empty']);
  assert.deepEqual(rows({ entries }), ['job', 'unreadable']);
  assert.deepEqual(rows({ isComplete: false, notice: 'stuck' }), ['notice'], 'that there is none is not known');
  assert.deepEqual(rows({ isComplete: false }), ['empty'], 'it offers to refresh');
  assert.deepEqual(rows({ isComplete: false, hasMore: true }), ['loadMore']);
  assert.deepEqual(rows({ entries, hasMore: true }), ['job', 'unreadable', 'loadMore']);
  const failure = { failure: new Failure('offline'), during: 'loadingMore' } as const;
  assert.deepEqual(rows({ entries, hasMore: true, failure }), ['job', 'unreadable', 'failure']);
  assert.deepEqual(rows({ entries, notice: 'stuck' }), ['job', 'unreadable', 'notice']);
  for (const during of ['loading', 'refreshing'] as const)
    assert.deepEqual(rows({ loaded: false, failure: { ...failure, during } }), ['failure']);
  assert.deepEqual(rows({ loaded: false }), ['loading']);
});

test('a loaded group always has a row', () => {
  const flag = [false, true];
  const failures = [undefined, ...(['loading', 'loadingMore', 'refreshing'] as const)];
  for (const isComplete of flag)
    for (const hasMore of flag)
      for (const notice of [undefined, 'stuck', 'moved'] as const)
        for (const during of failures) {
          const failure = during && { failure: new Failure('offline'), during };
          const list = treeList({ isComplete, hasMore, notice, failure });
          const rows = types(listChildNodes({ type: 'group', key: done }, treeSource([list])));
          assert.notDeepEqual(rows, [], JSON.stringify({ isComplete, hasMore, notice, during }));
        }
});

test('rows that could not be refreshed have the failure above them, unless the row of the connection shows it', () => {
  const outdated = (code: FailureCode) =>
    treeList({
      entries: [listedJob()],
      hasMore: true,
      failure: { failure: new Failure(code), during: 'refreshing' },
    });
  for (const [list, trouble, shown] of [
    [outdated('rejected'), undefined, true],
    [outdated('offline'), undefined, true],
    [outdated('offline'), 'offline', false],
    [outdated('rateLimited'), 'serverFailed', false],
    [outdated('rejected'), 'serverFailed', true],
  ] as const) {
    const source = treeSource([list], { trouble: trouble && { failure: new Failure(trouble) } });
    const rows = types(listChildNodes({ type: 'group', key: done }, source));
    assert.deepEqual(rows, [...(shown ? ['failure'] : []), 'job', 'loadMore']);
  }
});

test('property: two nodes never have the same ID, whatever their names', () => {
  const anyWord = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.constant('\ud800'),
    fc.constantFrom('live', 'done', 'a/b', 'a?b', 'a&b', '%2F', 'unreadable=1'),
  );
  // With so few words, nodes often differ in only one part.
  const fewWords = fc.constantFrom('live', 'live&unreadable=1', 'live/done');
  fc.assert(
    fc.property(fc.oneof(twoNodes(anyWord), twoNodes(fewWords)), anyWord, ([one, other], connection) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      assert.equal(nodeId(connection, one) === nodeId(connection, other), same);
    }),
    { numRuns: propertyRuns },
  );
});

function twoNodes(word: fc.Arbitrary<string>): fc.Arbitrary<readonly [TreeNode, TreeNode]> {
  const key = fc.record({ kind: word, status: fc.option(word, { nil: undefined }) });
  const node: fc.Arbitrary<TreeNode> = fc.oneof(
    fc.record({ type: fc.constant('kind'), kind: word }),
    fc.record({ type: fc.constant('job'), kind: word, id: word }),
    fc.record({ type: fc.constantFrom('group', 'loadMore', 'failure', 'notice', 'empty'), key }),
    fc.record({ type: fc.constant('unreadable'), key, place: fc.nat(3) }),
    fc.record({ type: fc.constantFrom('sampleNote', 'connectionNote', 'deprecatedNote', 'noMatch') }),
  );
  return fc.tuple(node, node);
}

test('unreadable items of a list are distinguished by their place', () => {
  const ids = [0, 1, 10].map((place) => nodeId('Remote', { type: 'unreadable', key: done, place }));
  assert.equal(new Set(ids).size, 3);
});

test('Needs attention is above the kinds, its jobs have separate nodes, and each node knows its parent', () => {
  const attention = {
    overdue: [{ kind: 'live', id: 'a' }],
    isOverdueUnknown: false,
    mayHaveUnread: false,
    groups: [
      {
        id: '[422,null,null]',
        jobs: [
          { kind: 'live', id: 'b' },
          { kind: 'live', id: 'c' },
        ],
      },
      { id: '[500,null,null]', jobs: [{ kind: 'live', id: 'd' }] },
    ],
    partlyFailed: [{ kind: 'live', id: 'a' }],
    unknown: [{ key: 'k/1' }],
  };
  const source = treeSource([], { attention });
  assert.deepEqual(types(listRootNodes(source)), ['connectionNote', 'attention', 'kind', 'kind']);
  const ids = new Set<string>([nodeId('Work', { type: 'job', kind: 'live', id: 'a' })]);
  let count = 1;
  const walk = (node: TreeNode, above: TreeNode | undefined): void => {
    if (!isAttentionNode(node)) return;
    assert.deepEqual(attentionParent(node, attention), above);
    ids.add(nodeId('Work', node));
    count++;
    for (const child of listChildNodes(node, source)) walk(child, node);
  };
  walk({ type: 'attention' }, undefined);
  assert.equal(count, 13);
  assert.equal(ids.size, count);
  // The only failure of a group is shown in its place.
  assert.deepEqual(types(listChildNodes({ type: 'failures' }, source)), ['failureGroup', 'attentionJob']);
  assert.deepEqual(types(attentionBranches(attention)), [
    'attention',
    'overdue',
    'failures',
    'failureGroup',
    'partlyFailed',
    'unknownOutcomes',
  ]);
  assert.deepEqual(listChildNodes({ type: 'attention' }, treeSource([])), []);
  const unknown = {
    overdue: [],
    isOverdueUnknown: true,
    mayHaveUnread: false,
    groups: [],
    partlyFailed: [],
    unknown: [],
  };
  assert.deepEqual(types(listChildNodes({ type: 'attention' }, treeSource([], { attention: unknown }))), ['overdue']);
  assert.deepEqual(listChildNodes({ type: 'failureGroup', group: 'gone' }, source), []);
});
