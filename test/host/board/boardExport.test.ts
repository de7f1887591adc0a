import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { BoardActions } from '../../../src/features/board/editor/boardActions.ts';
import { BoardReading } from '../../../src/features/board/node/boardReading.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { connectionDefaults } from '../../support/builders/workConnection.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { faultRun } from '../../support/faults/faultRun.ts';
import { startFaultServer, type FaultServer } from '../../support/faults/faultServer.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { acceptLabel, withPicks } from '../browse/withPicks.ts';
import { answering, type Shown } from '../submit/answers.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { exportInto } from '../../../src/features/browse/editor/exportInto.ts';

const key = 'sesame-0123456789';

/** Returns an item, which may be too large to be read with its result. */
function itemOf(id: string, characters: number): string {
  const full_transcript = `${'word '.repeat(Math.ceil(characters / 5))}${key}`;
  return JSON.stringify({ ...preRecordedItem(), id, result: { transcription: { full_transcript, utterances: [] } } });
}

describe('Export on a board', () => {
  const { showSaveDialog } = vscode.window;
  let folder: string;
  let server: FaultServer;
  let items: readonly string[];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tj-host-board-'));
    server = await startFaultServer(({ response }) => {
      const links = '"first":"http://x/?offset=0","current":"http://x/?offset=0","next":null';
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{${links},"items":[${items.join(',')}]}`);
    });
  });
  after(async () => {
    Object.assign(vscode.window, { showSaveDialog });
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** Reads a board, then exports all its jobs. @param meanwhile runs between the two steps */
  async function exported(
    name: string,
    meanwhile: () => void = () => undefined,
    format = 'NDJSON',
  ): Promise<readonly Shown[]> {
    const { lists, client, clock } = faultRun(server.origin, 30_000, key);
    const store = new JobStore(() => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }), clock, new KeptLog());
    try {
      store.use(lists);
      const reading = new BoardReading(lists, [{ endpoint: 'pre-recorded', params: {} }], { clock });
      await reading.readOn('all', () => Promise.resolve());
      assert.equal(reading.jobs.length, items.length);
      meanwhile();
      const connection = { ...connectionDefaults, name: 'Work', baseUrl: server.origin };
      const services = fakeServices({
        log: new KeptLog(),
        clock,
        service: { current: { connection, source: lists }, connected: () => lists, keyMask: new KeyMask(key) },
        jobs: store,
        facts: { titleOf: ({ id }) => id },
        actions: { browse: { exportJobs: (what) => exportInto(what, services) } },
      });
      const actions = new BoardActions(services);
      Object.assign(vscode.window, { showSaveDialog: async () => vscode.Uri.file(join(folder, name)) });
      const jobs = reading.jobs.filter((job): job is Job => job !== undefined);
      return await answering(
        () =>
          withPicks(async (next) => {
            const exporting = actions.run('export', 'Work', jobs, () => ({
              titles: ['ID', 'Note'],
              cellsOf: ({ id }) => [id, `=${key}`],
            }));
            acceptLabel(await next(), format);
            await exporting;
          }),
        [],
        (shown) => shown.length > 0,
      );
    } finally {
      store.dispose();
      client.dispose();
    }
  }

  function linesOf(name: string): readonly string[] {
    return readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  }

  it('writes complete items of any size, with the key masked', async () => {
    items = [itemOf('small', 10), itemOf('large', 6_000_000), itemOf('larger', 9_000_000)];
    const [shown] = await exported('board.ndjson');
    assert.equal(shown?.text, 'Exported 3 jobs to board.ndjson.');
    assert.deepEqual(
      linesOf('board.ndjson').map((line) => line.replaceAll(/•+|\*+/gu, key)),
      items,
    );
    assert.doesNotMatch(readFileSync(join(folder, 'board.ndjson'), 'utf8'), new RegExp(key, 'u'));
  });

  it('writes the columns as shown, with the key masked and no formula', async () => {
    items = [itemOf('small', 10), itemOf('other', 10)];
    const [shown] = await exported('shown.csv', undefined, 'CSV, columns as shown');
    assert.equal(shown?.text, 'Exported 2 jobs to shown.csv.');
    const [head, ...records] = linesOf('shown.csv').map((line) => line.trimEnd());
    assert.equal(head, '\ufeffID,Note');
    assert.deepEqual(
      records.map((record) => record.replaceAll(/•+|\*+/gu, 'MASKED')),
      ["small,'=MASKED", "other,'=MASKED"],
    );
  });

  it('reports a job whose result the service no longer sends', async () => {
    items = [itemOf('small', 10), itemOf('gone', 6_000_000)];
    const [shown] = await exported('gone.ndjson', () => {
      items = [itemOf('small', 10), JSON.stringify({ ...preRecordedItem(), id: 'gone', result: null })];
    });
    assert.equal(
      shown?.text,
      'Exported 2 jobs to gone.ndjson. Written without their results, which the service no longer sends: gone.',
    );
    assert.equal(linesOf('gone.ndjson').length, 2);
  });
});
