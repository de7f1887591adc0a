import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Deliverer } from '../../../../../src/features/deliver/node/deliverer.ts';
import { DeliveryStore } from '../../../../../src/features/deliver/node/deliveryStore.ts';
import { makeJobFiles } from '../../../../../src/features/deliver/node/jobFiles.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { transcriptFormats } from '../../../../../src/jobs/common/transcriptFormats.ts';
import { readPage } from '../../../../../src/jobs/node/api/readPage.ts';
import { KeyMask } from '../../../../../src/platform/http/keyMask.ts';
import { preRecordedItem } from '../../../../support/builders/jobItem.ts';
import { DiskFolder } from '../../../../support/deliver/diskFolder.ts';
import { finish } from '../../../../support/finish.ts';
import { measured, withoutBlocking } from '../../../../support/hostile/hostileGuard.ts';
import { markedKey } from '../../../../support/hostile/keyForms.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { fileFacts, wantedJob } from './wantedJobs.ts';

const origin = 'https://api.example.com';
const characters = 1_500_000;
/** In bytes. The garbage of several steps may be in memory, too. */
const maxGrowth = 250_000_000;

/** Saves all formats of a job with one utterance. */
async function save(text: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tj-large-'));
  try {
    const transcription = { utterances: [{ text, start: 1, end: 36_000, speaker: 0, language: 'en' }] };
    const items = [preRecordedItem({ id: 'a', status: 'done', result: { transcription } })];
    const { entries } = finish(readPage(JSON.stringify({ items }), { kind: 'pre-recorded', limit: 20 }));
    const [job] = entries.filter((each): each is Job => each.type === 'job');
    assert(job);
    const store = new DeliveryStore(join(folder, 'records'), Date, new KeptLog());
    const files = join(folder, 'files');
    const wanted = wantedJob(origin, 'a', files, { formats: transcriptFormats });
    await store.want([wanted]);
    const deliverer = new Deliverer({ store, clock: Date, openFolder: async () => new DiskFolder(files) });
    const facts = { ...fileFacts, keyMask: new KeyMask(markedKey) };
    const outcome = await deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, facts));
    assert.equal(outcome.type, 'delivered');
    assert.equal((await readdir(files)).length, transcriptFormats.length);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [name, unit] of Object.entries({
  words: 'word and more. ',
  'one word': 'a',
  Chinese: '我们先来看一下上个季度的销售数据',
})) {
  test(`saving a long utterance (${name}) blocks nothing, in bounded memory`, async () => {
    const text = unit.repeat(characters / unit.length);
    await withoutBlocking(async () => {
      const { grownBytes } = await measured(() => save(text));
      assert.ok(grownBytes < maxGrowth, String(grownBytes));
    });
  });
}
