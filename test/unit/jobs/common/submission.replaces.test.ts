import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journal } from '../../../../src/jobs/node/journal/journal.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { aNewSubmission } from '../../features/submit/node/aSubmission.ts';

test('the journal keeps the job that a submission repeats, and how its own ended, after later outcomes', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'tj-replaces-'));
  context.after(() => rm(folder, { recursive: true }));
  const clock = new FakeClock();
  const journal = new Journal(folder, clock, new KeptLog());
  const owner = { name: 'Work', baseUrl: 'https://api.example.com' };
  const added = await journal.add(owner, aNewSubmission({ sentAtMs: clock.now(), replaces: 'job-1' }));
  await journal.settle(owner, added, { type: 'accepted', status: 201, id: 'job-2' });
  await journal.settle(owner, added, { type: 'accepted', status: 201, id: 'job-2', fate: { status: 'done' } });
  await journal.settle(owner, added, { type: 'accepted', status: undefined, id: 'job-2' });
  const [read] = (await new Journal(folder, clock, new KeptLog()).read(owner)).submissions;
  assert.equal(read?.replaces, 'job-1');
  const { outcome } = read;
  assert.deepEqual(outcome.type === 'accepted' && [outcome.status, outcome.fate?.status], [201, 'done']);
});
