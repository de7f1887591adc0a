import assert from 'node:assert/strict';
import { askTime, distinctPresets } from '../../../src/jobs/editor/filterTimeSteps.ts';
import { acceptLabel, acceptRow, goBack, hidePick, withPicks } from './withPicks.ts';

describe('The times that a filter offers', () => {
  it('include only one "today" if both zones have the same day', () => {
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

  it('are prompted for under the title of a board there, in each step', async () => {
    await withPicks(async (next, nextInput) => {
      const title = 'Board: Time Range';
      const asked = askTime({ type: 'any' }, { language: 'en', timeZone: 'UTC' }, Date.UTC(2026, 10, 20), title);
      const times = await next();
      assert.equal(times.title, title);
      acceptLabel(times, 'A day…');
      const day = await nextInput();
      assert.equal(day.title, title);
      goBack(day);
      const again = await next();
      assert.equal(again.title, title);
      hidePick(again);
      assert.deepEqual(await asked, { type: 'closed' });
    });
  });

  it('include the last hour', async () => {
    await withPicks(async (next) => {
      const nowMs = Date.UTC(2026, 10, 20, 9, 30);
      const asked = askTime({ type: 'any' }, { language: 'en', timeZone: 'UTC' }, nowMs);
      const times = await next();
      const row = times.items.findIndex(({ label }) => label === 'Last hour');
      assert.match(times.items[row]?.description ?? '', / 8:30\sAM/);
      acceptRow(times, row);
      assert.deepEqual(await asked, { type: 'picked', value: { type: 'last', hours: 1 } });
    });
  });
});
