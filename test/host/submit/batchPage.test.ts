import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { delay, systemClock } from '../../../src/base/clock.ts';
import { digest } from '../../../src/base/digest.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { namedItems } from '../../../src/features/submit/common/batch.ts';
import { batchFates } from '../../../src/features/submit/common/batchCounts.ts';
import { hostToBatch, type HostToBatch, type ShownBatch } from '../../../src/features/submit/common/batchProtocol.ts';
import { BatchPanels } from '../../../src/features/submit/editor/batchPanels.ts';
import { submitFiles } from '../../../src/features/submit/editor/submitBatch.ts';
import { BatchStore } from '../../../src/features/submit/node/journal/batchStore.ts';
import { jobKey, type Job } from '../../../src/jobs/common/job.ts';
import { chooseJobLabel } from '../../../src/jobs/common/jobRow.ts';
import type { StoreChange } from '../../../src/jobs/node/store/listState.ts';
import { answer } from '../../support/faults/plays.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { until } from '../../support/until.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { withPicks } from '../browse/withPicks.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { DecodingPanel } from '../details/fakePanel.ts';
import { FakeWindow } from '../details/fakeWindow.ts';
import { writeRequest } from '../requests/requestFiles.ts';
import { answering } from './answers.ts';
import { useScene, type SubmitScene } from './submitScene.ts';
import { replaceActions } from '../../support/fakeServices.ts';

type Panel = DecodingPanel<HostToBatch>;

describe('The page of a batch', () => {
  let scene: SubmitScene;
  let pages: BatchPanels;
  let window: FakeWindow;
  let changes: Emitter<StoreChange>;
  /** Requests of lists. */
  let listed: string[];
  let items: readonly object[];
  let asked: string[];
  /** Jobs that lists show. */
  let loaded: readonly Job[];
  let observed: readonly Job[];
  useScene((opened) => (scene = opened), markedKey);

  beforeEach(() => {
    changes = new Emitter();
    [listed, items, asked, loaded, observed] = [[], [], [], [], []];
    const { services } = scene.submissions;
    const note = (what: string) => async (jobs: readonly Job[]) =>
      void asked.push(`${what} ${jobs.map(({ id }) => id).join(' ')}`);
    Object.assign(services.jobs, {
      get: (kind: string, id: string) => loaded.find((job) => job.kind === kind && job.id === id),
      observing: () => (jobs: readonly Job[]) => void (observed = jobs),
      onDidChange: changes.event,
      placeOf: () => undefined,
    });
    replaceActions(services, 'tree', { isListed: () => false });
    replaceActions(services, 'details', {
      saveTranscripts: note('save'),
      openJob: (job) => note('open')([job]),
      openNamedJob: async ({ id }) => void asked.push(`openNamed ${id}`),
    });
    window = new FakeWindow();
    window.setFocused(false);
    pages = new BatchPanels(scene.submissions, window);
    scene.play = (stage) => {
      if (stage.request.method === 'POST') return answer(201, `{"id":"job-${scene.bodies.length}"}`)(stage);
      listed.push(stage.request.url ?? '');
      const page = { first: 'https://x.example/', current: 'https://x.example/', next: null };
      return answer(200, JSON.stringify({ ...page, items }))(stage);
    };
  });
  afterEach(() => pages.dispose());

  /** Submits requests with these names as a batch. @returns its ID */
  async function submit(...names: readonly string[]): Promise<string> {
    const texts = names.map((name) => [name, `{ "audio_url": "https://audio.example/${name}.wav" }`] as const);
    const uris = await Promise.all(texts.map(([name, text]) => writeRequest(text, name)));
    await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit'],
      ({ length }) => length === 2,
    );
    const [id = ''] = await scene.submissions.batches.ids(scene.submissions.target().connection);
    return id;
  }

  const stateOf = (id: string): object => {
    const { name, baseUrl } = scene.submissions.target().connection;
    return { version: 1, connection: name, baseUrl, id };
  };

  /** Opens the page of a batch as after a reload of the window, until it shows something. */
  async function open(state: object, isShown: (view: ShownBatch) => boolean = () => true): Promise<Panel> {
    const panel = new DecodingPanel(hostToBatch);
    pages.restore(panel.asPanel, state);
    panel.says({ type: 'ready', timeZone: 'UTC' });
    await until('the page', () => viewOf(panel) !== undefined && isShown(shownOf(panel)));
    return panel;
  }

  const viewOf = (panel: Panel): ShownBatch | undefined =>
    panel.sent.findLast((message): message is ShownBatch => message.type === 'view');
  const shownOf = (panel: Panel): ShownBatch => viewOf(panel) ?? assert.fail('nothing is shown');
  /** The first columns of the rows: title, state, code, reason. */
  const rowsOf = (panel: Panel): readonly string[] =>
    shownOf(panel).slice.rows.map(({ cells }) =>
      cells
        .slice(0, 4)
        .map((cell) => cell ?? '–')
        .join(' | '),
    );
  const act = (panel: Panel, what: string, from = 0, to = from + 1): void =>
    panel.says({ type: 'act', what, revision: shownOf(panel).revision, selected: [{ from, to }] });

  const partly = { translation: { success: false, error: { message: 'no such language' } } };

  it('shows its jobs with one list, failures first, and records how they ended', async () => {
    const id = await submit('one', 'two', 'three', 'four');
    items = [
      { id: 'job-1', status: 'done' },
      { id: 'job-2', status: 'error', error_code: 503 },
      { id: 'job-3', status: 'done', result: partly },
      { id: 'job-4', status: 'processing' },
      { id: 'another', status: 'error' },
    ];
    const panel = await open(stateOf(id), ({ counts }) => counts.includes('failed'));
    await until('the end of reading', () => shownOf(panel).notice === undefined);
    assert.deepEqual(rowsOf(panel), [
      'job-2 | Failed | – | 503',
      'job-3 | Failed in part | Translation failed: no such language | –',
      'job-4 | Processing | – | –',
      'job-1 | Done | – | –',
    ]);
    const { counts, done, failed, left, open: unknown, title, origin } = shownOf(panel);
    assert.equal(counts, '2 done, 1 of them without its translation · 1 failed · 1 accepted');
    assert.deepEqual([done, failed, left, unknown], [2, 2, 0, 1]);
    assert.match(title, /^one\.transcription\.json and 3 more$/);
    assert.match(origin, /^4 requests to Work, /);
    assert.match(panel.title, /^Batch: one\.transcription\.json and 3 more, \d+:\d\d/);
    assert.equal(listed.length, 1, listed.join('\n'));
    assert.match(listed[0] ?? '', /after_date=.+before_date=|before_date=.+after_date=/);
    assert.equal(observed.length, 4);
    const { batches } = scene.submissions;
    const stored = await batches.read(await batches.find(scene.submissions.target().connection, id));
    const outcomes = [...(stored?.items.values() ?? [])].map(({ outcome }) => outcome);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.type === 'accepted' ? outcome.fate?.status : outcome.type)),
      ['done', 'error', 'done', undefined],
    );
  });

  it('reads nothing if lists have its jobs, and follows them', async () => {
    const id = await submit('one', 'two');
    const set = (one: string, two: string): void => {
      loaded = [one, two].map((status, at) => jobOf(preRecordedItem({ id: `job-${at + 1}`, status })));
    };
    set('done', 'done');
    const panel = await open(stateOf(id), ({ counts }) => counts === '2 done');
    set('done', 'error');
    changes.fire({ type: 'lists', lists: [], jobs: new Set(loaded.map(jobKey)), kinds: false });
    await until('the failure', () => shownOf(panel).counts === '1 done · 1 failed');
    assert.match(rowsOf(panel)[0] ?? '', /^job-2 \| Failed/);
    assert.deepEqual(listed, []);
  });

  it('shows that failed jobs are queued again, and records that', async () => {
    const id = await submit('one', 'two');
    const set = (one: string, two: string): void => {
      loaded = [one, two].map((status, at) => jobOf(preRecordedItem({ id: `job-${at + 1}`, status })));
      changes.fire({ type: 'lists', lists: [], jobs: new Set(loaded.map(jobKey)), kinds: false });
    };
    const { connection } = scene.submissions.target();
    const recorded = async (): Promise<string> => {
      const [listed] = await scene.submissions.batches.list(connection);
      return listed?.batch === undefined ? 'none' : batchFates(listed.batch);
    };
    set('done', 'error');
    const panel = await open(stateOf(id), ({ counts, failed }) => counts === '1 done · 1 failed' && failed === 1);
    await scene.submissions.batches.noteFates(connection, new Map([['job-2', { status: 'error' }]]));
    set('done', 'queued');
    await until('the other state', () => shownOf(panel).counts === '1 done · 1 accepted');
    assert.match(rowsOf(panel)[0] ?? '', /^job-2 \| Queued/);
    assert.equal(shownOf(panel).failed, 0);
    await until('the record', async () => (await recorded()) === '1 done · 1 accepted');
    set('done', 'done');
    await until('the end', () => shownOf(panel).counts === '2 done');
  });

  it('reads failed jobs again when the user refreshes it', async () => {
    const id = await submit('one');
    items = [{ id: 'job-1', status: 'error', error_code: 500 }];
    const panel = await open(stateOf(id), ({ failed, notice }) => failed === 1 && notice === undefined);
    items = [{ id: 'job-1', status: 'queued' }];
    const before = scene.watched.length;
    panel.says({ type: 'run', what: 'refresh' });
    await until('the other state', () => (rowsOf(panel)[0] ?? '').includes('Queued'));
    assert.equal(shownOf(panel).failed, 0);
    assert.deepEqual(scene.watched.slice(before), ['job-1'], 'its files are saved when it is done');
  });

  it('reads a job that another window saw done, before it saves its transcript', async () => {
    const id = await submit('one');
    loaded = [jobOf(preRecordedItem({ id: 'job-1', status: 'queued' }))];
    const { connection } = scene.submissions.target();
    await scene.submissions.batches.noteFates(connection, new Map([['job-1', { status: 'done' }]]));
    const { play } = scene;
    scene.play = answer(503, '');
    const panel = await open(stateOf(id), ({ done, notice }) => done === 1 && notice?.isFailure === true);
    assert.deepEqual(rowsOf(panel), ['job-1 | Done | – | –']);
    scene.play = play;
    items = [{ id: 'job-1', status: 'done' }];
    const saved: unknown[] = [];
    replaceActions(scene.submissions.services, 'details', {
      saveTranscripts: async (jobs) => void saved.push(jobs.map((job) => `${job.id} ${job.status}`)),
    });
    Object.assign(scene.submissions.services.jobs, {
      get: (_kind: string, job: string) => observed.find((each) => each.id === job) ?? loaded[0],
    });
    act(panel, 'saveTranscript');
    await until('saving', () => saved.length > 0);
    assert.deepEqual(saved, [['job-1 done']]);
  });

  it('records what a later request observed, and not an older response', async () => {
    const id = await submit('one');
    items = [{ id: 'job-1', status: 'processing' }];
    const { play } = scene;
    scene.play = (stage) => {
      loaded = [jobOf(preRecordedItem({ id: 'job-1', status: 'error' }))];
      return play(stage);
    };
    await open(stateOf(id), ({ failed, notice }) => failed === 1 && notice === undefined);
    const { batches } = scene.submissions;
    const batch = await batches.read(await batches.find(scene.submissions.target().connection, id));
    const outcomes = [...(batch?.items.values() ?? [])].map(({ outcome }) => outcome);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.type === 'accepted' && outcome.fate?.status),
      ['error'],
    );
  });

  it('says how many jobs it does not save because the service no longer lists them', async () => {
    const id = await submit('one', 'two');
    const ids = ['job-1', 'job-2'];
    loaded = ids.map((job) => jobOf(preRecordedItem({ id: job, status: job === 'job-1' ? 'done' : 'processing' })));
    const { connection } = scene.submissions.target();
    await scene.submissions.batches.noteFates(connection, new Map(ids.map((job) => [job, { status: 'done' }])));
    const { play } = scene;
    scene.play = answer(503, '');
    const panel = await open(stateOf(id), ({ done, notice }) => done === 2 && notice?.isFailure === true);
    scene.play = play;
    const { showWarningMessage } = vscode.window;
    const warnings: string[] = [];
    Object.assign(vscode.window, { showWarningMessage: async (text: string) => void warnings.push(text) });
    try {
      panel.says({ type: 'run', what: 'saveAll' });
      await until('saving', () => asked.length > 0);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
    assert.deepEqual(asked, ['save job-1']);
    assert.deepEqual(warnings, ["The service's list doesn't have 1 of these jobs. Its transcript is not saved."]);
  });

  it('shows no state of a job that the service no longer lists', async () => {
    const id = await submit('one');
    items = [{ id: 'job-1', status: 'queued' }];
    const panel = await open(
      stateOf(id),
      ({ notice, slice }) => notice === undefined && slice.rows[0]?.tone === 'queued',
    );
    items = [];
    panel.says({ type: 'run', what: 'refresh' });
    await until('the other state', () => shownOf(panel).slice.rows[0]?.tone === 'accepted');
  });

  it('follows other windows while it is visible and something can still change', async () => {
    const { play } = scene;
    scene.play = (stage) =>
      stage.request.method === 'POST' && scene.bodies.length === 2 ? answer(401, '{}')(stage) : play(stage);
    const id = await submit('one', 'two');
    const itemsOf = (status: string): readonly object[] => ['job-1', 'job-x'].map((job) => ({ id: job, status }));
    items = itemsOf('queued');
    const panel = await open(stateOf(id), ({ left, notice }) => left === 1 && notice === undefined);
    /** Another window sends the other request. */
    const { journal, services } = scene.submissions;
    const other = new BatchStore(journal, services.clock, new KeptLog());
    const { ledger } = await other.find(scene.submissions.target().connection, id);
    const [, item = assert.fail()] = namedItems((await ledger.begin())?.plan.source ?? assert.fail(), digest);
    await ledger.claim({ item: item.item, label: 'x', file: item.file ?? '' });
    await ledger.settle(item.item, { type: 'accepted', status: 201, id: 'job-x' });
    await ledger.end({ type: 'done' });
    panel.setVisible(false);
    window.setFocused(true);
    assert.deepEqual([shownOf(panel).left, listed.length], [1, 1], 'it is hidden');
    panel.setVisible(true);
    await until('the other request', () => shownOf(panel).left === 0 && shownOf(panel).open === 2);
    const read = listed.length;
    await until('requests of its own accord', () => listed.length > read + 1);
    items = itemsOf('done');
    await until('the end', () => shownOf(panel).counts === '2 done' && shownOf(panel).done === 2);
    const { length } = listed;
    window.setFocused(false);
    window.setFocused(true);
    await delay(systemClock, 200);
    assert.equal(listed.length, length, 'nothing can change any more');
    const notices = panel.sent.flatMap((each) => (each.type === 'view' ? (each.notice?.text ?? []) : []));
    assert.equal(new Set(notices).size, 1, 'only the first reading is announced');
  });

  it('keeps the selection while jobs end, and ignores actions on rows that have moved', async () => {
    const id = await submit('one', 'two');
    items = [];
    const panel = await open(stateOf(id), ({ rows, notice }) => rows === 2 && notice === undefined);
    const { revision } = shownOf(panel);
    panel.says({ type: 'gridState', revision, selected: [{ from: 0, to: 1 }], row: 0, column: 1, top: 0 });
    await scene.submissions.batches.noteFates(
      scene.submissions.target().connection,
      new Map([['job-2', { status: 'error' }]]),
    );
    await until('the other order', () => (rowsOf(panel)[0] ?? '').startsWith('two | Failed'));
    await until('the selection', () => panel.last?.type === 'gridState');
    assert.deepEqual(panel.last, {
      type: 'gridState',
      revision: revision + 1,
      selected: [{ from: 1, to: 2 }],
      row: 1,
      column: 1,
      top: 0,
    });
    panel.says({ type: 'act', what: 'open', revision, selected: [{ from: 0, to: 1 }] });
    act(panel, 'open', 1);
    await until('the job', () => asked.length > 0);
    assert.deepEqual(asked, ['openNamed job-1']);
  });

  it('saves all that are done, opens a job, and offers to resubmit those that failed', async () => {
    const id = await submit('one', 'two', 'three');
    items = [
      { id: 'job-1', status: 'done' },
      { id: 'job-2', status: 'error', error_code: 503 },
      { id: 'job-3', status: 'done', result: partly },
    ];
    const panel = await open(stateOf(id), ({ failed, notice }) => failed === 2 && notice === undefined);
    panel.says({ type: 'run', what: 'saveAll' });
    await until('saving', () => asked.length === 1);
    act(panel, 'saveTranscript', 0, 3);
    await until('saving those selected', () => asked.length === 2);
    act(panel, 'open', 2);
    await until('the job', () => asked.length === 3);
    assert.deepEqual(asked, ['save job-1 job-3', 'save job-3 job-1', 'open job-1']);
    act(panel, 'copy', 0, 2);
    await until('the copy', async () => (await vscode.env.clipboard.readText()).startsWith('Title\tStatus'));
    assert.match(await vscode.env.clipboard.readText(), /\njob-2\tFailed\t\t503\t/);
    await withPicks(async (next) => {
      panel.says({ type: 'run', what: 'resubmitFailed' });
      const pick = await next();
      assert.equal(pick.title, 'Resubmit Failed Jobs');
      assert.deepEqual(
        pick.items.map(({ label }) => label),
        ['job-2', 'job-3'],
      );
      pick.hide();
    });
    assert.equal(listed.length, 1, 'no request per job');
  });

  it('shows, records and copies no key that the service repeats, in any form', async () => {
    const { submissions } = scene;
    const names = keyForms.map((_, index) => `request-${index}`);
    const id = await submit(...names);
    const note = 'no access with ';
    // Some keys are where a reason is cut.
    const dots = (index: number) => (index % 2 === 0 ? '' : '.'.repeat(150));
    items = keyForms.map(({ write }, index) => {
      const key = write(markedKey);
      const translation = { success: false, error: { message: `${note}${dots(index)}${key}` } };
      return {
        id: `job-${index + 1}`,
        request_id: key,
        kind: 'pre-recorded',
        status: ['done', 'error', 'done', key][index % 4],
        error_code: index % 4 === 1 ? key : null,
        custom_metadata: { title: key, [key]: key },
        request_params: { model: key, language_config: { languages: [key] } },
        file: { filename: key, source: `https://audio.example/${key}` },
        result: { metadata: { audio_duration: key }, translation },
      };
    });
    const { facts, service } = submissions.services;
    const mask = (text: string): string => service.keyMask.applyToBeginning(text);
    Object.assign(facts, { titleOf: (job: Job) => chooseJobLabel(job, ['title'], new Map(), mask) });
    const panel = await open(stateOf(id), ({ failed, notice }) => failed > 0 && notice === undefined);
    const { rows, columns, order } = shownOf(panel);
    assert.equal(rows, keyForms.length);
    const named = { key: 'custom_metadata.title', width: 140 };
    panel.says({ type: 'layout', columns: [...columns, named], order, from: 0, to: rows });
    await until('the metadata', () => shownOf(panel).columns.at(-1)?.key === named.key);
    await vscode.env.clipboard.writeText('');
    act(panel, 'copy', 0, rows);
    await until('the copy', async () => (await vscode.env.clipboard.readText()).includes(note));
    const clipboard = await vscode.env.clipboard.readText();
    const said = await answering(
      () => act(panel, 'resubmit'),
      [],
      ({ length }) => length > 0,
    );
    const { journal } = submissions;
    const { connection } = submissions.target();
    const records = filesBelow(journal.folderOf(connection));
    assert.ok(records.some((text) => text.includes('"status":"error"')));
    const found = Object.entries({
      page: JSON.stringify(panel.sent),
      title: panel.title,
      clipboard,
      messages: JSON.stringify(said),
      records: records.join('\n'),
      state: JSON.stringify([...scene.state]),
      log: scene.log.lines.join('\n'),
    }).flatMap(([where, text]) => keyFormsIn(text, markedKey).map((form) => `${where}: ${form}`));
    assert.deepEqual(found, []);
    assert.match(clipboard, /no access with •••.*\t'?"*•••/);
  });

  it('marks the jobs that were resubmitted, and offers to resubmit only the others', async () => {
    const id = await submit('one', 'two');
    items = [1, 2].map((job) => ({ id: `job-${job}`, status: 'error', error_code: 404 }));
    const panel = await open(stateOf(id), ({ failed, notice }) => failed === 2 && notice === undefined);
    const row = rowsOf(panel).findIndex((each) => each.startsWith('job-2'));
    await answering(
      () => act(panel, 'resubmit', row),
      ['Submit'],
      ({ length }) => length === 2,
    );
    await until('the mark', () => shownOf(panel).failed === 1);
    assert.deepEqual(rowsOf(panel).toSorted(), [
      'job-1 | Failed | – | 404',
      'job-2 | Resubmitted | Resubmitted as job job-3. | 404',
    ]);
    assert.deepEqual(
      shownOf(panel).slice.rows.map(({ tone }) => tone),
      ['error', 'resubmitted'],
    );
    const resubmitted = rowsOf(panel).findIndex((each) => each.startsWith('job-2'));
    act(panel, 'open', resubmitted);
    await until('its own job', () => asked.includes('open job-2'));
    const { connection } = scene.submissions.target();
    await scene.submissions.batches.noteFates(connection, new Map([['job-3', { status: 'error', errorCode: 404 }]]));
    await until('its failure', () => rowsOf(panel)[resubmitted]?.includes('Failed again') === true);
    assert.equal(
      rowsOf(panel)[resubmitted],
      'job-2 | Failed again | Resubmitted as job job-3, which failed, too. | 404',
    );
    assert.equal(shownOf(panel).counts, '2 failed, 1 of them resubmitted');
    loaded = [jobOf(preRecordedItem({ id: 'job-3', status: 'done' }))];
    changes.fire({ type: 'lists', lists: [], jobs: new Set(loaded.map(jobKey)), kinds: false });
    await until('its end', () => rowsOf(panel)[resubmitted]?.includes('which is done') === true);
    await answering(
      () => panel.says({ type: 'run', what: 'resubmitFailed' }),
      ['Submit'],
      ({ length }) => length === 2,
    );
    await until('both marks', () => shownOf(panel).failed === 0);
    assert.deepEqual(
      (await scene.journal()).map(({ replaces }) => replaces),
      ['job-1', 'job-2', undefined, undefined],
    );
  });

  it('marks failed jobs whose requests are sent again unchanged as resubmitted, and no others', async () => {
    const id = await submit('one', 'two', 'three');
    items = ['error', 'error', 'done'].map((status, at) => ({ id: `job-${at + 1}`, status, error_code: 503 }));
    const panel = await open(stateOf(id), ({ failed, notice }) => failed === 2 && notice === undefined);
    const texts = ['one', 'two', 'three'].map((name) => {
      const change = name === 'two' ? '?corrected' : '';
      return [name, `{ "audio_url": "https://audio.example/${name}.wav${change}" }`] as const;
    });
    const uris = await Promise.all(texts.map(([name, text]) => writeRequest(text, name)));
    await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit Anyway'],
      ({ length }) => length === 2,
    );
    await until('the mark', () => shownOf(panel).failed === 1);
    assert.deepEqual(rowsOf(panel), [
      'job-2 | Failed | – | 503',
      'job-1 | Resubmitted | Resubmitted as job job-4. | 503',
      'job-3 | Done | – | –',
    ]);
    assert.deepEqual(
      (await scene.journal()).flatMap(({ replaces }) => replaces ?? []),
      ['job-1'],
    );
  });

  it('keeps the widths of columns for other batches, but not the columns', async () => {
    const stored = 'batch.widths';
    scene.state.set(stored, { version: 99 });
    const first = await open(stateOf(await submit('one')));
    const { columns, order } = shownOf(first);
    const [label, status] = columns;
    assert.ok(label && status);
    first.says({ type: 'layout', columns: [{ ...label, width: 333 }, status], order, from: 0, to: 1 });
    await until('the width', () => scene.state.get(stored) !== undefined);
    const second = await open(stateOf(await submit('two')));
    assert.deepEqual(shownOf(second).columns, [{ ...label, width: 333 }, ...columns.slice(1)]);
    second.says({
      type: 'layout',
      columns: columns.slice(2).map((each) => ({ ...each, width: 222 })),
      order,
      from: 0,
      to: 1,
    });
    await until('all widths', () => JSON.stringify(scene.state.get(stored)).includes('222'));
    const third = await open(stateOf(await submit('three')));
    assert.deepEqual(
      shownOf(third).columns.map(({ width }) => width),
      [333, status.width, ...columns.slice(2).map(() => 222)],
    );
  });

  it('counts the requests that were not confirmed', async () => {
    await submit('one', 'two');
    const uris = await Promise.all(
      ['one', 'two', 'three'].map((name) => writeRequest(`{ "audio_url": "https://audio.example/${name}.wav" }`, name)),
    );
    await answering(
      () => submitFiles(scene.submissions, uris),
      ['Submit the Other'],
      ({ length }) => length === 2,
    );
    const [id = ''] = await scene.submissions.batches.ids(scene.submissions.target().connection);
    const panel = await open(stateOf(id));
    assert.equal(shownOf(panel).counts, '1 accepted · 2 excluded before sending');
  });

  it('submits the rest of a batch that stopped, and shows the requests that are left', async () => {
    scene.play = (stage) =>
      scene.bodies.length === 2 ? answer(401, '{}')(stage) : answer(201, `{"id":"job-${scene.bodies.length}"}`)(stage);
    const id = await submit('one', 'two', 'three');
    scene.play = answer(201, '{"id":"job-late"}');
    loaded = [jobOf(preRecordedItem({ id: 'job-1', status: 'done' }))];
    const panel = await open(stateOf(id), ({ rows }) => rows === 3);
    assert.equal(shownOf(panel).left, 2);
    assert.deepEqual(
      rowsOf(panel).map((row) => row.split(' | ').slice(0, 2).join(' ')),
      ['two Rejected', 'three Not sent', 'job-1 Done'],
    );
    await answering(
      () => panel.says({ type: 'run', what: 'submitRest' }),
      ['Submit'],
      (shown) => shown.some(({ text }) => text.startsWith('Batch sent')),
    );
    assert.equal(scene.bodies.length, 4);
    await until('all are sent', () => shownOf(panel).left === 0);
  });

  it('is closed if its state is damaged, and says so if its batch is gone', async () => {
    for (const state of [
      undefined,
      1,
      {},
      { ...stateOf('x'), version: 2 },
      { ...stateOf('x'), id: 'x'.repeat(1000) },
    ]) {
      const panel = new DecodingPanel(hostToBatch);
      pages.restore(panel.asPanel, state);
      assert.equal(panel.isDisposed, true, JSON.stringify(state)?.slice(0, 80));
    }
    const isGone = ({ notice }: ShownBatch): boolean => notice?.isFailure === true;
    for (const id of ['../../journal/000000', '000000000000000-gone']) {
      const panel = await open(stateOf(id), isGone);
      assert.deepEqual([shownOf(panel).notice?.text, shownOf(panel).rows], ['This batch is no longer stored.', 0]);
      panel.says({ type: 'act', what: 'delete', revision: 1, selected: [] });
      panel.says({ type: 'run', what: 'saveAll' });
    }
    assert.deepEqual([listed, asked], [[], []]);
  });

  it('shows what is recorded while another connection is in use, and why no job is read', async () => {
    const id = await submit('one');
    const { services } = scene.submissions;
    Object.assign(services.connections, { current: { ...scene.submissions.target().connection, name: 'Other' } });
    const panel = await open(stateOf(id), ({ notice }) => notice?.isFailure === true);
    assert.match(shownOf(panel).notice?.text ?? '', /^This batch belongs to the connection Work\. Switch to it/);
    assert.deepEqual(rowsOf(panel), ['one | Accepted | – | –']);
    const shown = await answering(
      () => panel.says({ type: 'run', what: 'resubmitFailed' }),
      [],
      ({ length }) => length === 1,
    );
    assert.deepEqual(shown[0]?.buttons.slice(0, 1), ['Switch Connection']);
    assert.deepEqual(listed, []);
  });

  it('opens only files, whatever its record contains', async () => {
    const { batches } = scene.submissions;
    const { connection } = scene.submissions.target();
    const files = ['command:workbench.action.quit', 'https://evil.example/x', 'javascript:x', '::', 'file:////x'];
    const stored = await batches.create(connection, {
      connection: 'Work\nforged',
      origin: 'https://api.example.com',
      total: files.length,
      source: { type: 'files', files },
      skipped: [],
    });
    await stored.ledger.begin();
    await stored.ledger.claim({ item: 'x', label: 'a\nforged\u202e', file: 'command:workbench.action.quit' });
    await stored.ledger.settle('x', { type: 'accepted', status: 201, id: 'job\nforged' });
    const panel = await open(
      stateOf(stored.id),
      ({ rows, notice }) => rows === files.length + 1 && notice === undefined,
    );
    const cells = shownOf(panel).slice.rows.flatMap((row) => row.cells);
    assert.ok(
      cells.every((cell) => !/[\n\u202e]/.test(cell ?? '')),
      cells.join('|'),
    );
    assert.doesNotMatch(shownOf(panel).origin, /\n/);
    for (const place of files.keys()) {
      const shown = await answering(
        () => act(panel, 'openRequest', place),
        [],
        ({ length }) => length === 1,
      );
      assert.match(shown[0]?.text ?? '', /^There is no file of this request\.|no longer exists/, files[place]);
    }
  });

  it('opens once for each batch', async () => {
    const id = await submit('one');
    const { connection } = scene.submissions.target();
    const created: Panel[] = [];
    const { createWebviewPanel } = vscode.window;
    Object.assign(vscode.window, {
      createWebviewPanel: () => {
        const panel = new DecodingPanel(hostToBatch);
        created.push(panel);
        return panel.asPanel;
      },
    });
    try {
      pages.open(connection, id);
      pages.open(connection, id);
      assert.equal(created.length, 1);
      created[0]?.dispose();
      pages.open(connection, id);
      assert.equal(created.length, 2);
    } finally {
      Object.assign(vscode.window, { createWebviewPanel });
    }
  });
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
