import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { copyJobs } from '../../../src/features/details/editor/copyJobs.ts';
import { openAudio } from '../../../src/features/details/editor/openAudio.ts';
import { JobWatching } from '../../../src/features/watch/editor/jobWatching.ts';
import { watchMemory } from '../../../src/features/watch/common/watchPlan.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { CurrentFacts } from '../../../src/jobs/editor/currentFacts.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { workConnection as connection } from '../../support/builders/workConnection.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';
import { openSettings } from '../connections/userSettings.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { answering } from '../submit/answers.ts';

describe('A key that a service repeats in the titles and IDs of jobs', () => {
  const settings = openSettings();
  const { setStatusBarMessage, createStatusBarItem } = vscode.window;
  const brief: string[] = [];
  const items: vscode.StatusBarItem[] = [];
  beforeEach(() => {
    Object.assign(vscode.window, {
      setStatusBarMessage: (text: string) => brief.push(text),
      createStatusBarItem: (...given: Parameters<typeof createStatusBarItem>) => {
        const item = createStatusBarItem(...given);
        items.push(item);
        return item;
      },
    });
  });
  afterEach(() => Object.assign(vscode.window, { setStatusBarMessage, createStatusBarItem }));
  after(() => settings.dispose());

  it('is in no notification, dialog and status bar text, and in no label of a watched job', async () => {
    const clock = new FakeClock();
    const memory = new Map<string, unknown>();
    const jobs = new Map<string, Job>();
    const source = fakeReader(async () => ({
      entries: [...jobs.values()],
      hasMore: false,
      serviceDateMs: clock.now(),
      deviations: [],
    }));
    const parts = fakeServices({
      clock,
      settings,
      log: new KeptLog(),
      workspaceState: { get: (key) => memory.get(key), update: async (key, value) => void memory.set(key, value) },
      service: { current: { connection, source }, keyMask: new KeyMask(markedKey) },
      connections: {
        current: connection,
        onDidChange: new vscode.EventEmitter<never>().event,
        reach: () => Promise.resolve(connection),
      },
      jobs: { observing: () => () => undefined, whole: (job) => job, readWhole: async (job) => job },
      view: { visible: true, onDidChangeVisibility: new vscode.EventEmitter<void>().event, setBadge: () => undefined },
      actions: {
        submit: { noteFinished: () => Promise.resolve(undefined) },
        deliver: {
          deliver: async () => 'none',
          abandonFiles: () => Promise.resolve(),
          postponeFiles: (watched) => Promise.resolve(watched),
          catchUpDeliveries: () => Promise.resolve(),
        },
      },
    });
    const facts = new CurrentFacts(settings, parts.connections, parts.service, clock, {
      language: 'en',
      timeZone: 'UTC',
    });
    const services = { ...parts, facts };
    const set = (id: string, key: string, status: string): Job => {
      const job = jobOf(
        preRecordedItem({
          id,
          status,
          created_at: new Date(clock.now()).toISOString(),
          custom_metadata: { title: `Call ${key}` },
          file: { source: 'https://audio.example/a.mp3' },
        }),
      );
      jobs.set(id, job);
      return job;
    };

    const labels: string[] = [];
    const shown = await answering(async () => {
      for (const [index, { write }] of keyForms.entries()) {
        const key = write(markedKey);
        const id = `${index}-${key}`;
        const watching = new JobWatching(services);
        const job = set(id, key, 'queued');
        watching.watchListed([job]);
        for (const what of ['id', 'requestId', 'link', 'json', 'curl'] as const) await copyJobs([job], what, services);
        await openAudio(job, facts);
        labels.push(...(JSON.stringify(memory.get(watchMemory.jobs)).match(/"label":"(?:[^"\\]|\\.)*"/g) ?? []));
        set(id, key, index % 2 === 0 ? 'done' : 'error');
        await clock.advance(3000);
        watching.dispose();
        const finished = jobs.get(id) ?? assert.fail();
        assert.throws(
          () => watching.watchListed([finished]),
          ({ message }: Error) => brief.push(message) > 0,
        );
        jobs.clear();
      }
    }, []);
    const tooltips = items.map(({ tooltip }) => JSON.stringify(tooltip));
    const texts = [...brief, ...tooltips, ...shown.flatMap(({ text, detail = '' }) => [text, detail])];
    assert.equal(shown.length, 2 * keyForms.length);
    assert.equal(brief.length, 6 * keyForms.length);
    assert.ok(labels.length >= keyForms.length && tooltips.length === keyForms.length);
    assert.deepEqual(
      [...texts, ...labels].flatMap((text) => keyFormsIn(text, markedKey)),
      [],
    );
    facts.dispose();
  });
});
