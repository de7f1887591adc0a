import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import { copyJobs } from '../../../src/features/details/editor/copyJobs.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { FakeDetailsDeps, jobOf } from './fakeDetailsDeps.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';

describe('Copies of jobs', () => {
  const deps = new FakeDetailsDeps();
  const one = jobOf(preRecordedItem({ id: 'one', request_id: 'G-1' }));
  const raw = '{"id":"two","kind":"live","n":1.50}';
  const two = jobOf(raw);
  const copied = async (...given: Parameters<typeof copyJobs>): Promise<string> => {
    await copyJobs(...given);
    return vscode.env.clipboard.readText();
  };

  it('are ids, one per line', async () => {
    assert.equal(await copied([one, two], 'id', deps.services), 'one\ntwo');
    assert.equal(await copied([one, two], 'requestId', deps.services), 'G-1');
    await assert.rejects(copyJobs([two], 'requestId', deps.services), UserError);
  });

  it('are items without the key that the service repeats', async () => {
    const forms = keyForms.map(({ write }) => write(markedKey));
    const jobs = forms.map((form) => jobOf(preRecordedItem({ id: 'a', custom_metadata: { [form]: form } })));
    const { keyMask } = deps;
    deps.keyMask = () => new KeyMask(markedKey);
    const text = await copied(jobs, 'json', deps.services).finally(() => (deps.keyMask = keyMask));
    assert.equal((JSON.parse(text) as unknown[]).length, forms.length);
    assert.deepEqual(keyFormsIn(text, markedKey), []);
  });

  it('are reported in the status bar, by the name of their job, which cannot insert icons', async () => {
    const { setStatusBarMessage } = vscode.window;
    const shown: string[] = [];
    Object.assign(vscode.window, { setStatusBarMessage: (text: string) => shown.push(text) });
    try {
      deps.titleOf = () => '$(trash) Weekly';
      for (const what of ['id', 'requestId', 'link', 'json', 'curl'] as const) await copied([one], what, deps.services);
      await copied([one, two], 'id', deps.services);
      deps.titleOf = () => 'one';
      await copied([one], 'id', deps.services);
    } finally {
      Object.assign(vscode.window, { setStatusBarMessage });
    }
    const job = String.raw`\$(trash) Weekly (one)`;
    assert.deepEqual(shown, [
      `Copied the ID of ${job}`,
      `Copied the request ID of ${job}`,
      `Copied the link to ${job}`,
      `Copied the JSON of ${job}`,
      `Copied a command that lists ${job}`,
      'Copied from 2 jobs',
      'Copied the ID of one',
    ]);
  });

  it('are links of the editor, one per line, for the jobs that a link can find', async () => {
    const found = `${vscode.env.uriScheme}://${extensionId}/job?kind=pre-recorded&id=one&created=`;
    const text = await copied([one, two], 'link', deps.services);
    assert.ok(
      text.startsWith(found) && text.endsWith('Z&origin=https://api.example.com') && !text.includes('\n'),
      text,
    );
    await assert.rejects(copyJobs([two], 'link', deps.services), UserError);
    const { connection } = deps;
    deps.connection = { ...connection, reach: async () => ({ ...(await connection.reach()), name: 'Sample' }) };
    await assert.rejects(copyJobs([one], 'link', deps.services), /Sample jobs exist in this window only/);
    deps.connection = connection;
  });

  it('are items as received, several as an array', async () => {
    assert.equal(await copied([two], 'json', deps.services), '{\n  "id": "two",\n  "kind": "live",\n  "n": 1.50\n}');
    assert.match(
      await copied([one, two], 'json', deps.services),
      /^\[\n {2}\{\n {4}"id": "one"[^]*"n": 1\.50\n {2}\}\n\]$/,
    );
  });

  it('are commands that find the job, with the key as a variable', async () => {
    const command = await copied([one], 'curl', deps.services);
    assert.match(command, /https:\/\/api\.example\.com\/v2\/pre-recorded\?limit=100&before_date=/);
    assert.match(command, /^x-service-key: \$TRANSCRIPTION_API_KEY$/m);
  });
});
