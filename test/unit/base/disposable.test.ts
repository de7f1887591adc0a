import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DisposableOwner } from '../../../src/base/disposable.ts';

describe('DisposableOwner', () => {
  it('disposes what it owns, the newest first, once', () => {
    const disposed: string[] = [];
    const owner = new DisposableOwner();
    for (const name of ['one', 'two']) owner.own({ dispose: () => disposed.push(name) });
    owner.dispose();
    owner.dispose();
    assert.deepEqual(disposed, ['two', 'one']);
  });

  it('leaves nothing behind that comes after its end', () => {
    let isDisposed = false;
    const owner = new DisposableOwner();
    owner.dispose();
    owner.own({ dispose: () => (isDisposed = true) });
    assert(isDisposed && owner.isDisposed);
  });
});
