import assert from 'node:assert/strict';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Job } from '../../../src/jobs/common/job.ts';
import { jobKey } from '../../../src/jobs/common/job.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { StoreChange } from '../../../src/jobs/node/store/listState.ts';
import { markReplaced } from '../../../src/features/submit/node/journal/markReplaced.ts';
import { showSubmissions, type JobChanges } from '../../../src/features/submit/editor/showSubmissions.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { sentinelKey } from '../../support/faults/faultRun.ts';
import { answer } from '../../support/faults/plays.ts';
import { until } from '../../support/until.ts';
import { acceptLabel, hidePick, withPicks, type ShownPick } from '../browse/withPicks.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { aNewSubmission } from '../../unit/features/submit/node/aSubmission.ts';
import { recordLine } from '../../../src/jobs/node/journal/recordLine.ts';
import { answering } from './answers.ts';
import { useScene, type SubmitScene } from './submitScene.ts';

describe('The list of submissions', () => {
  let scene: SubmitScene;
  let jobs: Emitter<StoreChange>;
  let loaded: readonly Job[];
  useScene((opened) => (scene = opened));
  beforeEach(() => {
    jobs = new Emitter();
    loaded = [];
    Object.assign(scene.submissions.services.jobs, { jobs: () => loaded.values() });
  });

  const rowsOf = (pick: ShownPick): readonly string[] =>
    pick.items
      .filter(({ value }) => value !== undefined)
      .map(({ label, description = '' }) => `${label}: ${description.split(' · ')[0]}`);
  const journal = () => scene.submissions.journal;
  const connection = () => scene.submissions.target().connection;
  const add = (name: string, sentAtMs: number) =>
    journal().add(connection(), aNewSubmission({ file: `file:///${name}`, sentAtMs, expectedByMs: sentAtMs + 60_000 }));
  const changeOf = (...changed: readonly Pick<Job, 'kind' | 'id'>[]): StoreChange => ({
    type: 'lists',
    lists: [],
    jobs: new Set(changed.map(jobKey)),
    kinds: false,
  });

  it('says once how many are from a later version', async () => {
    const folder = join(journal().folderOf(connection()), 'journal');
    await add('a', 1);
    const [name = ''] = await readdir(folder);
    await appendFile(join(folder, name), recordLine({ schema: 99, type: 'entry' }));
    const shown = await answering(async () => {
      await scene.submissions.readJournal(connection());
      await scene.submissions.readJournal(connection());
    }, []);
    assert.deepEqual(
      shown.map(({ text }) => text),
      ['1 submissions were written by a later version and are not shown.'],
    );
  });

  it('follows the journal and the jobs while it is shown, keeps its position, and sends no request', async () => {
    const now = scene.submissions.services.clock.now();
    const first = await add('first.json', now - 2000);
    await journal().settle(connection(), first, { type: 'accepted', status: 201, id: 'job-1' });
    const second = await add('second.json', now - 1000);
    let listeners = 0;
    const onDidChangeJobs: JobChanges = (listener) => {
      const subscription = jobs.event(listener);
      listeners++;
      return {
        dispose: () => {
          listeners--;
          subscription.dispose();
        },
      };
    };
    await withPicks(async (next) => {
      const showing = showSubmissions(scene.submissions, onDidChangeJobs);
      const pick = await next();
      assert.deepEqual(rowsOf(pick), ['second.json: being sent', 'first.json: accepted']);
      assert.equal(pick.keepScrollPosition, true);
      pick.activeItems = pick.items.filter(({ label }) => label === 'first.json');

      await journal().settle(connection(), second, {
        type: 'rejected',
        code: 'unexpectedShape',
        status: 422,
        requestId: undefined,
      });
      await until('the outcome', () => rowsOf(pick)[0] === 'second.json: rejected');
      await add('third.json', now);
      await until('the new one', () => rowsOf(pick)[0] === 'third.json: being sent');
      assert.deepEqual(
        pick.activeItems.map((item) => [item.label, pick.items.includes(item)]),
        [['first.json', true]],
        'the active row stays, as the row that it now is',
      );

      loaded = [jobOf(preRecordedItem({ id: 'job-1', status: 'error', error_code: 422 }))];
      jobs.fire(changeOf(...loaded));
      await until('how the job ended', () => rowsOf(pick).at(-1) === 'first.json: failed');

      hidePick(pick);
      await showing;
      assert.equal(listeners, 0);
      const shown = pick.items;
      await add('fourth.json', now + 1);
      loaded = [];
      jobs.fire({ type: 'reset' });
      const again = showSubmissions(scene.submissions, jobs.event);
      const reopened = await next();
      assert.equal(rowsOf(reopened)[0], 'fourth.json: being sent');
      assert.equal(pick.items, shown, 'nothing is read for a list that is hidden');
      hidePick(reopened);
      await again;
    });
    assert.deepEqual(scene.bodies, []);
  });

  it('says how a job ended that was watched, unless it is loaded and no longer final', async () => {
    const sent = await add('one.json', scene.submissions.services.clock.now());
    await journal().settle(connection(), sent, { type: 'accepted', status: 201, id: 'job-1' });
    const job = jobOf(preRecordedItem({ id: 'job-1', status: 'done' }));
    const { name, baseUrl: origin } = connection();
    const plan = { label: '', createdAtMs: undefined, sinceMs: 0, misses: 0 };
    const watched = { connection: name, origin, kind: 'pre-recorded', id: 'job-1', ...plan } as const;
    await markReplaced(journal(), [{ watched, job }], () => assert.fail('it repeats no job'));
    await withPicks(async (next) => {
      const showing = showSubmissions(scene.submissions, jobs.event);
      const pick = await next();
      assert.deepEqual(rowsOf(pick), ['one.json: done']);
      loaded = [jobOf(preRecordedItem({ id: 'job-1', status: 'queued' }))];
      jobs.fire(changeOf(...loaded));
      await until('the job is queued again', () => rowsOf(pick)[0] === 'one.json: accepted');
      hidePick(pick);
      await showing;
    });
    assert.deepEqual(scene.bodies, []);
  });

  it('is not updated without changes, and keeps the typed text', async () => {
    const sent = await add('one.json', scene.submissions.services.clock.now());
    await journal().settle(connection(), sent, { type: 'accepted', status: 201, id: 'job-1' });
    const read = journal().read.bind(journal());
    let reads = 0;
    journal().read = async (...of) => {
      const reading = await read(...of);
      reads++;
      return reading;
    };
    await withPicks(async (next) => {
      const showing = showSubmissions(scene.submissions, jobs.event);
      const pick = await next();
      const { items } = pick;
      const readsWhenShown = reads;
      pick.value = 'one';
      jobs.fire(changeOf({ kind: 'pre-recorded', id: 'another' }, { kind: 'live', id: 'job-1' }));
      jobs.fire(changeOf({ kind: 'pre-recorded', id: 'job-1' }));
      await until('the list was read again', () => reads > readsWhenShown);
      await journal().read(connection());
      assert.equal(pick.items, items);
      await add('two.json', scene.submissions.services.clock.now());
      await until('the new row', () => rowsOf(pick).length === 2);
      assert.equal(pick.value, 'one');
      hidePick(pick);
      await showing;
    });
  });

  it('shows what the service answered, as long as the window is open', async () => {
    scene.play = answer(422, JSON.stringify({ message: 'no audio \u202e', echo: sentinelKey }));
    await scene.submissions.send(
      scene.submissions.target(),
      { file: 'file:///sent.json', body: '{"audio_url":"https://audio.example/a.wav"}', audioUrl: undefined },
      new AbortController().signal,
    );
    await add('earlier.json', scene.submissions.services.clock.now() - 1000);
    await withPicks(async (next) => {
      const showing = showSubmissions(scene.submissions, jobs.event);
      acceptLabel(await next(), 'sent.json');
      acceptLabel(await next(), 'Show the Service');
      await showing;
      const { document } = vscode.window.activeTextEditor ?? {};
      assert.equal(document?.getText(), 'HTTP 422\n\n{\n  "message": "no audio \\u202e",\n  "echo": "•••"\n}\n');
      const again = showSubmissions(scene.submissions, jobs.event);
      acceptLabel(await next(), 'earlier.json');
      const actions = await next();
      assert.equal(
        actions.items.some(({ label }) => label.includes('Show the Service')),
        false,
      );
      hidePick(actions);
      await again;
    });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
