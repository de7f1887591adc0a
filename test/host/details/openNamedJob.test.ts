import assert from 'node:assert/strict';
import type { Job } from '../../../src/jobs/common/job.ts';
import { openNamedJob } from '../../../src/features/details/editor/openNamedJob.ts';
import type { NamedJob } from '../../../src/jobs/common/listParams.ts';
import { runCommand } from '../../../src/platform/editor/runCommand.ts';
import { heardMessages, type HeardMessage } from '../connections/heardMessages.ts';
import { FakeDetailsDeps, jobOf } from './fakeDetailsDeps.ts';

describe('Opening a job by its name', () => {
  const named: NamedJob = { connection: 'Test', kind: 'pre-recorded', id: 'a' };
  let deps: FakeDetailsDeps;
  let opened: Job[];
  let searched: string[];
  beforeEach(() => {
    deps = new FakeDetailsDeps();
    opened = [];
    searched = [];
    deps.find = async (kind, id) => {
      searched.push(`${kind}/${id}`);
      return id === 'found' ? jobOf({ id, kind }) : undefined;
    };
  });
  const open = (changes: Partial<NamedJob>) =>
    heardMessages(() =>
      runCommand(deps.log, () => openNamedJob({ ...named, ...changes }, deps.services, (job) => void opened.push(job))),
    );
  const outcome = (heard: readonly HeardMessage[]) => ({ heard, opened: opened.map(({ id }) => id), searched });

  it('opens a loaded job, and searches for any other', async () => {
    deps.load({ id: 'a', kind: 'pre-recorded', status: 'done' });
    assert.deepEqual(outcome(await open({})), { heard: [], opened: ['a'], searched: [] });
    const found = outcome(await open({ id: 'found' }));
    assert.deepEqual(found, { heard: [], opened: ['a', 'found'], searched: ['pre-recorded/found'] });
  });

  it('passes on its known creation or submission time', async () => {
    const hints: unknown[] = [];
    deps.find = async (_kind, _id, _signal, hint) => void hints.push(hint);
    await open({ createdAtMs: 1 });
    await open({ sentAtMs: 2 });
    assert.deepEqual(hints, [
      { createdAtMs: 1, sentAtMs: undefined },
      { createdAtMs: undefined, sentAtMs: 2 },
    ]);
  });

  it('reports when there is none', async () => {
    const text = 'This job was not found among the jobs searched.';
    assert.deepEqual(outcome(await open({})), {
      heard: [{ text, buttons: [] }],
      opened: [],
      searched: ['pre-recorded/a'],
    });
  });

  it('sends no request for the job of another connection, and offers to switch', async () => {
    const text = 'This job belongs to the connection Elsewhere. Switch to it to see the job.';
    assert.deepEqual(outcome(await open({ connection: 'Elsewhere' })), {
      heard: [{ text, buttons: ['Switch Connection'] }],
      opened: [],
      searched: [],
    });
  });
});
