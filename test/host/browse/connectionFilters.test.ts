import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { noFilter } from '../../../src/jobs/common/jobFilter.ts';
import { ConnectionFilters } from '../../../src/jobs/editor/connectionFilters.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';
import { until } from '../../support/until.ts';
import { heardMessages } from '../connections/heardMessages.ts';

describe('The filter of a connection', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('is reported once if damaged, shown unchanged, and not applied', async () => {
    const log = new KeptLog();
    const store = new JobStore(() => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }), new FakeClock(), log);
    const damaged = { version: 2, statuses: 'all \u202E' };
    const state = new JsonMemory({ 'filter/Work': damaged });
    const filters = new ConnectionFilters(store, state, { language: 'en', timeZone: 'UTC' }, log);
    const heard = await heardMessages(() => filters.restore('Work'), 'Show');
    assert.deepEqual(
      heard.map(({ text }) => text),
      [
        'The filter stored for this connection is damaged or from another version. It was ignored, and no filter is set.',
      ],
    );
    assert.deepEqual([store.filter, filters.text], [noFilter, '']);
    assert.match(log.lines.join('\n'), /^warn the stored filter was set aside: /);
    const shown = await until('what was stored is shown', () => vscode.window.activeTextEditor?.document);
    assert.deepEqual(JSON.parse(shown.getText()), damaged);
    assert.doesNotMatch(shown.getText(), /\u202E/u);
    assert.deepEqual(await heardMessages(() => filters.restore('Work')), []);
  });
});
