import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import { noFilter, type JobFilter } from '../../../src/jobs/common/jobFilter.ts';
import { viewName, writtenView } from '../../../src/features/views/common/savedView.ts';
import { jobKinds } from '../../../src/jobs/common/job.ts';
import { Settings } from '../../../src/settings.ts';
import { showViewCommand } from '../../../src/platform/editor/ids.ts';
import { proposeViewName, SavedViews } from '../../../src/features/views/editor/savedViews.ts';
import { countedSource } from '../../support/countedSource/countedSource.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { until } from '../../support/until.ts';
import { workConnection } from '../../support/builders/workConnection.ts';
import { answerInput, withPicks } from '../browse/withPicks.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';
import { fakeServices } from '../../support/fakeServices.ts';

const section = vscode.workspace.getConfiguration.bind(vscode.workspace, 'transcriptionJobs');
const failed: JobFilter = { ...noFilter, statuses: ['error'] };
const entry = (name: string, badge = false) => ({ name, filter: { statuses: ['done'] }, badge });

/** Opens the saved views of one window. Registers no commands, because the installed extension already has. */
function openWindow(visible: boolean) {
  const shown = new vscode.EventEmitter<void>();
  const connection = new vscode.EventEmitter<never>();
  const lists = new Map(jobKinds.map((kind) => [kind as string, countedSource(4, { kind })]));
  const asked: unknown[] = [];
  const source = fakeReader((endpoint, params, signal) => {
    asked.push(params);
    return (lists.get(endpoint) ?? assert.fail()).source.readPage(endpoint, params, signal);
  });
  const badges: (vscode.ViewBadge | undefined)[] = [];
  const filters: JobFilter[] = [];
  const settings = new Settings(vscode.extensions.getExtension(extensionId)?.packageJSON, () => undefined);
  const view = {
    visible,
    onDidChangeVisibility: shown.event,
    setBadge: (_part: string, badge?: vscode.ViewBadge) => void badges.push(badge),
  };
  const views = new SavedViews(
    fakeServices({
      log: new KeptLog(),
      clock: new FakeClock(),
      settings,
      service: { current: { connection: workConnection, source } },
      jobs: { filter: failed },
      filters: { set: async (filter) => void filters.push(filter) },
      view,
      connections: { onDidChange: connection.event },
    }),
  );
  const close = (): void => {
    for (const each of [views, settings, shown, connection]) each.dispose();
  };
  const show = (isVisible: boolean): void => {
    view.visible = isVisible;
    shown.fire();
  };
  return { views, asked, badges, filters, close, show, names: () => views.views.map(({ name }) => name) };
}

describe('Saved views', () => {
  afterEach(async () => {
    await section().update('views', undefined, vscode.ConfigurationTarget.Global);
    await section().update('views', undefined, vscode.ConfigurationTarget.Workspace);
  });

  it('are shown in another window at once, and in a window that opens later', async () => {
    const windows = [openWindow(false), openWindow(false)];
    await section().update('views', [entry('mine')], vscode.ConfigurationTarget.Global);
    for (const { names } of windows) await until('the view is there', () => names().join() === 'mine');
    const later = openWindow(false);
    assert.deepEqual(later.names(), ['mine']);
    await section().update('views', [entry('theirs')], vscode.ConfigurationTarget.Workspace);
    for (const { names } of [...windows, later])
      await until('the workspace decides', () => names().join() === 'theirs');
    for (const { close, asked } of [...windows, later]) {
      assert.deepEqual(asked, []);
      close();
    }
  });

  it('are shown when the first one is saved', async () => {
    const open = openWindow(true);
    let changes = 0;
    open.views.onDidChange(() => changes++);
    assert.deepEqual(open.names(), []);
    await section().update('views', [entry('first')], vscode.ConfigurationTarget.Global);
    await until('the view is there', () => open.names().join() === 'first' && changes > 0);
    await open.views.expand('first');
    assert.equal(open.views.item({ type: 'view', view: 'first' })?.description, '8 · Done');
    open.close();
  });

  it('send no request while they are closed, and count when they are expanded', async () => {
    await section().update('views', [entry('mine')], vscode.ConfigurationTarget.Global);
    const { views, asked, close, badges } = openWindow(true);
    assert.equal(views.item({ type: 'view', view: 'mine' })?.description, 'Done');
    await views.refresh();
    assert.deepEqual(asked, []);
    const counting = views.expand('mine');
    assert.equal(views.item({ type: 'viewCount', view: 'mine', kind: 'live' })?.description, 'counting…');
    await counting;
    assert.ok(asked.length > 0);
    assert.equal(views.item({ type: 'view', view: 'mine' })?.description, '8 · Done');
    assert.match(String(views.item({ type: 'viewCount', view: 'mine', kind: 'live' })?.description), /^4 at /);
    assert.equal(badges.filter((badge) => badge !== undefined).length, 0);
    close();
  });

  it('filter the list when their row is selected, without being counted', async () => {
    await section().update('views', [entry('mine')], vscode.ConfigurationTarget.Global);
    const { views, asked, filters, close } = openWindow(true);
    assert.ok(views instanceof SavedViews);
    const node = { type: 'view', view: 'mine' } as const;
    const { command } = views.item(node) ?? {};
    assert.deepEqual([command?.command, command?.arguments], [showViewCommand, [node]]);
    await views.show(node);
    assert.deepEqual(filters, [{ ...noFilter, statuses: ['done'] }]);
    await views.show({ type: 'view', view: 'gone' });
    assert.deepEqual([filters.length, asked], [1, []]);
    close();
  });

  it('are created from the current filter, under another name than the proposed one, next to the existing ones', async () => {
    await section().update('views', [entry('mine')], vscode.ConfigurationTarget.Global);
    const { views, names, close } = openWindow(true);
    assert.ok(views instanceof SavedViews);
    const { setStatusBarMessage } = vscode.window;
    const reported: string[] = [];
    Object.assign(vscode.window, { setStatusBarMessage: (text: string) => reported.push(text) });
    try {
      await withPicks(async (_next, nextInput) => {
        const saving = views.save();
        const box = await nextInput();
        assert.deepEqual([box.title, box.value], ['Save Filter as View', 'Failed']);
        assert.deepEqual(box.buttons, [], 'no Back: it is the only step');
        assert.deepEqual(
          box.valueSelection,
          [0, box.value.length],
          'all of it is selected, so that typing replaces it',
        );
        answerInput(box, 'mine');
        assert.match(JSON.stringify(box.validationMessage), /This view already exists/);
        answerInput(box, 'Lost calls');
        await saving;
      });
    } finally {
      Object.assign(vscode.window, { setStatusBarMessage });
    }
    assert.deepEqual(section().get('views'), [
      entry('mine'),
      writtenView({ name: 'Lost calls', filter: failed, isBadge: false }),
    ]);
    await until('its row is there', () => names().join() === 'mine,Lost calls');
    assert.deepEqual(reported, ['Saved the view "Lost calls"']);
    close();
  });

  it('as the badge are counted while the view is visible, and on refresh', async () => {
    await section().update('views', [entry('mine', true)], vscode.ConfigurationTarget.Global);
    const { views, asked, badges, show, close } = openWindow(false);
    assert.deepEqual(asked, []);
    show(true);
    await until('the badge is there', () => badges.at(-1)?.value === 8);
    const sent = asked.length;
    show(false);
    show(true);
    assert.equal(asked.length, sent, 'a number is kept until it is asked for anew');
    await views.refresh();
    // Properties of the service that the first count has shown are not queried again.
    assert.ok(asked.length > sent && asked.length <= 2 * sent);
    await section().update('views', [], vscode.ConfigurationTarget.Global);
    await until('the badge is gone', () => badges.at(-1) === undefined);
    close();
  });

  it('are offered the conditions of the filter as a name, shortened if they are long', () => {
    const locale = { language: 'en', timeZone: 'UTC' };
    assert.equal(proposeViewName(failed, locale), 'Failed');
    const long: JobFilter = {
      statuses: ['error'],
      time: { type: 'range', after: '2026-11-19T23:00:00.000Z', before: '2026-11-20T09:30:00.000Z' },
      metadata: { customer: 'Northwind Bank' },
    };
    const name = proposeViewName(long, locale);
    assert.match(name, /^Failed · Nov 19, 2026, .*…$/);
    assert.equal(viewName(name), name);
  });
});
