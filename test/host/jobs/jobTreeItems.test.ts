import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Failure, type FailureCode } from '../../../src/base/failure.ts';
import { commandIds } from '../../../src/platform/editor/ids.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import type { TreeNode } from '../../../src/features/tree/common/jobTree.ts';
import { jobTooltip } from '../../../src/jobs/editor/jobTooltip.ts';
import { JobTreeItems } from '../../../src/features/tree/editor/jobTreeItems.ts';
import { jobContext, partlyFailedIcon, type ItemFacts } from '../../../src/jobs/editor/jobItem.ts';
import { loadMore } from '../../../src/features/tree/editor/loadCommands.ts';
import type { ServiceTrouble } from '../../../src/jobs/node/serviceHealth.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { listedJob } from '../../support/builders/listedJob.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';

const key = { kind: 'pre-recorded', status: 'done' } as const;
const row = { type: 'job', kind: 'pre-recorded', id: 'a' } as const;
const minute = 60_000;

describe('Rows of the jobs view', () => {
  const clock = new FakeClock();
  const plain = JSON.stringify({ id: 'a', custom_metadata: { title: 'Weekly review', room: 'B2' } });
  let raw = plain;
  let reads = 0;
  /** A job that counts how often its text is read. */
  const job = (): Job => {
    const { raw: _, ...rest } = listedJob({ id: 'a', kind: 'pre-recorded', status: 'done' });
    return {
      ...rest,
      createdAtMs: clock.now() - 3 * minute,
      get raw() {
        reads++;
        return raw;
      },
    };
  };
  let host: string;
  let labelKeys = ['title'];
  let slowSinceMs: number | undefined;
  let trouble: ServiceTrouble | undefined;
  let nextTryMs: number | undefined;
  const troubleOf = (code: FailureCode, retryAtMs?: number): ServiceTrouble => ({
    failure: new Failure(code, retryAtMs === undefined ? {} : { retryAtMs }),
    atMs: clock.now(),
    sinceMs: clock.now(),
  });
  let answer: () => Promise<void> = () => Promise.resolve();
  let answerFirst = answer;
  const offsets: number[] = [];
  const source = fakeReader(async (_endpoint, { offset = 0 }) => {
    offsets.push(offset);
    await (offset > 0 ? answer() : answerFirst());
    return { entries: [job()], hasMore: true, serviceDateMs: undefined, deviations: [] };
  });
  let store: JobStore;
  let items: JobTreeItems;
  const item = (): vscode.TreeItem => items.item(row);
  let hasConnections = false;

  beforeEach(async () => {
    host = '';
    labelKeys = ['title'];
    trouble = undefined;
    nextTryMs = clock.now() + minute;
    answerFirst = () => Promise.resolve();
    raw = plain;
    store = new JobStore(() => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }), clock, new KeptLog());
    store.use(source);
    await store.load(key);
    items = new JobTreeItems({
      store,
      facts: () => ({
        connection: 'Work',
        host,
        labelKeys,
        errorLabels: {},
        locale: { language: 'en', timeZone: 'UTC' },
        nowMs: clock.now(),
      }),
      service: () => ({ slowSinceMs, trouble, nextTryMs }),
      hasConnections: () => hasConnections,
    });
  });
  afterEach(() => store.dispose());

  it('are created once, however often the editor requests them', () => {
    const first = item();
    assert.equal(first.label, 'Weekly review');
    assert.ok(reads > 0);
    reads = 0;
    assert.equal(item(), first);
    assert.equal(reads, 0);
  });

  it('show the host of the connection next to its name, unless it is its name', () => {
    const connection = () => items.item({ type: 'connectionNote' });
    host = 'api.example.com';
    assert.deepEqual([connection().label, connection().description], ['Work', 'api.example.com']);
    host = 'Work';
    items.clear();
    assert.deepEqual([connection().label, connection().description], ['Work', '']);
  });

  it('lead from the sample jobs to the other connections, or to the first one', () => {
    const command = () => items.item({ type: 'sampleNote' }).command?.command;
    assert.equal(command(), commandIds.connect);
    hasConnections = true;
    assert.equal(command(), commandIds.switchConnection);
    hasConnections = false;
  });

  it('show in the row of the connection that the service is slow', () => {
    host = 'api.example.com';
    slowSinceMs = Date.parse('2026-11-20T12:00:00Z');
    const { description, tooltip } = items.item({ type: 'connectionNote' });
    assert.equal(description, 'slow to answer');
    assert.ok(typeof tooltip === 'string');
    assert.match(
      tooltip,
      /^A request has waited for more than 5 seconds\. .+\nSince 12:00\sPM\napi\.example\.com$/,
      'what was measured, since when, and the host, for which the row has no room',
    );
    slowSinceMs = undefined;
  });

  it('show in the row of the connection until when the service limits requests', () => {
    trouble = troubleOf('rateLimited', Date.parse('2026-11-20T12:00:19.200Z'));
    nextTryMs = undefined;
    const { description, tooltip } = items.item({ type: 'connectionNote' });
    assert.equal(String(description).replace('\u202f', ' '), 'rate limit until 12:00:20 PM');
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /\nTry again after 12:00:20\sPM\.\n/, 'the same time as in the row');
    trouble = undefined;
    assert.equal(items.item({ type: 'connectionNote' }).description, '');
  });

  it('show in the row of the connection why the service does not answer, though all lists could be read', () => {
    trouble = troubleOf('keyRejected');
    const { description, tooltip } = items.item({ type: 'connectionNote' });
    assert.equal(description, 'key rejected');
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /^The service rejected the API key\.\nSince \d/);
  });

  it('update their age', async () => {
    const before = item().description;
    await clock.advance(minute);
    assert.equal(before, '3m');
    assert.equal(item().description, '4m');
  });

  it('are created again after settings change', () => {
    item();
    labelKeys = ['room'];
    items.clear();
    assert.equal(item().label, 'B2');
  });

  it('of partly failed jobs have their own icon', async () => {
    const iconOf = (): unknown => item().iconPath;
    const before = iconOf();
    raw = JSON.stringify({ id: 'a', result: { translation: { success: false } } });
    await store.reload(key);
    assert.notDeepEqual(iconOf(), before);
    assert.equal(iconOf(), partlyFailedIcon);
  });

  it('expose results to menus, and failed parts in tooltips', async () => {
    const translation = { success: false, error: { message: 'took\n\u202etoo long' }, results: null };
    const metadata = { audio_duration: 90.21000000000001, billing_time: 91, number_of_distinct_channels: 2 };
    const result = { metadata, translation, summarization: { success: true } };
    const loaded = listedJob({
      id: 'a',
      status: 'done',
      kind: 'pre-recorded',
      created_at: '2026-11-19T10:00:00Z',
      completed_at: '2026-11-19T10:01:00Z',
      result,
    });
    const at = { connection: 'Work' };
    assert.match(jobContext(loaded, at), / result linkable$/);
    assert.doesNotMatch(jobContext(listedJob({ result: null }), at), /result|audio/);
    assert.match(jobContext(listedJob({ file: { source: 'https://a.example/a.mp3' } }), at), / audio linkable$/);
    assert.doesNotMatch(jobContext(loaded, { connection: 'Sample' }), /linkable/);
    assert.doesNotMatch(jobContext(listedJob({ created_at: null }), at), /linkable/);
    const submitted = { ...at, submittedAs: new Map([['a', 'call.wav']]) };
    assert.match(jobContext(loaded, submitted), / submitted$/);
    assert.match(jobContext(loaded, { ...submitted, inBatch: new Set(['a']) }), / submitted batch$/);
    assert.doesNotMatch(jobContext(loaded, { ...at, inBatch: new Set(['a']) }), /batch/, 'of another connection');
    const facts = { labelKeys: [], errorLabels: {}, locale: { language: 'en', timeZone: 'UTC' }, nowMs: clock.now() };
    assert.match(
      jobTooltip(loaded, facts),
      /\nProcessing time: 1 min\nAudio length: [^\n]+\nBilled time: [^\n]+\nChannels: 2\nTranslation failed: took too long\ncustomer: Blue Harbor\nepisode: 12$/,
    );
    assert.match(items.tooltip(row) ?? '', /^Weekly review\n/);
  });

  it('of failures say if they were resubmitted and are handled', () => {
    const failed = listedJob({ id: 'a', status: 'error', kind: 'live', error_code: 422 });
    const facts = { labelKeys: [], errorLabels: {}, locale: { language: 'en', timeZone: 'UTC' }, nowMs: clock.now() };
    assert.doesNotMatch(jobTooltip(failed, facts), /Resubmitted/);
    const resubmittedAs = new Map([['a', 'a-newer-job']]);
    assert.match(
      jobTooltip(failed, { ...facts, resubmittedAs }),
      /\nError 422\nResubmitted as job a-newer-\.\nID: a\n/,
    );
    const contextOf = (isHandled: boolean): string =>
      jobContext(failed, { connection: 'Work', isHandled: () => isHandled });
    assert.match(contextOf(true), / failed handled/);
    assert.doesNotMatch(contextOf(false), /handled/);
  });

  it('offer to run a failed job again only if its request is known, and to resubmit it only once', () => {
    const failed = { id: 'a', status: 'error', kind: 'pre-recorded' };
    const partly = { ...failed, status: 'done', result: { translation: { success: false } } };
    const ways = (item: JsonObject, facts: Partial<ItemFacts> = {}): readonly string[] =>
      jobContext(listedJob(item), { connection: 'Work', ...facts })
        .split(' ')
        .filter((word) => /^re\w+able$/.test(word));
    const submittedAs = new Map([['a', 'call.wav']]);
    assert.deepEqual(ways(failed), []);
    assert.deepEqual(ways(failed, { submittedAs }), ['resubmittable', 'retryable']);
    assert.deepEqual(ways({ ...failed, request_params: {} }), ['resubmittable', 'retryable']);
    assert.deepEqual(ways(partly, { submittedAs }), ['resubmittable']);
    assert.deepEqual(ways(failed, { submittedAs, resubmittedAs: new Map([['a', 'b']]) }), []);
    assert.deepEqual(ways({ ...failed, kind: 'live', request_params: {} }), []);
  });

  it('of kinds and groups expose to menus if the service can filter by them', () => {
    const contextOf = (node: TreeNode): string | undefined => items.item(node).contextValue;
    assert.equal(contextOf({ type: 'group', key }), 'group');
    assert.equal(contextOf({ type: 'kind', kind: 'live' }), 'kind');
    for (const node of [
      { type: 'group', key: { kind: 'live', status: 'dreaming' } },
      { type: 'group', key: { kind: 'dream', status: undefined } },
      { type: 'kind', kind: 'dream' },
    ] as const) {
      assert.equal(contextOf(node), 'observed');
    }
  });

  it('that could not be refreshed are shown as outdated, with the reason first and the rest in the tooltip', async () => {
    answerFirst = () => Promise.reject(new Failure('keyRejected', { status: 401 }));
    await store.reload(key);
    const node = { type: 'failure', key } as const;
    const { label, description, tooltip, accessibilityInformation } = items.item(node);
    assert.equal(label, 'The service rejected the API key.');
    assert.ok(typeof description === 'string');
    assert.match(description, /^Retry · Outdated since \d/);
    assert.ok(typeof tooltip === 'string');
    assert.match(
      tooltip,
      /^Outdated since .+\nThe service rejected the API key\.\n.*Set API Key.*\nError code: keyRejected$/,
    );
    assert.equal(items.item(node).contextValue, 'failure key', 'the menu has Set API Key');
    items.clear();
    trouble = troubleOf('keyRejected');
    const connection = items.item({ type: 'connectionNote' });
    assert.ok(typeof connection.description === 'string' && typeof connection.tooltip === 'string');
    assert.match(connection.description, /^key rejected/);
    assert.match(connection.tooltip, /^The service rejected the API key\.\nSince .+\nNext attempt at .+\n/);
    assert.match(connection.accessibilityInformation?.label ?? '', /^Work, key rejected.*, The service rejected/);
    assert.deepEqual([connection.contextValue, connection.command?.command], ['connection key', commandIds.refresh]);
    const group = items.item({ type: 'group', key }).description;
    assert.ok(typeof group === 'string' && group.endsWith(' · outdated'));
    assert.match(accessibilityInformation?.label ?? '', /^Outdated since .+, The service rejected.+, Retry$/);
  });

  it('are not said to be without an answer when the service answers with an error', () => {
    for (const [code, expected] of [
      ['offline', /^no answer(?:, retry at \d+:\d+:\d+\sPM| at \d+:\d+\sPM)$/],
      ['serverFailed', /^failing(?:, retry at \d+:\d+:\d+\sPM| since \d+:\d+\sPM)$/],
      ['notJson', /^failing(?:, retry at \d+:\d+:\d+\sPM| since \d+:\d+\sPM)$/],
    ] as const) {
      for (const next of [clock.now() + minute, undefined]) {
        trouble = troubleOf(code);
        nextTryMs = next;
        const { description } = items.item({ type: 'connectionNote' });
        assert.ok(typeof description === 'string');
        assert.match(description, expected);
        assert.equal(description.includes('retry'), next !== undefined);
      }
    }
  });

  it('say once when the next attempt is, to the second', () => {
    trouble = troubleOf('rateLimited', clock.now() + 20_000);
    const { tooltip } = items.item({ type: 'connectionNote' });
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /\nNext attempt at \d+:\d+:\d+\sPM\.\n/);
    assert.doesNotMatch(tooltip, /Try again after/);
  });

  it('that could not be refreshed are read again before more are loaded', async () => {
    answerFirst = () => Promise.reject(new Failure('offline'));
    await store.reload(key);
    offsets.length = 0;
    const focused: unknown[] = [];
    const view = { focusWhenListed: (...given: readonly unknown[]) => void focused.push(given) };
    const more = { type: 'loadMore', key } as const;
    await loadMore(store, view, more);
    assert.deepEqual(offsets, [0], 'nothing follows rows that are still outdated');
    answerFirst = () => Promise.resolve();
    offsets.length = 0;
    await loadMore(store, view, more);
    assert.equal(offsets[0], 0);
    assert.ok(offsets.length > 1, 'the next page was asked for');
    assert.equal(store.list(key).failure, undefined);
  });

  it('show at their end that more is loading, and ignore a second press meanwhile', async () => {
    const more = (): vscode.TreeItem => items.item({ type: 'loadMore', key });
    assert.equal(more().label, 'Load More');
    assert.ok(more().command);
    let release = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = () => {
        resolve();
        return new Promise((done) => (release = done));
      };
    });
    const loading = store.loadMore(key);
    await asked;
    assert.equal(more().label, 'Loading…');
    assert.equal(more().command, undefined);
    answer = () => Promise.resolve();
    release();
    await loading;
  });

  it('show that nothing matches the filter, and clear it when they are selected', () => {
    const { label, description, command } = items.item({ type: 'noMatch' });
    assert.deepEqual(
      [label, description, command?.command],
      ['No job matches the filter', 'Clear filter', 'transcriptionJobs.clearFilter'],
    );
  });

  it('show that no job was found, and refresh when they are selected', async () => {
    const empty = { type: 'empty', key } as const;
    let hasMore = true;
    const none = fakeReader(async () => ({ entries: [], hasMore, serviceDateMs: undefined, deviations: [] }));
    store.use(none);
    await store.load(key);
    assert.equal(store.list(key).isComplete, false);
    const open = items.item(empty);
    assert.deepEqual([open.label, open.command?.command], ['No jobs found', 'transcriptionJobs.refresh']);
    hasMore = false;
    await store.reload(key);
    assert.equal(store.list(key).isComplete, true);
    const closed = items.item(empty);
    assert.deepEqual([closed.label, closed.command], ['No jobs', undefined]);
  });
});
