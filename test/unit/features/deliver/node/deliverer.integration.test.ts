import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { WorkSlices } from '../../../../../src/base/clock.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { chooseTranscriptFiles, readSavableResult } from '../../../../../src/jobs/common/savedTranscript.ts';
import { writeJobFile } from '../../../../../src/jobs/node/export/writeJobFile.ts';
import { DeliveryStore } from '../../../../../src/features/deliver/node/deliveryStore.ts';
import { startSampleService } from '../../../../../src/sample/sampleService.ts';
import { faultRun } from '../../../../support/faults/faultRun.ts';
import { repositoryRoot } from '../../../../support/editor/repositoryRoot.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { fileFacts, wantedJob } from './wantedJobs.ts';

const windowFile = join(repositoryRoot, 'test/unit/features/deliver/node/deliveryWindow.ts');
const total = 20;
const formats = ['markdown', 'srt', 'json'] as const;

/** A batch of jobs that are done, whose files are wanted, and windows (processes) that save them. */
async function scene(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tj-deliver-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const service = await startSampleService({ count: 0 });
  context.after(() => service.stop());
  const ids = Array.from({ length: total }, (_, index) => `job-${index}`);
  for (const [index, id] of ids.entries()) {
    const utterances = [
      { text: `Sentence ${index}.`, start: 1, end: 2.5, speaker: 0, language: 'en' },
      { text: 'Second — « text ».', start: 3, end: 4.5, speaker: 1, language: 'en' },
    ];
    // Some titles are the same, or differ by letter case only.
    const title = ['Interview', 'INTERVIEW', `Call ${index}`][index % 3] ?? '';
    const fields = { custom_metadata: { title }, result: { transcription: { utterances } } };
    service.add({ id, status: 'done', fields });
  }
  const records = join(folder, 'records');
  const files = join(folder, 'files');
  const store = new DeliveryStore(records, Date, new KeptLog());
  await store.want(ids.map((id) => wantedJob(service.baseUrl, id, files)));
  const open = (...death: readonly string[]): ChildProcess =>
    fork(windowFile, [records, files, service.baseUrl, service.key, ...death]);
  return { service, ids, files, store, open };
}

async function endOf(window: ChildProcess): Promise<NodeJS.Signals | number | null> {
  await once(window, 'exit');
  return window.signalCode ?? window.exitCode;
}

/** Returns the content of all files that Save Transcript As would write, sorted. */
async function expectedContents(baseUrl: string, key: string): Promise<readonly string[]> {
  const run = faultRun(baseUrl, undefined, key);
  const { entries } = await run.lists.readPage('pre-recorded', { limit: total });
  run.client.dispose();
  const contents: string[] = [];
  for (const job of entries.filter((each): each is Job => each.type === 'job')) {
    const slices = new WorkSlices();
    const result = (await slices.run(readSavableResult(job))) ?? assert.fail();
    const title = fileFacts.titleOf(job);
    for (const file of chooseTranscriptFiles(result, { formats, languages: 'all' }).files)
      contents.push(
        (await writeJobFile({ ...fileFacts, job, result, file, title }, fileFacts.keyMask)) ?? assert.fail(),
      );
  }
  return contents.toSorted();
}

async function contentsOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).toSorted();
}

const deaths = [
  ['10', 'write'],
  ['10', 'rename'],
  ['10', 'renamed'],
  ['30', 'renamed'],
] as const;
for (const death of deaths) {
  test(`two windows, killed twice at change ${death.join(' ')}, save each file of a batch once`, async (context) => {
    const { service, ids, files, store, open } = await scene(context);
    for (const round of [1, 2]) {
      const ends = await Promise.all([open(...death), open(...death)].map(endOf));
      assert.ok(round === 2 || ends.includes('SIGKILL'), ends.join());
    }
    assert.deepEqual(await Promise.all([open(), open()].map(endOf)), [0, 0]);
    const names = await readdir(files);
    assert.equal(names.length, total * formats.length, names.join('\n'));
    assert.deepEqual(await contentsOf(files), await expectedContents(service.baseUrl, service.key));
    assert.deepEqual(await store.pending(), []);
    const group = await store.readGroup('batch');
    assert.deepEqual(
      group.map(({ wanted, ended }) => `${wanted?.id} ${ended?.end.type}`).toSorted(),
      ids.map((id) => `${id} saved`).toSorted(),
    );
  });
}

test('files of others stay as they are', async (context) => {
  const { files, open, service } = await scene(context);
  assert.equal(await endOf(open('1', 'write')), 'SIGKILL');
  await writeFile(join(files, 'Interview.md'), 'mine');
  assert.equal(await endOf(open()), 0);
  assert.equal(await readFile(join(files, 'Interview.md'), 'utf8'), 'mine');
  const expected = await expectedContents(service.baseUrl, service.key);
  assert.deepEqual(await contentsOf(files), [...expected, 'mine'].toSorted());
});
