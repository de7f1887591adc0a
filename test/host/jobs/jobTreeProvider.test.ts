import assert from 'node:assert/strict';
import { dayMs } from '../../../src/base/time.ts';
import type { TreeNode, TreeSource } from '../../../src/features/tree/common/jobTree.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { Failure, isFailure } from '../../../src/base/failure.ts';
import { JobTreeItems } from '../../../src/features/tree/editor/jobTreeItems.ts';
import type { ItemFacts } from '../../../src/jobs/editor/jobItem.ts';
import { JobTreeProvider } from '../../../src/features/tree/editor/jobTreeProvider.ts';
import type { ServiceTrouble } from '../../../src/jobs/node/serviceHealth.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { listedJob } from '../../support/builders/listedJob.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';

const key = { kind: 'live', status: 'queued' } as const;
const group = { type: 'group', key } as const;
/** Time that the tree waits after the editor has requested rows. */
const settleMs = 100;

describe('The tree of jobs', () => {
  let clock: FakeClock;
  let store: JobStore;
  let provider: JobTreeProvider;
  let ids: string[];
  let answer: () => Promise<void>;
  /** The nodes of each update event, or `all` for the whole tree. */
  let redrawn: ('all' | readonly TreeNode[])[];
  let settled: number;
  let trouble: ServiceTrouble | undefined;
  let serviceChanges: Emitter<void>;
  /** Counts the jobs of a saved view. */
  let count: () => Promise<void>;

  beforeEach(() => {
    count = () => Promise.resolve();
    settled = 0;
    trouble = undefined;
    serviceChanges = new Emitter<void>();
    clock = new FakeClock();
    ids = ['a'];
    answer = () => Promise.resolve();
    redrawn = [];
    const pages = fakeReader(async () => {
      await answer();
      const entries = ids.map((id) => listedJob({ id, status: 'queued' }));
      return { entries, hasMore: false, serviceDateMs: undefined, deviations: [] };
    });
    // The store has its own clock, so only the tree's timers run on this one.
    store = new JobStore(
      () => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }),
      new FakeClock(),
      new KeptLog(),
    );
    store.use(pages);
    const source: TreeSource = {
      isSample: false,
      listSource: 'byKind',
      get filter() {
        return store.filter;
      },
      get trouble() {
        return trouble;
      },
      kinds: () => store.kinds(),
      lists: (kind) => store.lists(kind),
      list: (each) => store.list(each),
    };
    const facts = (): ItemFacts => ({
      connection: 'Work',
      host: '',
      labelKeys: [],
      errorLabels: {},
      locale: { language: 'en', timeZone: 'UTC' },
      nowMs: clock.now(),
    });
    const service = () => ({ slowSinceMs: undefined, trouble, nextTryMs: undefined });
    const items = new JobTreeItems({ store, facts, service });
    provider = new JobTreeProvider({
      store,
      source,
      items,
      isBlocked: () => false,
      clock,
      views: { onDidChange: () => ({ dispose: () => undefined }), expand: () => count() },
      health: { onDidChange: serviceChanges.event },
    });
    provider.onDidSettle(() => settled++);
    provider.onDidChangeTreeData((nodes) => redrawn.push(nodes ?? 'all'));
  });
  afterEach(() => {
    provider.dispose();
    store.dispose();
  });

  const groupsRedrawn = (): number =>
    redrawn.flat().filter((node) => node !== 'all' && node.type === 'group' && node.key.status === 'queued').length;

  it('says after a moment that rows are loading, so that a slow service holds back no other row, and lists them when they arrive', async () => {
    let respond = (): void => undefined;
    answer = () => new Promise((resolve) => (respond = resolve));
    const group: TreeNode = { type: 'group', key: { kind: 'live', status: 'queued' } };
    const rows = provider.getChildren(group);
    await clock.advance(1000);
    assert.deepEqual(
      (await rows).map(({ type }) => type),
      ['loading'],
    );
    await clock.advance(settleMs);
    redrawn = [];
    respond();
    await store.load({ kind: 'live', status: 'queued' });
    await clock.advance(settleMs);
    assert.ok(groupsRedrawn() > 0);
    assert.deepEqual(
      (await provider.getChildren(group)).map(({ type }) => type),
      ['job'],
    );
  });

  it('updates rows that changed while the editor received them, once it has', async () => {
    await provider.getChildren(group);
    await clock.advance(settleMs);
    redrawn = [];
    await provider.getChildren(group);
    ids = ['b', 'a'];
    await store.reload(key);
    await clock.advance(settleMs - 1);
    assert.equal(groupsRedrawn(), 0);
    await clock.advance(1);
    assert.equal(groupsRedrawn(), 1);
    const children = await provider.getChildren(group);
    assert.deepEqual(
      children.map((node) => node.type === 'job' && node.id),
      ['b', 'a'],
    );
  });

  it('reports no change while the editor waits for other rows, with which it would be lost', async () => {
    await provider.getChildren(group);
    answer = () => {
      answer = () => Promise.resolve();
      return new Promise(() => undefined);
    };
    const others = provider.getChildren({ type: 'group', key: { kind: 'live', status: 'done' } });
    ids = ['b', 'a'];
    await store.reload(key);
    redrawn = [];
    await clock.advance(300);
    assert.deepEqual(redrawn, []);
    await clock.advance(100);
    await others;
    await clock.advance(settleMs - 1);
    assert.deepEqual(redrawn, []);
    await clock.advance(1);
    assert.equal(groupsRedrawn(), 1);
  });

  it('lets the editor wait once for several lists of a slow service', async () => {
    answer = () => new Promise(() => undefined);
    const first = provider.getChildren(group);
    await clock.advance(400);
    const waitedMs = clock.passedMs;
    for (const rows of [await first, await provider.getChildren({ ...group, key: { kind: 'live', status: 'done' } })])
      assert.deepEqual(
        rows.map(({ type }) => type),
        ['loading'],
      );
    assert.equal(clock.passedMs, waitedMs);
  });

  it('lists the kinds of a saved view before they are counted if the service is slow', async () => {
    count = () => new Promise(() => undefined);
    const rows = provider.getChildren({ type: 'view', view: 'mine' });
    await clock.advance(1000);
    assert.deepEqual(
      (await rows).map(({ type }) => type),
      ['viewCount', 'viewCount'],
    );
  });

  it('reports once that the editor has received the rows, also after two simultaneous requests', async () => {
    await Promise.all([provider.getChildren(group), provider.getChildren(group)]);
    assert.equal(settled, 0);
    await clock.advance(settleMs);
    assert.equal(settled, 1);
  });

  it('updates everything that changed while the editor received the top of the tree, once it has', async () => {
    await clock.advance(settleMs);
    await provider.getChildren();
    provider.redraw();
    await clock.advance(settleMs - 1);
    assert.deepEqual(redrawn.includes('all'), false);
    await clock.advance(1);
    assert.deepEqual(redrawn.includes('all'), true);
  });

  /** Requests every node from the top, as the editor does when it shows the tree. */
  const show = async (): Promise<readonly TreeNode[]> => {
    const kinds = await provider.getChildren();
    const groups = await provider.getChildren(kinds.find((node) => node.type === 'kind' && node.kind === 'live'));
    const rows = await provider.getChildren(
      groups.find((node) => node.type === 'group' && node.key.status === 'queued'),
    );
    for (const node of [...kinds, ...groups, ...rows]) provider.getTreeItem(node);
    await clock.advance(settleMs);
    return rows;
  };

  it('updates the row of the connection when the service does not answer, and when it does again', async () => {
    const root = await provider.getChildren();
    const connection = root.find(({ type }) => type === 'connectionNote');
    assert.ok(connection);
    const description = () => provider.getTreeItem(connection).description;
    assert.equal(description(), '');
    await show();
    for (const [fails, expected] of [
      [true, /^no answer at /],
      [false, /^$/],
    ] as const) {
      redrawn = [];
      trouble = fails ? { failure: new Failure('offline'), atMs: clock.now(), sinceMs: clock.now() } : undefined;
      serviceChanges.fire();
      await clock.advance(settleMs);
      assert.ok(redrawn.flat().includes(connection));
      const text = description();
      assert.ok(typeof text === 'string');
      assert.match(text, expected);
    }
  });

  it('shows a failure above outdated rows once the row of the connection no longer shows it', async () => {
    await show();
    answer = () => Promise.reject(new Failure('offline'));
    trouble = { failure: new Failure('offline'), atMs: clock.now(), sinceMs: clock.now() };
    serviceChanges.fire();
    await store.reload(key);
    await show();
    const rows = async () => (await provider.getChildren(group)).map(({ type }) => type);
    assert.deepEqual(await rows(), ['job']);
    await clock.advance(settleMs);
    redrawn = [];
    trouble = undefined;
    serviceChanges.fire();
    await clock.advance(settleMs);
    assert.ok(groupsRedrawn() > 0);
    assert.deepEqual(await rows(), ['failure', 'job']);
  });

  it('updates nothing when a refresh finds no change', async () => {
    await show();
    // Loading the first rows added a count to the group: it was updated, and the editor requests it again.
    await show();
    redrawn = [];
    await store.reload(key);
    await store.poll();
    await clock.advance(settleMs);
    assert.deepEqual(redrawn, []);
    ids = ['b', 'a'];
    await store.poll();
    await clock.advance(settleMs);
    assert.equal(groupsRedrawn(), 1);
  });

  it('updates the rows whose age has changed, without a request', async () => {
    await show();
    const [row] = await show();
    redrawn = [];
    answer = () => assert.fail('nothing may be asked');
    provider.drawAges();
    await clock.advance(settleMs);
    assert.deepEqual(redrawn, []);
    // From yesterday to two days.
    await clock.advance(dayMs);
    provider.drawAges();
    await clock.advance(settleMs);
    assert.deepEqual(redrawn, [[row]]);
  });

  it("updates a list without changes after the user's own refresh", async () => {
    await show();
    redrawn = [];
    provider.invalidateRendered();
    await store.reload(key);
    await clock.advance(settleMs);
    assert.equal(groupsRedrawn(), 1);
  });

  it('does not retain the rows of removed jobs', async () => {
    const first = provider.jobNode('live', 'gone 0');
    for (let at = 0; at < 1000; at++) provider.jobNode('live', `gone ${at}`);
    const [row] = await show();
    ids = ['b', 'a'];
    await store.reload(key);
    assert.notEqual(provider.jobNode('live', 'gone 0'), first);
    assert.equal(provider.jobNode('live', 'a'), row);
  });

  it('leaves no timer behind: of an update, of a busy list, or of rows that were just requested', async () => {
    await provider.getChildren(group);
    await clock.advance(settleMs);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    answer = () => released;
    const loading = store.reload(key);
    await provider.getChildren();
    provider.redraw();
    assert.ok(clock.pending >= 2, `${clock.pending} timers`);
    redrawn = [];
    provider.dispose();
    assert.equal(clock.pending, 0);
    // Rows that arrive afterwards start no timer and update nothing.
    const late = provider.getChildren(group);
    provider.redraw();
    release();
    await Promise.all([loading, late]);
    assert.equal(clock.pending, 0);
    assert.deepEqual(redrawn, []);
  });

  it('leaves no request for rows pending after disposal', async () => {
    await provider.getChildren(group);
    const waiting = assert.rejects(provider.whenSettled(), (error) => isFailure(error, 'cancelled'));
    provider.dispose();
    await waiting;
    assert.equal(clock.pending, 0);
  });
});
