import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DisposableOwner } from '../../../src/base/disposable.ts';

describe('DisposableOwner', () => {
  it('disposes everything that it owns once, the newest first', () => {
    const disposed: string[] = [];
    const owner = new DisposableOwner();
    for (const name of ['one', 'two']) owner.own({ dispose: () => disposed.push(name) });
    owner.dispose();
    owner.dispose();
    assert.deepEqual(disposed, ['two', 'one']);
  });

  it('disposes at once what is added after its disposal', () => {
    let isDisposed = false;
    const owner = new DisposableOwner();
    owner.dispose();
    owner.own({ dispose: () => (isDisposed = true) });
    assert(isDisposed && owner.isDisposed);
  });
});
