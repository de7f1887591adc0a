import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { silence } from '../../../support/faults/plays.ts';
import type { RemoteService } from '../../../support/remote/remoteService.ts';
import { until } from '../../../support/until.ts';
import type { WorkbenchTests } from '../../../support/workbench/useWorkbench.ts';
import type { Workbench } from '../../../support/workbench/workbench.ts';

/** Answers the two steps of an export: the format and the path. */
async function chooseFormatAndPlace(workbench: Workbench, format: string, path: string): Promise<void> {
  await workbench.quickInput.shown('File format');
  await workbench.quickInput.pick(format);
  await workbench.quickInput.shown('Export Jobs');
  // Until it has read the folder, the dialog may overwrite the input with its own suggestion.
  await workbench.quickInput.item('..').waitFor();
  await workbench.quickInput.answer(path);
  await workbench.quickInput.hidden();
}

/** Tests of exports. Expects a view that shows its groups, and a service with at least 2,000 jobs. */
export function exportTests(session: WorkbenchTests, remote: RemoteService): void {
  /** The ids of a list, in the service's order. */
  async function idsOf(list: string): Promise<string[]> {
    const response = await fetch(`${remote.sample.baseUrl}/v2/${list}limit=10000`, {
      headers: { 'x-service-key': remote.sample.key },
    });
    const page = (await response.json()) as { readonly items: readonly { readonly id: string }[] };
    return page.items.map(({ id }) => id);
  }

  test('a group is exported as CSV from its menu', async () => {
    const { workbench, folder } = session();
    await workbench.tree('Jobs').scrollTo(/^Done/);
    await workbench.tree('Jobs').pickFromMenu(/^Done/, 'Export Jobs…', workbench.quickInput.item('CSV'));
    const path = join(folder, 'done.csv');
    await chooseFormatAndPlace(workbench, 'CSV', path);
    await workbench.notifications.withText(/^Exported [\d,]+ jobs to done\.csv\.$/).waitFor();
    const [header = '', ...records] = readFileSync(path, 'utf8').trimEnd().split('\r\n');
    assert.match(header, /^\ufeffid,request_id,version,status,/);
    // The editor takes a notification away after ten seconds.
    await workbench.notifications.press(/^Exported/, 'Open');
    await workbench.editorTab('done.csv').waitFor();
    const ids = await idsOf('pre-recorded?status=done&');
    assert.deepEqual(
      records.map((record) => record.split(',')[0]),
      ids,
    );
  });

  test('all jobs are exported as JSON from the palette, each as it was received', async () => {
    const { workbench, folder } = session();
    const path = join(folder, 'all.json');
    await workbench.ask('Transcription: Export Jobs…', 'File format');
    await chooseFormatAndPlace(workbench, 'JSON', path);
    const ids = [...(await idsOf('pre-recorded?')), ...(await idsOf('live?'))];
    await workbench.notifications.withText(`Exported ${ids.length.toLocaleString('en')} jobs to all.json.`).waitFor();
    const items = JSON.parse(readFileSync(path, 'utf8')) as { readonly id: string }[];
    assert.deepEqual(
      items.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.partial')),
      [],
    );
  });

  test('a place that cannot be written is said so, and nothing is asked of the service', async () => {
    const { workbench, folder } = session();
    remote.takeRequests();
    await workbench.ask('Transcription: Export Jobs…', 'File format');
    // A name that is valid for file systems, but too long with the suffix of partial files.
    const name = `${'long'.repeat(61)}.json`;
    await chooseFormatAndPlace(workbench, 'JSON', join(folder, name));
    await workbench.notifications.withText(`${name} can't be written.`).waitFor();
    assert.deepEqual(remote.takeRequests(), []);
  });

  test('a cancelled export leaves what was written, named as partial', async () => {
    const { workbench, folder } = session();
    const target = join(folder, 'cancelled.ndjson');
    await workbench.ask('Transcription: Export Jobs…', 'File format');
    remote.break(silence, ({ path }) => Number(/offset=(\d+)/.exec(path)?.[1]) >= 250);
    await chooseFormatAndPlace(workbench, 'NDJSON', target);
    await workbench.notifications.withText(/jobs$/).waitFor();
    await until(
      'something is written',
      () => existsSync(`${target}.partial`) && readFileSync(`${target}.partial`).length > 0,
    );
    await workbench.notifications.press('Exporting jobs', 'Cancel');
    await workbench.notifications.withText('The export was canceled.').waitFor();
    remote.break();
    assert.equal(existsSync(target), false);
    const lines = readFileSync(`${target}.partial`, 'utf8').trimEnd().split('\n');
    assert.ok(lines.length >= 100 && lines.length < 2000);
    for (const line of lines) JSON.parse(line);
  });
}
