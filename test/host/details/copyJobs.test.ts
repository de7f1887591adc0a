import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { copyJobs } from '../../../src/editor/details/copyJobs.ts';
import { UserError } from '../../../src/editor/messages.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { FakeDetailsDeps, jobOf } from './fakeDetailsDeps.ts';

describe('Copies of jobs', () => {
  const { connection } = new FakeDetailsDeps();
  const one = jobOf(preRecordedItem({ id: 'one', request_id: 'G-1' }));
  const raw = '{"id":"two","kind":"live","n":1.50}';
  const two = jobOf(raw);
  const copied = async (...given: Parameters<typeof copyJobs>): Promise<string> => {
    await copyJobs(...given);
    return vscode.env.clipboard.readText();
  };

  it('are ids, one a line', async () => {
    assert.equal(await copied([one, two], 'id', connection), 'one\ntwo');
    assert.equal(await copied([one, two], 'requestId', connection), 'G-1');
    await assert.rejects(copyJobs([two], 'requestId', connection), UserError);
  });

  it('are items as received, several as an array', async () => {
    assert.equal(await copied([two], 'json', connection), '{\n  "id": "two",\n  "kind": "live",\n  "n": 1.50\n}');
    assert.match(
      await copied([one, two], 'json', connection),
      /^\[\n {2}\{\n {4}"id": "one"[^]*"n": 1\.50\n {2}\}\n\]$/,
    );
  });

  it('are commands that find the job, with the key as a variable', async () => {
    const command = await copied([one], 'curl', connection);
    assert.match(command, /https:\/\/api\.example\.com\/v2\/pre-recorded\?limit=100&before_date=/);
    assert.match(command, /'x-service-key: '"\$TRANSCRIPTION_API_KEY"/);
  });
});
