import assert from 'node:assert/strict';
import { askTime, distinctPresets } from '../../../src/editor/browse/filterTimeSteps.ts';
import { acceptRow, withPicks } from './withPicks.ts';

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

  it('have the last hour', async () => {
    await withPicks(async (next) => {
      const nowMs = Date.UTC(2026, 10, 20, 9, 30);
      const asked = askTime({ type: 'any' }, { language: 'en', timeZone: 'UTC' }, nowMs);
      const times = await next();
      const row = times.items.findIndex(({ label }) => label === 'Last hour');
      assert.match(times.items[row]?.description ?? '', /08:30/);
      acceptRow(times, row);
      assert.deepEqual(await asked, { type: 'picked', value: { type: 'last', hours: 1 } });
    });
  });
});
