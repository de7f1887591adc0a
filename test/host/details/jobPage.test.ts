import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Failure, type FailureCode } from '../../../src/base/failure.ts';
import type { HostToPage } from '../../../src/features/details/common/protocol.ts';
import { jobKey, type Job } from '../../../src/jobs/common/job.ts';
import { JobPanel } from '../../../src/features/details/editor/jobPanel.ts';
import { JobPanels } from '../../../src/features/details/editor/jobPanels.ts';
import { WholeJobs } from '../../../src/jobs/node/store/wholeJobs.ts';
import type { SoughtJob } from '../../../src/jobs/node/jobSearch.ts';
import { liveItem, preRecordedItem } from '../../support/builders/jobItem.ts';
import { heardMessages } from '../connections/heardMessages.ts';
import { until } from '../../support/until.ts';
import { FakeDetailsDeps, jobOf, noSource } from './fakeDetailsDeps.ts';
import { FakePanel } from './fakePanel.ts';

const item = preRecordedItem({ id: 'job-1', status: 'processing', completed_at: null });
const jobRef = { connection: 'Test', kind: 'pre-recorded', id: 'job-1', side: false };
const openJson = (): Promise<void> => Promise.resolve();
const documents = { openJson, openDiff: openJson };

/** Returns a one-line summary of a page's content. */
function shown(message: HostToPage | undefined): string {
  if (message?.type === 'job') return `${message.view.title}: ${message.view.status.text}`;
  return message?.type === 'absent' ? `${message.view.text} (${message.view.search})` : String(message?.type);
}

describe('The details page', () => {
  let deps: FakeDetailsDeps;
  let panel: FakePanel;
  const page = (job?: Job): JobPanel =>
    new JobPanel(panel.asPanel, { jobRef, job }, deps.services, deps.speakers, openJson);
  const sees = (expected: string): void => assert.equal(shown(panel.last), expected);

  beforeEach(() => {
    deps = new FakeDetailsDeps();
    panel = new FakePanel();
  });

  it('greets a page that is ready and shows its job, whenever the page is reloaded', () => {
    page(jobOf(item));
    assert.deepEqual(panel.sent, []);
    for (let time = 0; time < 2; time++) panel.says({ type: 'ready', timeZone: 'Asia/Tokyo' });
    assert.deepEqual(
      panel.sent.map(({ type }) => type),
      ['hello', 'job', 'hello', 'job'],
    );
    sees('title of job-1: Processing');
    assert.equal(panel.title, 'title of job-1');
    assert.match(JSON.stringify(panel.last), /7:00:00.PM GMT\+9/);
  });

  it('has the id in its tab next to the title in a side column, where other jobs may have the same title', () => {
    deps.titleOf = () => 'Aurora Health';
    for (const [id, side, title] of [
      ['8f0c2a1b-9d', true, 'Aurora Health · 8f0c2a1b'],
      ['77aa11bb-22', true, 'Aurora Health · 77aa11bb'],
      ['77aa11bb-22', false, 'Aurora Health'],
      ['Aurora', true, 'Aurora Health'],
    ] as const) {
      const beside = new JobPanel(
        panel.asPanel,
        { jobRef: { ...jobRef, id, side }, job: jobOf({ ...item, id }) },
        deps.services,
        deps.speakers,
        openJson,
      );
      assert.equal(beside.panel.title, title);
    }
  });

  it('sends the text to search for in the transcript until the page has received it, and not for the next job', () => {
    const asked = (): readonly string[] | undefined => (panel.last?.type === 'job' ? panel.last.find : undefined);
    const shownPage = new JobPanel(
      panel.asPanel,
      { jobRef, job: jobOf(item), find: ['lamp'] },
      deps.services,
      deps.speakers,
      openJson,
    );
    panel.says({ type: 'ready' });
    assert.deepEqual(asked(), ['lamp']);
    panel.says({ type: 'ready' });
    assert.deepEqual(asked(), ['lamp'], 'a page that was hidden before it could look');
    panel.says({ type: 'found' });
    panel.says({ type: 'ready' });
    assert.equal(asked(), undefined);
    shownPage.show(jobRef, jobOf(item), ['bay']);
    assert.deepEqual(asked(), ['bay']);
    shownPage.show({ ...jobRef, id: 'job-2' }, jobOf(item));
    assert.equal(asked(), undefined);
  });

  it('stops counting and says so while the service does not return its job', () => {
    const shownPage = page(jobOf(item));
    panel.says({ type: 'ready', timeZone: 'UTC' });
    const state = (): unknown => {
      assert.ok(panel.last?.type === 'job');
      const { timeline, warnings } = panel.last.view;
      return [timeline?.running, warnings.map(({ id }) => id)];
    };
    assert.deepEqual(state(), [true, []]);
    shownPage.setMissing(true);
    assert.deepEqual(state(), [false, ['missing']]);
    const since = JSON.stringify(panel.last);
    shownPage.setMissing(true);
    assert.equal(JSON.stringify(panel.last), since);
    shownPage.setMissing(false);
    assert.deepEqual(state(), [true, []]);
  });

  it('sends nothing to a closed page', () => {
    const closed = page(jobOf(item));
    panel.says({ type: 'ready' });
    const { length } = panel.sent;
    panel.dispose();
    closed.refresh();
    assert.equal(panel.sent.length, length);
  });

  it('allows a page to load only its own script and style', () => {
    page(jobOf(item));
    const { html } = panel.webview;
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    assert.match(
      policy,
      /^default-src 'none'; script-src 'nonce-[\w+/]{24}'; style-src https:\/\/resources\.example; /,
    );
    assert.equal(html.match(/<script/g)?.length, 1);
    page(jobOf(item));
    assert.notEqual(panel.webview.html, html);
    assert.deepEqual(panel.webview.options, {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(deps.extensionUri, 'dist', 'page')],
    });
  });

  it('drops a message that does not decode, with a log line that contains none of it', () => {
    page(jobOf(item));
    for (const message of [undefined, 'ready', { type: 'openLink', url: 7 }, { type: 'copy', what: 'secret' }]) {
      panel.says(message);
    }
    panel.says({ type: 'dropped', why: '.view: expected an object' });
    assert.deepEqual(panel.sent, []);
    assert.equal(deps.log.lines.length, 5);
    assert.ok(deps.log.lines.every((line) => /^debug .*dropped a message/.test(line) && !line.includes('secret')));
  });

  it('offers to retry a failed job with a known request, of any connection, and no other job', () => {
    const failed = jobOf({ ...item, status: 'error', request_params: { audio_url: 'https://a.example/a.mp3' } });
    for (const [job, canRetry] of [
      [failed, true],
      [jobOf({ ...item, status: 'error' }), false],
      [jobOf(item), false],
      [jobOf(liveItem({ status: 'error' })), false],
    ] as const) {
      page(job);
      panel.says({ type: 'ready' });
      assert.equal(panel.last?.type === 'job' && panel.last.view.canRetry, canRetry);
    }
    page(failed);
    panel.says({ type: 'retry' });
    assert.deepEqual(deps.retried.at(-1), failed);
  });

  it('offers a link, except to jobs of the sample service', () => {
    const canLink = (): unknown => panel.last?.type === 'job' && panel.last.view.canLink;
    page(jobOf(item));
    panel.says({ type: 'ready' });
    assert.equal(canLink(), true);
    new JobPanel(
      panel.asPanel,
      { jobRef: { ...jobRef, connection: 'Sample' }, job: jobOf(item) },
      deps.services,
      deps.speakers,
      openJson,
    ).refresh();
    panel.says({ type: 'ready' });
    assert.equal(canLink(), false);
  });

  it('forwards the actions of its buttons, and recognises jobs that were submitted here', () => {
    deps.submitted.add('job-1');
    page(jobOf(item));
    panel.says({ type: 'ready' });
    const isSubmitted = (): unknown => panel.last?.type === 'job' && panel.last.view.isSubmitted;
    assert.equal(isSubmitted(), true);
    for (const type of ['watch', 'saveWhenDone', 'newRequest', 'openRequest']) panel.says({ type });
    assert.deepEqual(deps.asked, ['watch job-1', 'saveWhenDone job-1', 'newRequest job-1', 'openRequest job-1']);
    deps.connection = { ...deps.connection, current: { name: 'Other' } };
    page(jobOf(item)).refresh();
    assert.equal(isSubmitted(), false, 'ids of another connection tell nothing');
  });

  it('offers the files that were saved when the job was done', async () => {
    deps.saved.add('Test/job-1');
    page(jobOf({ ...item, status: 'done' }));
    panel.says({ type: 'ready' });
    const hasFiles = (): unknown => panel.last?.type === 'job' && panel.last.view.hasFiles;
    assert.equal(hasFiles(), false);
    await until('the files', () => hasFiles());
    deps.saved.clear();
    page(jobOf({ ...item, status: 'done', id: 'job-2' })).refresh();
    assert.equal(hasFiles(), false);
  });

  it('follows its job, updates labels, and ignores other jobs', () => {
    const shownPage = page(deps.load(item));
    deps.changes.event((change) => shownPage.follow(change));
    deps.facts.event(() => shownPage.refresh());
    panel.says({ type: 'ready' });
    const before = panel.sent.length;
    deps.load(preRecordedItem({ id: 'job-2' }));
    assert.equal(panel.sent.length, before);
    deps.load({ ...item, status: 'error', error_code: 503 });
    sees('title of job-1: Failed');
    deps.labels = { 503: 'Busy' };
    deps.facts.fire();
    assert.match(JSON.stringify(panel.last), /503: Busy/);
    // No longer in the store, as after a change of filter: the page keeps its content.
    deps.loaded.clear();
    deps.changes.fire({ type: 'reset' });
    sees('title of job-1: Failed');
  });

  describe('of a job whose result is not loaded', () => {
    const spoken = 'So it goes. '.repeat(200);
    const translation = { success: false, error: { message: 'No such language' }, results: null };
    const whole = jobOf({
      ...item,
      status: 'done',
      result: { transcription: { full_transcript: spoken }, translation },
    });
    const lean = new WholeJobs(noSource).makeLean(whole);
    const view = () => {
      const { last } = panel;
      assert.ok(last?.type === 'job');
      return last.view;
    };
    const open = (): void => {
      page(lean);
      panel.says({ type: 'ready', timeZone: 'UTC' });
    };
    beforeEach(() => {
      deps.wholes = new Map();
    });

    it('shows the rest, reports that the result is loading, and then shows it', async () => {
      let resolve: (whole: Job) => void = () => assert.fail('nothing was asked');
      let asked = 0;
      deps.readWhole = () => {
        asked++;
        return new Promise((done) => (resolve = done));
      };
      open();
      deps.facts.fire();
      assert.deepEqual(
        view().warnings.map(({ text }) => text),
        ['Translation failed: No such language', 'Reading the result…'],
      );
      assert.equal(view().transcript, undefined);
      assert.ok(!JSON.stringify(view()).includes('not readable'));
      resolve(whole);
      await until('the transcript is shown', () => view().transcript !== undefined);
      assert.equal(asked, 1);
      deps.facts.fire();
      assert.ok(view().transcript);
      assert.equal(asked, 1);
    });

    it('reports why it cannot be read, and reads it again when the job is shown again', async () => {
      deps.readWhole = () => Promise.reject(new Failure('offline'));
      const shows = page(lean);
      panel.says({ type: 'ready', timeZone: 'UTC' });
      await until('it is told', () => /could not be read again/.test(view().warnings.at(-1)?.text ?? ''));
      deps.readWhole = () => Promise.resolve(whole);
      deps.facts.fire();
      assert.equal(view().transcript, undefined, 'not by itself');
      shows.show(jobRef, lean);
      await until('the transcript is shown', () => view().transcript !== undefined);
    });

    it('reads it again when the job returns to the lists, for example after a key was corrected', async () => {
      deps.readWhole = () => Promise.reject(new Failure('keyRejected'));
      const shows = page(lean);
      panel.says({ type: 'ready', timeZone: 'UTC' });
      await until('it is told', () => /could not be read again/.test(view().warnings.at(-1)?.text ?? ''));
      deps.readWhole = () => Promise.resolve(whole);
      deps.loaded.set(jobKey(lean), { ...lean });
      shows.follow({ type: 'lists', lists: [], jobs: new Set([jobKey(lean)]), kinds: false });
      await until('the transcript is shown', () => view().transcript !== undefined);
    });

    describe('during a switch of the connection', () => {
      const switchTo = (name: string): void => {
        deps.connection = { ...deps.connection, current: { name } };
        deps.changes.fire({ type: 'reset' });
        deps.facts.fire();
      };
      const warnings = (): readonly string[] => view().warnings.map(({ text }) => text);
      const elsewhere = 'This job belongs to the connection Test. It is not updated until you switch to it.';
      const openFollowed = (job: Job): void => {
        const shownPage = page(job);
        deps.changes.event((change) => shownPage.follow(change));
        deps.facts.event(() => shownPage.refresh());
        panel.says({ type: 'ready', timeZone: 'UTC' });
      };

      it('keeps its transcript, and says which connection it belongs to, without a request', async () => {
        deps.readWhole = () => assert.fail('the result is known');
        deps.wholes?.set(lean, whole);
        openFollowed(lean);
        const before = view();
        assert.ok(before.transcript);
        deps.wholes?.clear();
        switchTo('Other');
        assert.deepEqual(view().transcript, before.transcript);
        assert.equal(warnings().at(-1), elsewhere);
        assert.equal(panel.title, 'title of job-1');
        panel.says({ type: 'copy', what: 'json' });
        await until('the JSON is copied', () => panel.last?.type === 'copied');
        assert.ok((await vscode.env.clipboard.readText()).includes(spoken));
        switchTo('Test');
        assert.deepEqual(view(), before);
      });

      it('sends nothing of its job to the service of the other connection', async () => {
        deps.wholes?.set(lean, whole);
        openFollowed(lean);
        switchTo('Other');
        for (const type of ['retry', 'resubmit', 'watch', 'saveWhenDone', 'openRequest', 'markHandled', 'mute']) {
          const heard = await heardMessages(async () => {
            panel.says({ type });
            await settled();
          });
          const text = 'This job belongs to the connection Test. Switch to it to see the job.';
          assert.deepEqual(heard, [{ text, buttons: ['Switch Connection'] }]);
        }
        assert.deepEqual([...deps.asked, ...deps.retried], []);
      });

      it('reads its result when its connection is back, if the switch interrupted that', async () => {
        let interrupt: (failure: Failure) => void = () => assert.fail('nothing was asked');
        deps.readWhole = () => new Promise((_resolve, reject) => (interrupt = reject));
        openFollowed(lean);
        deps.key = 'sought';
        switchTo('Other');
        interrupt(new Failure('cancelled'));
        await settled();
        deps.key = 'found';
        deps.changes.fire({ type: 'reset' });
        assert.match(warnings().at(-1) ?? '', /belongs to the connection Test/);
        deps.readWhole = () => Promise.resolve(whole);
        switchTo('Test');
        await until('the transcript is shown', () => view().transcript !== undefined);
        assert.ok(panel.sent.every((message) => !JSON.stringify(message).includes('Canceled')));
      });

      it('waits until the lists of its connection are in use, and reports that a key is missing', async () => {
        deps.key = 'missing';
        deps.readWhole = () => Promise.reject(new Failure('noConnection'));
        openFollowed(lean);
        assert.match(warnings().at(-1) ?? '', /^The result could not be read again\. .*key/);
        deps.key = 'found';
        deps.facts.fire();
        await settled();
        assert.equal(warnings().at(-1), 'Reading the result…');
        deps.readWhole = () => Promise.resolve(whole);
        deps.changes.fire({ type: 'reset' });
        await until('the transcript is shown', () => view().transcript !== undefined);
      });
    });

    it('reads its result again when the service is available again, and not while it is down or the result is gone', async () => {
      let asked = 0;
      let code: FailureCode = 'offline';
      deps.readWhole = () => {
        asked++;
        return Promise.reject(new Failure(code));
      };
      const shownPage = page(lean);
      const listChanges = (): void =>
        shownPage.follow({
          type: 'lists',
          lists: [{ kind: 'pre-recorded', status: 'done' }],
          jobs: new Set(),
          kinds: false,
        });
      panel.says({ type: 'ready', timeZone: 'UTC' });
      await until('it is told', () => /could not be read again/.test(view().warnings.at(-1)?.text ?? ''));
      deps.listFailure = new Failure('offline');
      listChanges();
      assert.equal(asked, 1);
      deps.listFailure = undefined;
      code = 'resultGone';
      listChanges();
      await until('it is reported', () => /no longer sends/.test(view().warnings.at(-1)?.text ?? ''));
      listChanges();
      assert.equal(asked, 2, 'a result that is gone stays gone');
    });

    it('stops reading when another job is shown, or the service changes', async () => {
      let signal: AbortSignal | undefined;
      deps.readWhole = (_job, given) => {
        signal = given;
        return new Promise(() => undefined);
      };
      const shows = page(lean);
      panel.says({ type: 'ready', timeZone: 'UTC' });
      assert.equal(signal?.aborted, false);
      shows.show({ ...jobRef, id: 'job-2' }, jobOf({ ...item, id: 'job-2' }));
      assert.equal(signal?.aborted, true);
      signal = undefined;
      deps.connection = { ...deps.connection, current: { name: 'Other' } };
      shows.show(jobRef, lean);
      assert.equal(signal, undefined);
      assert.match(view().warnings.at(-1)?.text ?? '', /belongs to the connection Test/);
    });
  });

  it('reports that its job is not loaded, and finds it', async () => {
    deps.find = (kind, id) => Promise.resolve(kind === jobRef.kind && id === jobRef.id ? jobOf(item) : undefined);
    page();
    panel.says({ type: 'ready' });
    sees('This job is not loaded. (offered)');
    panel.says({ type: 'search' });
    sees('Searching for this job… (running)');
    await settled();
    sees('title of job-1: Processing');
  });

  it('shows that a job has ended if a board or a search has found so, and never that it runs again', async () => {
    const pages = new JobPanels(deps.services, deps.speakers, documents);
    await pages.deserializeWebviewPanel(panel.asPanel, { version: 1, job: jobRef, unfolded: [], scrollY: 0 });
    panel.says({ type: 'ready' });
    const ended = jobOf({ ...item, status: 'done', completed_at: '2026-11-19T10:05:00Z' });
    deps.load(item);
    sees('title of job-1: Processing');
    pages.open(ended);
    sees('title of job-1: Done');
    pages.open(jobOf(item));
    sees('title of job-1: Done');
    pages.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('stores the creation time for the next window, and searches by it', async () => {
    const pages = new JobPanels(deps.services, deps.speakers, documents);
    const hints: unknown[] = [];
    deps.find = (_kind, _id, _signal, hint) => Promise.resolve(void hints.push(hint));
    pages.open(jobOf(item));
    const kept = { ...jobRef, createdAtMs: jobOf(item).createdAtMs };
    assert.notEqual(kept.createdAtMs, undefined);
    pages.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const restored = new JobPanels(deps.services, deps.speakers, documents);
    await restored.deserializeWebviewPanel(panel.asPanel, { version: 1, job: kept, unfolded: [], scrollY: 0 });
    panel.says({ type: 'ready' });
    assert.deepEqual(panel.last?.type === 'absent' && panel.last.job, kept);
    await settled();
    panel.says({ type: 'search' });
    await settled();
    assert.deepEqual(hints, [{ createdAtMs: kept.createdAtMs }]);
    restored.dispose();
  });

  describe('after a reload of the window, with the time when its job was created', () => {
    const createdAtMs = jobOf(item).createdAtMs;
    const kept = { ...jobRef, createdAtMs };
    const asked: SoughtJob[] = [];
    let pages: JobPanels;
    const restore = async (): Promise<void> => {
      panel.title = 'Harbour lights';
      pages = new JobPanels(deps.services, deps.speakers, documents);
      await pages.deserializeWebviewPanel(panel.asPanel, { version: 1, job: kept, unfolded: [], scrollY: 0 });
      panel.says({ type: 'ready' });
    };
    const answerWith = (answer: () => Job | undefined): void => {
      deps.findCreated = async (job) => {
        asked.push(job);
        return answer();
      };
    };
    beforeEach(() => {
      asked.length = 0;
      deps.find = () => assert.fail('nothing was searched for by hand');
    });
    afterEach(() => pages.dispose());

    it('keeps the title of its tab, and reads its job with one request', async () => {
      let answer: (found: Job) => void = () => assert.fail('nothing was asked');
      deps.findCreated = (job) => {
        asked.push(job);
        return new Promise((resolve) => (answer = resolve));
      };
      await restore();
      assert.equal(panel.title, 'Harbour lights');
      sees('Searching for this job… (running)');
      assert.equal(panel.last?.type === 'absent' && panel.last.view.title, 'Harbour lights');
      answer(jobOf(item));
      await settled();
      sees('title of job-1: Processing');
      assert.equal(panel.title, 'title of job-1');
      panel.says({ type: 'ready' });
      deps.facts.fire();
      await settled();
      assert.deepEqual(asked, [{ kind: 'pre-recorded', id: 'job-1', createdAtMs }]);
    });

    it('reads it when its tab is shown, and when its connection is in use', async () => {
      answerWith(() => jobOf(item));
      panel.visible = false;
      await restore();
      panel.visible = true;
      deps.key = 'sought';
      deps.facts.fire();
      sees('Searching for this job… (running)');
      deps.connection = { ...deps.connection, current: { name: 'Other' } };
      deps.key = 'found';
      deps.facts.fire();
      sees('This job belongs to the connection Test. Switch to it to see the job. (none)');
      await settled();
      assert.deepEqual(asked, []);
      deps.connection = { ...deps.connection, current: { name: 'Test' } };
      deps.facts.fire();
      await settled();
      sees('title of job-1: Processing');
    });

    it('offers a longer search if the job is not found, and when the user stops', async () => {
      answerWith(() => undefined);
      await restore();
      await settled();
      sees('This job was not found among the jobs searched. (offered)');
      deps.changes.fire({ type: 'reset' });
      await settled();
      assert.equal(asked.length, 1);
      deps.find = () => new Promise(() => undefined);
      panel.says({ type: 'search' });
      sees('Searching for this job… (running)');
      panel.says({ type: 'cancelSearch' });
      sees('This job is not loaded. (offered)');
      deps.facts.fire();
      await settled();
      sees('This job is not loaded. (offered)');
      assert.equal(asked.length, 1);
    });

    it('reads it again when the service answers again, and after another switch of the connection', async () => {
      answerWith(() => {
        throw new Failure('offline');
      });
      await restore();
      await settled();
      assert.match(shown(panel.last), /^The service can't be reached.* \(offered\)$/);
      deps.listFailure = new Failure('offline');
      const change = {
        type: 'lists',
        lists: [{ kind: 'live', status: 'done' }],
        jobs: new Set<string>(),
        kinds: false,
      } as const;
      deps.changes.fire(change);
      assert.equal(asked.length, 1);
      deps.listFailure = undefined;
      answerWith(() => {
        deps.connection = { ...deps.connection, current: { name: 'Other' } };
        throw new Failure('cancelled');
      });
      deps.changes.fire(change);
      await settled();
      sees('This job belongs to the connection Test. Switch to it to see the job. (none)');
      answerWith(() => jobOf(item));
      deps.connection = { ...deps.connection, current: { name: 'Test' } };
      deps.changes.fire({ type: 'reset' });
      await settled();
      sees('title of job-1: Processing');
      assert.equal(asked.length, 3);
    });
  });

  it('reports when a search finds nothing and when it fails', async () => {
    page();
    panel.says({ type: 'ready' });
    panel.says({ type: 'search' });
    await settled();
    sees('This job was not found among the jobs searched. (offered)');
    deps.find = () => Promise.reject(new Failure('offline'));
    panel.says({ type: 'search' });
    await settled();
    sees(
      "The service can't be reached. Check the network and the base URL of the connection, then try again. (offered)",
    );
  });

  it('stops a search that is cancelled, that the store overtakes, or whose page is closed', async () => {
    const signals: AbortSignal[] = [];
    deps.find = (_kind, _id, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Failure('cancelled')));
      });
    };
    const shownPage = page();
    deps.changes.event((change) => shownPage.follow(change));
    panel.says({ type: 'ready' });
    panel.says({ type: 'search' });
    panel.says({ type: 'search' });
    assert.equal(signals.length, 1);
    panel.says({ type: 'cancelSearch' });
    await settled();
    sees('This job is not loaded. (offered)');

    panel.says({ type: 'search' });
    deps.load(item);
    await settled();
    sees('title of job-1: Processing');

    const other = new FakePanel();
    const closed = new JobPanel(
      other.asPanel,
      { jobRef: { ...jobRef, id: 'job-9' }, job: undefined },
      deps.services,
      deps.speakers,
      openJson,
    );
    other.says({ type: 'search' });
    other.dispose();
    closed.dispose();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true, true],
    );
  });

  it('offers no search in the service of another connection', () => {
    deps.connection = { ...deps.connection, current: { name: 'Other' } };
    deps.load(item);
    page();
    panel.says({ type: 'ready' });
    sees('This job belongs to the connection Test. Switch to it to see the job. (none)');
  });

  it('makes a key of the metadata the first one of labels, in the settings that have them', async () => {
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const configuration = () => vscode.workspace.getConfiguration('transcriptionJobs');
    page(jobOf(item));
    try {
      panel.says({ type: 'useAsLabel', key: 'room' });
      await until('the user has it', () => configuration().inspect('labelKeys')?.globalValue !== undefined);
      assert.deepEqual(configuration().get('labelKeys'), ['room', 'name', 'title', 'customer', 'project', 'show']);
      panel.says({ type: 'useAsLabel', key: 'title' });
      await until('it is first', () => configuration().get<string[]>('labelKeys')?.[0] === 'title');
      assert.deepEqual(configuration().get('labelKeys'), ['title', 'room', 'name', 'customer', 'project', 'show']);
    } finally {
      await configuration().update('labelKeys', undefined, Global);
      await configuration().update('labelKeys', undefined, Workspace);
    }
  });

  it('copies and confirms, and opens the labels of codes for editing', async () => {
    page(jobOf({ ...item, request_id: 'G-7' }));
    panel.says({ type: 'copy', what: 'requestId' });
    await until('the word that it is copied', () => panel.last?.type === 'copied');
    assert.equal(await vscode.env.clipboard.readText(), 'G-7');
    const { showInputBox } = vscode.window;
    const asked: (string | undefined)[] = [];
    Object.assign(vscode.window, { showInputBox: async ({ title }: vscode.InputBoxOptions) => void asked.push(title) });
    try {
      panel.says({ type: 'editErrorLabel', code: 503 });
      await settled();
    } finally {
      Object.assign(vscode.window, { showInputBox });
    }
    assert.deepEqual(asked, ['Label for Error Code 503']);
  });
});

describe('The details pages after a reload', () => {
  it('reuse a page with a valid state, and close one without', async () => {
    const deps = new FakeDetailsDeps();
    const pages = new JobPanels(deps.services, deps.speakers, documents);
    const [known, damaged, empty] = [new FakePanel(), new FakePanel(), new FakePanel()];
    await pages.deserializeWebviewPanel(known.asPanel, { version: 1, job: jobRef, unfolded: [], scrollY: 0 });
    await pages.deserializeWebviewPanel(damaged.asPanel, { version: 1, job: { connection: 1 }, unfolded: 'x' });
    await pages.deserializeWebviewPanel(empty.asPanel, undefined);
    known.says({ type: 'ready' });
    assert.equal(shown(known.last), 'This job is not loaded. (offered)');
    assert.deepEqual(
      [known, damaged, empty].map(({ isDisposed }) => isDisposed),
      [false, true, true],
    );
    assert.equal(deps.log.lines.length, 2);

    // The restored page is reused, and it outlives the extension.
    pages.open(jobOf(liveItem({ id: 'live-1' })));
    assert.equal(shown(known.last), 'title of live-1: Done');
    pages.dispose();
    assert.equal(known.isDisposed, false);
  });

  it('restore a comparison, which finds its sessions again', async () => {
    const deps = new FakeDetailsDeps();
    const pages = new JobPanels(deps.services, deps.speakers, documents);
    const panel = new FakePanel();
    panel.viewType = 'transcriptionJobs.comparison';
    const compared = { connection: 'Test', ids: ['a', 'b'] };
    await pages.deserializeWebviewPanel(panel.asPanel, { version: 1, compared, unfolded: [], scrollY: 0 });
    panel.says({ type: 'ready' });
    const text = (): string =>
      panel.last?.type === 'absentSessions' ? `${panel.last.view.text} (${panel.last.view.search})` : '';
    assert.equal(text(), 'These jobs are not loaded. (offered)');
    deps.load(liveItem({ id: 'a' }));
    deps.find = () => Promise.resolve(undefined);
    panel.says({ type: 'search' });
    assert.equal(text(), 'Searching for these jobs… (running)');
    await until('the search has ended', () => text().endsWith('(offered)'));
    assert.equal(text(), 'Not every job was found among the jobs searched. (offered)');
    const asked: string[] = [];
    deps.find = (_kind, id) => {
      asked.push(id);
      return Promise.resolve(jobOf(liveItem({ id })));
    };
    panel.says({ type: 'search' });
    await until('the sessions are compared', () => panel.last?.type === 'comparison');
    assert.deepEqual(asked, ['b'], 'what is loaded is not searched');
    assert.deepEqual(panel.last?.type === 'comparison' && panel.last.sessions, {
      ...compared,
      kind: undefined,
      createdAtMs: undefined,
    });
    panel.says({ type: 'openSession', index: 1 });
    deps.connection = { ...deps.connection, current: { name: 'Other' } };
    deps.facts.fire();
    assert.equal(panel.last?.type, 'comparison', 'what was found stays');
  });

  it('restore a comparison, which reads its sessions by the times of their creation', async () => {
    const deps = new FakeDetailsDeps();
    const pages = new JobPanels(deps.services, deps.speakers, documents);
    const panel = new FakePanel();
    panel.viewType = 'transcriptionJobs.comparison';
    const compared = { connection: 'Test', kind: 'live', ids: ['a', 'b'], createdAtMs: [1000, 2000] };
    const asked: unknown[] = [];
    deps.findCreated = async (job) => {
      asked.push(job);
      if (job.id === 'b' && asked.length < 3) throw new Failure('cancelled');
      return jobOf(liveItem({ id: job.id }));
    };
    panel.visible = false;
    await pages.deserializeWebviewPanel(panel.asPanel, { version: 1, compared, unfolded: [], scrollY: 0 });
    deps.facts.fire();
    assert.deepEqual(asked, []);
    deps.connection = { ...deps.connection, current: { name: 'Other' } };
    panel.visible = true;
    panel.says({ type: 'ready' });
    assert.deepEqual(asked, []);
    deps.connection = { ...deps.connection, current: { name: 'Test' } };
    deps.changes.fire({ type: 'reset' });
    await until('the sessions are compared', () => panel.last?.type === 'comparison');
    const [a, b] = ['a', 'b'].map((id, index) => ({ kind: 'live', id, createdAtMs: compared.createdAtMs[index] }));
    assert.deepEqual(asked, [a, b, b]);
  });

  it('restore a comparison of pre-recorded jobs, with their fields and labels', async () => {
    const deps = new FakeDetailsDeps();
    deps.labels = { 422: 'Bad audio' };
    const pages = new JobPanels(deps.services, deps.speakers, documents);
    const panel = new FakePanel();
    panel.viewType = 'transcriptionJobs.comparison';
    const compared = { connection: 'Test', kind: 'pre-recorded', ids: ['a', 'b'] };
    await pages.deserializeWebviewPanel(panel.asPanel, { version: 1, compared, unfolded: [], scrollY: 0 });
    panel.says({ type: 'ready' });
    assert.equal(panel.last?.type === 'absentSessions' && panel.last.view.title, 'Compare 2 jobs');
    deps.load(liveItem({ id: 'a' }));
    deps.load(preRecordedItem({ id: 'a', status: 'error', error_code: 422 }));
    const last = (): HostToPage | undefined => panel.last;
    assert.equal(last()?.type, 'absentSessions', 'a live job of the same id is another one');
    deps.load(preRecordedItem({ id: 'b' }));
    const shownLast = last();
    assert.ok(shownLast?.type === 'comparison');
    assert.equal(shownLast.diffOffered, true);
    const code = shownLast.view.groups[0]?.rows.find(({ id }) => id === 'error_code');
    assert.match(JSON.stringify(code), /422: Bad audio/);
    assert.deepEqual(shownLast.sessions, { ...compared, createdAtMs: undefined });
  });

  it('keep one reusable page, whatever was restored', async () => {
    const deps = new FakeDetailsDeps();
    const pages = new JobPanels(deps.services, deps.speakers, documents);
    const [first, second] = [new FakePanel(), new FakePanel()];
    for (const panel of [first, second]) {
      await pages.deserializeWebviewPanel(panel.asPanel, { version: 1, job: jobRef, unfolded: [], scrollY: 0 });
      panel.says({ type: 'ready' });
    }
    pages.open(jobOf(liveItem({ id: 'live-1' })));
    assert.equal(shown(first.last), 'title of live-1: Done');
    assert.equal(shown(second.last), 'This job is not loaded. (offered)');
  });
});

/** Lets the callbacks of settled promises run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
