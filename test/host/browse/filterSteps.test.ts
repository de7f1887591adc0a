import assert from 'node:assert/strict';
import { noFilter, type JobFilter } from '../../../src/jobs/common/jobFilter.ts';
import { openBrowseScene, type BrowseScene } from './browseScene.ts';
import {
  acceptLabel,
  answerInput,
  goBack,
  hidePick,
  pressRowButton,
  typeInto,
  withPicks,
  type ShownPick,
} from './withPicks.ts';

describe('The filter, step by step', () => {
  let scene: BrowseScene;
  beforeEach(async () => {
    scene = await openBrowseScene(40);
  });
  afterEach(() => scene.close());
  const labels = ({ items }: ShownPick): readonly string[] =>
    items.map(({ label }) => label.replace(/^\$\(.+?\) /, ''));

  it('accepts a range in the chosen zone, shows the query, and rejects invalid or inverted ranges', async () => {
    const { TZ } = process.env;
    // If the computer's own time is UTC, there is no zone to choose.
    process.env['TZ'] = 'Europe/Berlin';
    await withPicks(async (next, nextInput) => {
      const filtering = scene.run('filter');
      acceptLabel(await next(), 'Created');
      acceptLabel(await next(), 'A range…');
      const zones = await next();
      assert.deepEqual(
        zones.items.map(({ label, description }) => [label, description]),
        [
          ['Local time', 'Europe/Berlin'],
          ['UTC', undefined],
        ],
      );
      acceptLabel(zones, 'UTC');
      const start = await nextInput();
      assert.match(start.prompt ?? '', /^Start, in UTC/);
      answerInput(start, '2026-02-30');
      assert.match(JSON.stringify(start.validationMessage), /This day doesn't exist\./);
      typeInto(start, '2026-02-10 08:30');
      assert.match(JSON.stringify(start.validationMessage), /Will be sent as 2026-02-10T08:30:00\.000Z/);
      answerInput(start, '2026-02-10 08:30');
      const end = await nextInput();
      answerInput(end, '2026-02-09');
      assert.match(JSON.stringify(end.validationMessage), /The end must come after the start\./);
      goBack(end);
      const again = await nextInput();
      assert.equal(again.value, '2026-02-10T08:30:00.000Z', 'the start is asked again as it was taken');
      answerInput(again, again.value);
      answerInput(await nextInput(), '2026-02-11');
      assert.deepEqual(scene.takeRequests(), [], 'choosing asks nothing of the service');
      acceptLabel(await next(), 'Show matching jobs');
      await filtering;
    }).finally(() => {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    });
    const time = { type: 'range', after: '2026-02-10T08:30:00.000Z', before: '2026-02-12T00:00:00.000Z' } as const;
    assert.deepEqual(scene.store.filter, { ...noFilter, time });
    await scene.store.load({ kind: 'live', status: 'done' });
    const [request = ''] = scene.takeRequests();
    assert.match(
      decodeURIComponent(request),
      /before_date=2026-02-12T00:00:00\.000Z&after_date=2026-02-10T08:30:00\.000Z/,
    );
  });

  it("shows times in the reader's format, and a day replaces a range", async () => {
    await scene.filters.set({
      ...noFilter,
      time: { type: 'range', after: '2026-02-10T08:30:00.000Z', before: undefined },
    });
    await withPicks(async (next, nextInput) => {
      const filtering = scene.run('changeFilter');
      acceptLabel(await next(), 'Created');
      const times = await next();
      const shown = times.items.map(({ label, description }) => `${label} ${description}`);
      // The zone of the test above may remain in the formats, which are cached: the day may have begun at another hour of another date.
      assert.ok(
        shown.some((text) => /^Today since (?:[A-Z][a-z]{2} \d+, )?\d+:00\s[AP]M$/.test(text)),
        shown.join(' | '),
      );
      assert.ok(shown.some((text) => text.startsWith('Yesterday')));
      for (const text of shown) assert.doesNotMatch(text, /_date=|T\d\d:/);
      acceptLabel(times, 'A day…');
      answerInput(await nextInput(), '2001-02-03');
      acceptLabel(await next(), 'Show matching jobs');
      await filtering;
    });
    assert.deepEqual(scene.store.filter, { ...noFilter, time: { type: 'day', day: '2001-02-03' } });
    assert.equal(scene.filters.text, 'on 2001-02-03');
    scene.takeRequests();
    await scene.store.load({ kind: 'live', status: 'processing' });
    assert.deepEqual(scene.takeRequests(), ['GET /v2/live?offset=0&limit=20&date=2001-02-03&status=processing']);
  });

  it('removes a single condition, and offers filters that were used before', async () => {
    const used: JobFilter = { ...noFilter, statuses: ['error'], metadata: { customer: 'Northwind Bank', room: 'B2' } };
    await scene.filters.set(used);
    await withPicks(async (next) => {
      const filtering = scene.run('changeFilter');
      const conditions = await next();
      pressRowButton(conditions, labels(conditions).indexOf('customer: Northwind Bank'));
      const fewer = await next();
      assert.ok(!labels(fewer).includes('customer: Northwind Bank'));
      acceptLabel(fewer, 'Show matching jobs');
      await filtering;
    });
    assert.deepEqual(scene.store.filter, { ...used, metadata: { room: 'B2' } });
    await scene.run('clearFilter');
    assert.deepEqual(scene.store.filter, noFilter);
    await withPicks(async (next) => {
      const filtering = scene.run('filter');
      const conditions = await next();
      assert.ok(labels(conditions).includes('Failed · today'));
      acceptLabel(conditions, 'Failed · customer: Northwind Bank, room: B2');
      await filtering;
    });
    assert.deepEqual(scene.store.filter, used);
  });

  it('changes nothing when it is closed', async () => {
    await withPicks(async (next) => {
      const filtering = scene.run('filter');
      acceptLabel(await next(), 'Created');
      hidePick(await next());
      await filtering;
    });
    assert.deepEqual(scene.store.filter, noFilter);
    assert.deepEqual(scene.takeRequests(), []);
  });
});
