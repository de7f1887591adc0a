import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlowResponses } from '../../../../../src/features/tree/node/slowResponses.ts';
import { JobStore } from '../../../../../src/jobs/node/store/jobStore.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

test('a service is slow while a response takes more than five seconds, and no longer when it arrives or another service is used', async () => {
  const clock = new FakeClock();
  const store = new JobStore(() => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }), clock, new KeptLog());
  let respond = (): void => undefined;
  const reader = fakeReader(async () => {
    await new Promise<void>((resolve) => (respond = resolve));
    return { entries: [], hasMore: false, serviceDateMs: undefined, deviations: [] };
  });
  store.use(reader);
  const slowness = new SlowResponses(store, clock);
  const seen: boolean[] = [];
  slowness.onDidChange(() => seen.push(slowness.isSlow));
  const key = { kind: 'live', status: 'done' };

  const quick = store.load(key);
  await clock.advance(4999);
  respond();
  await quick;
  await clock.advance(60_000);
  assert.deepEqual(seen, []);

  const slow = store.reload(key);
  await clock.advance(0);
  await clock.advance(5000);
  assert.deepEqual(seen, [true]);
  respond();
  await slow;
  assert.deepEqual(seen, [true, false]);

  const abandoned = store.reload(key);
  await clock.advance(0);
  await clock.advance(5000);
  store.use(reader);
  assert.deepEqual(seen, [true, false, true, false]);
  respond();
  await abandoned;
  slowness.dispose();
  store.dispose();
  assert.equal(clock.pending, 0);
});
