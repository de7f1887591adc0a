import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';

async function use(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(`transcriptionJobs_${name}`, { input, toolInvocationToken: undefined });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

/** Returns the data in a tool's result, without the marker lines. */
function unfenced(answer: string): string {
  return /----- start of data\n([^]*)\n----- end of data$/.exec(answer)?.[1] ?? '';
}

describe('agent tools', () => {
  before(async () => {
    await vscode.workspace
      .getConfiguration('transcriptionJobs')
      .update('connection', 'Sample', vscode.ConfigurationTarget.Global);
    await vscode.extensions.getExtension(extensionId)?.activate();
  });

  after(async () => {
    await vscode.workspace
      .getConfiguration('transcriptionJobs')
      .update('connection', undefined, vscode.ConfigurationTarget.Global);
  });

  it('list jobs by kind and status, and read one of them', async () => {
    const answer = JSON.parse(unfenced(await use('listJobs', { kind: 'live', statuses: ['done'], limit: 3 }))) as {
      readonly jobs: readonly { readonly id: string; readonly status: string; readonly kind: string }[];
      readonly hasMore: boolean;
    };
    assert.equal(answer.jobs.length, 3);
    assert.ok(answer.hasMore);
    assert.ok(answer.jobs.every(({ status, kind }) => status === 'done' && kind === 'live'));
    const id = answer.jobs[1]?.id ?? '';
    const job = JSON.parse(unfenced(await use('getJob', { kind: 'live', id }))) as { readonly id: string };
    assert.equal(job.id, id);
    const hinted = { kind: 'live', id: 'no-such-job', createdAt: '2026-11-23' };
    assert.match(await use('getJob', hinted), /was not found among those searched/);
    await assert.rejects(use('getJob', { ...hinted, createdAt: 'yesterday' }), /expected an ISO 8601 date-time/);
  });

  it('read the transcript only on request', async () => {
    const listed = JSON.parse(
      unfenced(await use('listJobs', { kind: 'pre-recorded', statuses: ['done'], limit: 5 })),
    ) as { readonly jobs: readonly { readonly id: string }[] };
    const results: string[] = [];
    for (const { id } of listed.jobs) {
      const without = await use('getJob', { kind: 'pre-recorded', id });
      assert.doesNotMatch(without, /"transcription":/);
      if (
        !/^The job has a result of \d+ characters, left out here\. Set includeResult to true to read it\.\n/.test(
          without,
        )
      )
        continue;
      assert.equal((JSON.parse(unfenced(without)) as { readonly id: string }).id, id);
      results.push(await use('getJob', { kind: 'pre-recorded', id, includeResult: true }));
    }
    assert.ok(results.length > 0);
    assert.ok(results.every((answer) => unfenced(answer).includes('"transcription":')));
  });

  it('fail with a sentence that says to a model what is wrong with its input', async () => {
    await assert.rejects(use('listJobs', { kind: 'batch' }), /expected one of pre-recorded, live/);
    assert.match(
      await use('getJob', { kind: 'live', id: 'no-such-job' }),
      /live job no-such-job was not found among those searched/,
    );
  });

  it('count jobs, and report overdue ones and failures, each with its certainty', async () => {
    const answer = async (name: string, input: object) =>
      JSON.parse(unfenced(await use(name, input))) as {
        readonly certainty: string;
        readonly count: number;
        readonly kinds: readonly object[];
        readonly groups: readonly object[];
      };
    const counted = await answer('count', { kind: 'live', statuses: ['error'], metadata: {} });
    assert.equal(counted.certainty, 'exact');
    assert.ok(counted.count > 0);
    const overdue = await answer('overdue', {});
    assert.equal(overdue.certainty, 'exact');
    assert.equal(overdue.kinds.length, 2);
    const failures = await answer('failures', {});
    assert.equal(failures.certainty, 'exact');
    assert.equal(failures.groups.length > 0, failures.count > 0);
    await assert.rejects(
      use('count', { kind: 'live', metadata: { a: {} } }),
      /expected a text, a number, true or false/,
    );
  });

  it('check a request and send nothing', async () => {
    assert.match(await use('checkRequest', { request: '{ "audio_url": 7 }' }), /can't be submitted/);
    const findings = await use('checkRequest', {
      request:
        '{ "audio_url": "https://a.example/b.mp3", "language_config": { "languages": ["en"], "code_switching": true } }',
    });
    assert.match(findings, /can be submitted/);
    assert.match(findings, /languages\/single-ignores-code-switching/);
  });
});
