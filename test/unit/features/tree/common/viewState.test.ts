import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure, type FailureCode } from '../../../../../src/base/failure.ts';
import { noFilter } from '../../../../../src/jobs/common/jobFilter.ts';
import type { TreeList } from '../../../../../src/features/tree/common/jobTree.ts';
import { decideViewState } from '../../../../../src/features/tree/common/viewState.ts';
import { listedJob } from '../../../../support/builders/listedJob.ts';
import { treeList, treeSource } from './treeSource.ts';

const none = treeSource([]);
const failed = (...codes: readonly FailureCode[]): readonly TreeList[] =>
  codes.map((code) => treeList({ loaded: false, failure: { failure: new Failure(code), during: 'loading' } }));

describe('The state of the jobs view', () => {
  for (const [stage, state] of [
    ['none', 'noConnection'],
    ['unknown', 'noConnection'],
    ['lookingForKey', undefined],
    ['noKey', 'noKey'],
    ['ready', 'ready'],
  ] as const) {
    it(`is ${state ?? 'unchanged'} with the connection at "${stage}"`, () => {
      assert.equal(decideViewState(stage, none), state);
    });
  }

  for (const [codes, state] of [
    [['noKey'], 'noKey'],
    [['keyRejected'], 'keyRejected'],
    [['offline'], 'offline'],
    [['offline', 'keyRejected', 'noKey'], 'noKey'],
    [['offline', 'keyRejected'], 'keyRejected'],
    [['serverFailed', 'offline'], 'offline'],
    [['serverFailed'], 'ready'],
  ] as const) {
    it(`is ${state} when the lists failed with ${codes.join(', ')}`, () => {
      assert.equal(decideViewState('ready', treeSource(failed(...codes))), state);
    });
  }

  it('is ready as soon as one list is loaded, even if the others failed', () => {
    for (const code of ['noKey', 'keyRejected', 'offline'] as const) {
      assert.equal(decideViewState('ready', treeSource([...failed(code), treeList()])), 'ready');
    }
  });

  it('reports that a filter has no match once every list is loaded', () => {
    const filter = { ...noFilter, metadata: { customer: 'nobody' } };
    assert.equal(decideViewState('ready', treeSource([treeList()], { filter })), 'noMatch');
    assert.equal(decideViewState('ready', treeSource([treeList({ loaded: false })], { filter })), 'ready');
    assert.equal(decideViewState('ready', treeSource([treeList({ hasMore: true })], { filter })), 'ready');
    assert.equal(decideViewState('ready', treeSource([treeList({ entries: [listedJob()] })], { filter })), 'ready');
  });

  it('reports a failure rather than a filter without matches', () => {
    const filter = { ...noFilter, metadata: { customer: 'nobody' } };
    assert.equal(decideViewState('ready', treeSource(failed('offline'), { filter })), 'offline');
  });
});
