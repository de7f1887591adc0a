import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reportContradictions } from '../../../src/features/browse/editor/registerBrowsing.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { bareJob } from '../../support/builders/bareJob.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { until } from '../../support/until.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';

const failed = bareJob({ status: 'error', raw: '{"id":"a","status":"error"}' });
/** Ignores the requested filter. */
const heedless = fakeReader(async () => ({
  entries: [failed],
  hasMore: false,
  serviceDateMs: undefined,
  deviations: [],
}));

describe('A service that ignores the filter', () => {
  const original = vscode.window.showWarningMessage;
  let shown: { readonly message: string; readonly buttons: readonly unknown[] }[] = [];

  beforeEach(() => {
    shown = [];
    vscode.window.showWarningMessage = async (message: string, ...buttons: readonly unknown[]) => {
      shown.push({ message, buttons });
      return undefined;
    };
  });
  afterEach(() => {
    vscode.window.showWarningMessage = original;
  });

  it('is reported once per connection, with a button to its settings; its other jobs are omitted', async () => {
    const store = new JobStore(
      () => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }),
      new FakeClock(),
      new KeptLog(),
    );
    const connection = { current: { name: 'One' } };
    const telling = reportContradictions(new KeptLog(), store, connection);
    try {
      for (const name of ['One', 'One', 'Two']) {
        connection.current = { name };
        store.use(heedless);
        for (const status of ['done', 'queued']) await store.load({ kind: 'live', status });
        assert.deepEqual(store.list({ kind: 'live', status: 'done' }).jobs.entries, []);
      }
      await until('both messages', () => shown.length >= 2);
      assert.equal(shown.length, 2);
      assert.match(shown[0]?.message ?? '', /"One"/);
      assert.match(shown[1]?.message ?? '', /"Two"/);
      assert.deepEqual(shown[0]?.buttons, ['Open Settings']);
    } finally {
      telling.dispose();
      store.dispose();
    }
  });
});
