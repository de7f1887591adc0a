import assert from 'node:assert/strict';
import { Failure } from '../../../src/base/failure.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { OpenJobPoller } from '../../../src/features/details/editor/openJobPoller.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { setUser } from '../connections/userSettings.ts';
import { FakeDetailsDeps, jobOf } from './fakeDetailsDeps.ts';
import { FakePanel } from './fakePanel.ts';
import { FakeWindow } from './fakeWindow.ts';
import { fakeServices } from '../../support/fakeServices.ts';

const item = preRecordedItem({ id: 'job-1', status: 'processing', completed_at: null });
const done = { ...item, status: 'done', completed_at: '2026-11-20T12:00:00.000Z' };
/** The default of `autoRefresh.intervalSeconds`. */
const intervalMs = 15_000;

describe('The job of an open page', () => {
  let deps: FakeDetailsDeps;
  let panel: FakePanel;
  let window: FakeWindow;
  let poller: OpenJobPoller;
  let job: Job | undefined;
  let observed: Job[];
  let asked: number;
  let missing: boolean[];
  /** Returns the response of the service. */
  let answer: () => Promise<Job | undefined>;

  beforeEach(() => {
    deps = new FakeDetailsDeps();
    panel = new FakePanel();
    window = new FakeWindow();
    job = jobOf(item);
    observed = [];
    asked = 0;
    missing = [];
    answer = () => Promise.resolve(jobOf(item));
    poller = new OpenJobPoller(
      {
        panel: panel.asPanel,
        get job() {
          return job;
        },
        take(newer) {
          job = newer;
          poller.replan();
        },
        setMissing: (isMissing) => void missing.push(isMissing),
      },
      fakeServices({
        clock: deps.clock,
        log: deps.log,
        settings: deps.settings,
        service: {
          findCreated: ({ kind, id }) => {
            assert.equal(`${kind} ${id}`, 'pre-recorded job-1');
            asked++;
            return answer();
          },
        },
        jobs: { observing: () => (jobs) => void observed.push(...jobs) },
        actions: { tree: { isListed: (each) => deps.isPolled(each) } },
      }),
      window,
    );
    deps.isPolled = () => false;
    poller.replan();
  });

  afterEach(async () => {
    poller.dispose();
    await setUser('autoRefresh.intervalSeconds', undefined);
  });

  it('is requested once per interval until it has ended', async () => {
    await deps.clock.advance(intervalMs - 1);
    assert.equal(asked, 0);
    await deps.clock.advance(1);
    assert.equal(asked, 1);
    await deps.clock.advance(intervalMs);
    assert.equal(asked, 2);
    answer = () => Promise.resolve(jobOf(done));
    await deps.clock.advance(intervalMs);
    assert.equal(job?.status, 'done');
    assert.deepEqual(
      observed.map(({ status }) => status),
      ['processing', 'processing', 'done'],
    );
    assert.equal(deps.clock.pending, 0);
    await deps.clock.advance(100 * intervalMs);
    assert.equal(asked, 3);
  });

  it('is missing while the service answers without it, not while the service does not answer', async () => {
    for (const [next, expected] of [
      [() => Promise.resolve(undefined), [true]],
      [() => Promise.reject(new Failure('offline')), []],
      [() => Promise.resolve(jobOf(item)), [false]],
    ] as const) {
      missing = [];
      answer = next;
      await deps.clock.advance(5 * 60_000);
      assert.deepEqual([...new Set(missing)], expected);
    }
  });

  it('is not requested if its list is polled', async () => {
    deps.isPolled = () => true;
    await deps.clock.advance(10 * intervalMs);
    assert.equal(asked, 0);
    deps.isPolled = () => false;
    await deps.clock.advance(intervalMs);
    assert.equal(asked, 1);
  });

  it('is not requested while the page is hidden, and soon after it is shown again', async () => {
    panel.setVisible(false);
    await deps.clock.advance(10 * intervalMs);
    panel.setVisible(true);
    window.setFocused(false);
    await deps.clock.advance(10 * intervalMs);
    assert.equal(asked, 0);
    assert.equal(deps.clock.pending, 0);
    window.setFocused(true);
    await deps.clock.advance(0);
    assert.equal(asked, 1);
    panel.setVisible(false);
    panel.setVisible(true);
    await deps.clock.advance(0);
    assert.equal(asked, 1, 'going back and forth asks at the shortest pause at most');
    await deps.clock.advance(5_000);
    assert.equal(asked, 2);
  });

  it('is not requested when automatic refresh is off, when it has ended, or when its position in the list is unknown', async () => {
    await setUser('autoRefresh.intervalSeconds', 0);
    await deps.clock.advance(10 * intervalMs);
    await setUser('autoRefresh.intervalSeconds', undefined);
    for (const other of [jobOf(done), jobOf({ ...item, created_at: 'soon' }), undefined]) {
      job = other;
      poller.replan();
      await deps.clock.advance(10 * intervalMs);
    }
    assert.equal(asked, 0);
  });

  it('is requested less and less often if the service fails or does not find it, and not before the requested delay', async () => {
    answer = () => Promise.reject(new Failure('offline'));
    await deps.clock.advance(60 * 60_000);
    const hour = asked;
    assert.ok(hour >= 10 && hour <= 16, String(hour));
    answer = () => Promise.resolve(undefined);
    await deps.clock.advance(60 * 60_000);
    assert.ok(asked - hour >= 10 && asked - hour <= 13, String(asked - hour));
    const retryAtMs = deps.clock.now() + 60 * 60_000;
    answer = () => Promise.reject(new Failure('rateLimited', { retryAtMs }));
    await deps.clock.advance(10 * 60_000);
    const before = asked;
    await deps.clock.advance(retryAtMs - deps.clock.now() - 1);
    assert.equal(asked, before);
    await deps.clock.advance(1);
    assert.equal(asked, before + 1);
  });

  it('is dropped when the page shows another, and a late response with it', async () => {
    let report: ((found: Job) => void) | undefined;
    answer = () => new Promise((resolve) => (report = resolve));
    await deps.clock.advance(intervalMs);
    const other = jobOf({ ...done, id: 'job-2' });
    job = other;
    poller.replan();
    report?.(jobOf(done));
    await deps.clock.advance(0);
    assert.equal(job, other);
    assert.equal(deps.clock.pending, 0);
  });

  it('is requested at the interval again when the page returns to it, whatever the result of an earlier request', async () => {
    const retryAtMs = deps.clock.now() + 60 * 60_000;
    let refuse: (() => void) | undefined;
    answer = () =>
      new Promise((_, reject) => {
        refuse = () => {
          reject(new Failure('rateLimited', { retryAtMs }));
        };
      });
    await deps.clock.advance(intervalMs);
    for (const shown of [undefined, jobOf(item)]) {
      job = shown;
      poller.replan();
    }
    await deps.clock.advance(intervalMs - 1);
    refuse?.();
    await deps.clock.advance(0);
    assert.equal(asked, 1);
    await deps.clock.advance(1);
    assert.equal(asked, 2);
  });

  it('keeps its delay when the page gets the same job again', async () => {
    const retryAtMs = deps.clock.now() + 60 * 60_000;
    answer = () => Promise.reject(new Failure('rateLimited', { retryAtMs }));
    await deps.clock.advance(intervalMs);
    assert.equal(asked, 1);
    while (deps.clock.now() < retryAtMs - intervalMs) {
      job = jobOf(item);
      poller.replan();
      await deps.clock.advance(intervalMs - 1);
    }
    assert.equal(asked, 1, 'the service has asked for a pause');
    let report: ((found: Job) => void) | undefined;
    answer = () => new Promise((resolve) => (report = resolve));
    await deps.clock.advance(intervalMs);
    assert.equal(asked, 2);
    job = jobOf(item);
    poller.replan();
    report?.(jobOf(done));
    await deps.clock.advance(0);
    assert.equal(job.status, 'done', 'the question under way is about this job');
    assert.equal(asked, 2);
  });

  it('is requested again, with growing delays, after an unexpected error', async () => {
    answer = () => Promise.reject(new Error('a file of the extension is gone'));
    await deps.clock.advance(60 * 60_000);
    assert.ok(asked >= 10 && asked <= 16, String(asked));
    const before = asked;
    for (let times = 0; times < 10; times++) poller.replan();
    await deps.clock.advance(0);
    assert.equal(asked, before);
  });
});
