import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { noFilter } from '../../../src/jobs/common/jobFilter.ts';
import { silence } from '../../support/faults/plays.ts';
import { until } from '../../support/until.ts';
import { closeEditors } from '../requests/requestFiles.ts';
import { answering, type Shown } from '../submit/answers.ts';
import { openBrowseScene, type BrowseScene } from './browseScene.ts';
import { acceptLabel, hidePick, withPicks } from './withPicks.ts';

const done = { type: 'group', key: { kind: 'pre-recorded', status: 'done' } } as const;

describe('Export Jobs', () => {
  const { showSaveDialog, withProgress } = vscode.window;
  let scene: BrowseScene;
  let folder: string;
  before(async () => {
    scene = await openBrowseScene(900);
    folder = mkdtempSync(join(tmpdir(), 'tj-host-export-'));
  });
  after(async () => {
    await scene.close();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => Object.assign(vscode.window, { showSaveDialog, withProgress }));

  /** Returns the title of the first dialog. */
  async function titleOf(command: 'exportJobs' | 'exportRow', row: unknown): Promise<string | undefined> {
    let title: string | undefined;
    await withPicks(async (next) => {
      const exporting = scene.run(command, row);
      const pick = await next();
      ({ title } = pick);
      hidePick(pick);
      await exporting;
    });
    return title;
  }

  /** Exports all jobs, or those of a row, into a file of the folder, and opens it if requested. @returns the messages about it */
  async function exportInto(
    name: string,
    format: string,
    { row, open = false, meanwhile }: { row?: unknown; open?: boolean; meanwhile?: () => Promise<void> } = {},
  ): Promise<readonly Shown[]> {
    Object.assign(vscode.window, { showSaveDialog: async () => vscode.Uri.file(join(folder, name)) });
    return answering(
      () =>
        withPicks(async (next) => {
          const exporting = row === undefined ? scene.run('exportJobs') : scene.run('exportRow', row);
          acceptLabel(await next(), format);
          await meanwhile?.();
          await exporting;
        }),
      open ? ['Open'] : [],
      (shown) => shown.length > 0,
    );
  }

  async function idsOf(list: string, query = ''): Promise<readonly string[]> {
    const response = await fetch(`${scene.sample.baseUrl}/v2/${list}?limit=10000${query}`, {
      headers: { 'x-service-key': scene.sample.key },
    });
    const page = (await response.json()) as { readonly items: readonly { readonly id: string }[] };
    return page.items.map(({ id }) => id);
  }

  it("exports all jobs from the title, whatever row has the focus, and a row's own list from the row", async () => {
    assert.equal(await titleOf('exportJobs', done), 'Export Jobs: all jobs');
    assert.equal(await titleOf('exportRow', done), 'Export Jobs: Pre-recorded, Done');
    await scene.filters.set({ ...noFilter, statuses: ['processing'], time: { type: 'day', day: '2001-02-03' } });
    assert.equal(await titleOf('exportJobs', undefined), 'Export Jobs: all matching jobs (Processing · on 2001-02-03)');
    await scene.filters.set(noFilter);
    assert.deepEqual(scene.takeRequests(), []);
  });

  it('writes all jobs in the order of the service', async () => {
    const [reported] = await exportInto('all.json', 'JSON');
    const ids = [...(await idsOf('pre-recorded')), ...(await idsOf('live'))];
    assert.equal(reported?.text, `Exported ${ids.length} jobs to all.json.`);
    const items = JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8')) as readonly { readonly id: string }[];
    assert.deepEqual(
      items.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.partial')),
      [],
    );
    scene.takeRequests();
  });

  it('writes only the jobs of a row into a table, and opens it on request', async () => {
    const [reported] = await exportInto('done.csv', 'CSV', { row: done, open: true });
    const ids = await idsOf('pre-recorded', '&status=done');
    assert.equal(reported?.text, `Exported ${ids.length} jobs to done.csv.`);
    const [header = '', ...records] = readFileSync(join(folder, 'done.csv'), 'utf8').trimEnd().split('\r\n');
    assert.match(header, /^\ufeffid,request_id,version,status,/);
    assert.deepEqual(
      records.map((record) => record.split(',')[0]),
      ids,
    );
    await until('it is open', () => vscode.window.activeTextEditor?.document.uri.path.endsWith('/done.csv') === true);
    await closeEditors();
    scene.takeRequests();
  });

  it('reports that a file cannot be written before sending any request', async () => {
    // A name that is valid for file systems, but too long with the suffix of partial files.
    const name = `${'long'.repeat(61)}.json`;
    const [reported] = await exportInto(name, 'JSON');
    assert.match(reported?.text ?? '', /^(?:long)+\.json can't be written\./);
    assert.deepEqual(scene.takeRequests(), []);
  });

  it('keeps the written part after cancellation, named as partial', async () => {
    const cancel = new vscode.CancellationTokenSource();
    let isShown = false;
    const progress: typeof withProgress = (_options, task) => {
      isShown = true;
      return task({ report: () => undefined }, cancel.token);
    };
    Object.assign(vscode.window, { withProgress: progress });
    scene.fault = ({ path }) => (Number(/offset=(\d+)/.exec(path)?.[1]) >= 250 ? silence : undefined);
    const target = join(folder, 'cancelled.ndjson');
    const meanwhile = async (): Promise<void> => {
      await until('the progress is shown', () => isShown);
      await until('something is written', () => {
        return existsSync(`${target}.partial`) && readFileSync(`${target}.partial`).length > 0;
      });
      cancel.cancel();
    };
    const [reported] = await exportInto('cancelled.ndjson', 'NDJSON', { meanwhile });
    scene.fault = () => undefined;
    assert.match(reported?.text ?? '', /^The export was canceled\. .*cancelled\.ndjson\.partial/);
    assert.equal(existsSync(target), false);
    const lines = readFileSync(`${target}.partial`, 'utf8').trimEnd().split('\n');
    assert.ok(lines.length >= 100 && lines.length < 900, `${lines.length} lines`);
    for (const line of lines) JSON.parse(line);
  });
});
