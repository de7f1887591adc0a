import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFilter, type JobFilter } from '../../../../../src/jobs/common/jobFilter.ts';
import { Failure } from '../../../../../src/base/failure.ts';
import { ViewCounts } from '../../../../../src/features/views/node/viewCounts.ts';
import type { Connection } from '../../../../../src/connections/common/connection.ts';
import { countedSource } from '../../../../support/countedSource/countedSource.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { workConnection } from '../../../../support/builders/workConnection.ts';
import type { ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

const failed: JobFilter = { ...noFilter, statuses: ['done'] };

function counting(source: () => ListReader | undefined, fields: Partial<Connection> = {}) {
  const changed: string[] = [];
  const counts = new ViewCounts({
    clock: new FakeClock(),
    service: () => {
      const inUse = source();
      return inUse && { connection: { ...workConnection, ...fields }, source: inUse };
    },
    onError: (error) => assert.fail(String(error)),
  });
  counts.onDidChange((name) => changed.push(name));
  return { counts, changed };
}

test("no request is sent before a view is counted; then each list is counted once, with the view's filter", async () => {
  const { source, asked } = countedSource(7);
  const { counts, changed } = counting(() => source);
  assert.equal(counts.get('mine'), undefined);
  assert.equal(asked.length, 0);
  await Promise.all([counts.count('mine', failed), counts.count('mine', failed)]);
  await counts.count('mine', failed);
  const first = counts.get('mine')?.get('pre-recorded');
  assert.ok(first?.type === 'exact' && first.count === 7);
  assert.deepEqual(changed, ['mine']);
  const sent = asked.length;
  assert.ok(asked.every(({ statuses }) => statuses?.join() === 'done'));
  await counts.count('mine', noFilter);
  assert.ok(asked.length > sent, 'another filter is another question');
});

test('a connection that reads all kinds at once counts each kind in that list', async () => {
  const { source, asked } = countedSource(7);
  const { counts } = counting(() => source, { listSource: 'combined' });
  await counts.count('mine', failed);
  assert.deepEqual(new Set(asked.map(({ kinds }) => kinds?.join())), new Set(['pre-recorded', 'live']));
});

test('each service has its own counts', async () => {
  const sources = [countedSource(7), countedSource(3)] as const;
  let inUse: ListReader = sources[0].source;
  const { counts } = counting(() => inUse);
  await counts.count('mine', failed);
  inUse = sources[1].source;
  await counts.count('mine', failed);
  const count = counts.get('mine')?.get('pre-recorded');
  assert.equal(count?.type === 'exact' && count.count, 3);
});

test('a recount queries only the views that were counted', async () => {
  const { source, asked } = countedSource(3);
  const { counts } = counting(() => source);
  await counts.recount(() => failed);
  assert.equal(asked.length, 0);
  await counts.count('mine', failed);
  const sent = asked.length;
  await counts.recount((name) => (name === 'mine' ? failed : undefined));
  // Properties of the service that the first count has shown are not queried again.
  assert.ok(asked.length > sent && asked.length <= 2 * sent);
  await counts.recount(() => undefined);
  assert.equal(counts.get('mine'), undefined);
  await counts.recount(() => failed, ['badge']);
  assert.ok(counts.get('badge'));
});

test('a failure is reported, and without a connection nothing is', async () => {
  const { counts } = counting(() => fakeReader(() => Promise.reject(new Failure('offline'))));
  await counts.count('mine', failed);
  assert.equal(counts.get('mine')?.get('live')?.type, 'failed');
  const none = counting(() => undefined);
  await none.counts.count('mine', failed);
  assert.equal(none.counts.get('mine'), undefined);
});

test('a response that arrives after the counts were cleared is dropped', async () => {
  const { source } = countedSource(3);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const slow = fakeReader(async (endpoint, params, signal) =>
    gate.then(() => source.readPage(endpoint, params, signal)),
  );
  const { counts, changed } = counting(() => slow);
  const done = counts.count('mine', failed);
  counts.clear();
  release();
  await done;
  assert.deepEqual([counts.get('mine'), changed], [undefined, []]);
});
