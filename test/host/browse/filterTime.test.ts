import assert from 'node:assert/strict';
import { distinctPresets } from '../../../src/editor/browse/filterTimeSteps.ts';

describe('The times that a filter offers', () => {
  it('have one today where both days called so are the same', () => {
    const today = (sent: (utc: boolean) => string): number =>
      distinctPresets((time) => (time.type === 'today' ? sent(time.utc) : JSON.stringify(time))).filter(
        ({ type }) => type === 'today',
      ).length;
    assert.equal(
      today((utc) => `after ${utc}`),
      2,
    );
    assert.equal(
      today(() => 'after midnight'),
      1,
    );
  });
});
