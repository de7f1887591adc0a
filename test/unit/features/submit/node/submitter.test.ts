import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { Journal } from '../../../../../src/jobs/node/journal/journal.ts';
import type { RequestSink } from '../../../../../src/jobs/node/api/jobsApi.ts';
import { digest } from '../../../../../src/base/digest.ts';
import { JournalUnwritable, Submitter } from '../../../../../src/features/submit/node/submitter.ts';
import { faultMatrix } from '../../../../support/faults/faultMatrix.ts';
import { faultRun, sentinelKey } from '../../../../support/faults/faultRun.ts';
import { startFaultServer } from '../../../../support/faults/faultServer.ts';
import { silence } from '../../../../support/faults/plays.ts';
import { withScene } from '../../../../support/faults/scene.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { until } from '../../../../support/until.ts';
import { workConnection as connection } from '../../../../support/builders/workConnection.ts';

const audioUrl = 'https://audio.example.com/a.wav?signature=sentinel-signature';
const request = { file: 'untitled:Untitled-1', body: `{"audio_url":"${audioUrl}"}`, audioUrl };
const never = new AbortController().signal;

async function submitterIn(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tj-submit-'));
  context.after(() => rm(folder, { recursive: true }));
  const log = new KeptLog();
  const journal = new Journal(folder, Date, log);
  return { folder, journal, submitter: new Submitter(journal, Date, log) };
}

/** Returns the contents of all files in a folder, as one text. */
async function contentOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files.filter((each) => each.isFile()).map((each) => readFile(join(each.parentPath, each.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

suite('one submission over every fault', () => {
  for (const { name, fault, post, timeoutMs } of faultMatrix) {
    test(name, async (context) => {
      const { folder, journal, submitter } = await submitterIn(context);
      await withScene(fault, async (scene) => {
        const run = faultRun(scene.baseUrl, timeoutMs);
        const { submission } = await submitter.submit({ connection, sink: run.api }, request, '', never);
        run.client.dispose();
        const { submissions } = await journal.read(connection);
        assert.deepEqual(submissions, [submission]);
        assert.equal(submission.outcome.type, post[0]);
        assert.equal(scene.seen.filter(({ method }) => method === 'POST').length, post[1]);
        assert.equal(scene.seen.length, post[1]);
      });
      const written = await contentOf(folder);
      for (const secret of [sentinelKey, 'sk-sentinel', 'sentinel-signature']) assert.ok(!written.includes(secret));
    });
  }
});

/** Creates a service that responds as given and records the bodies it receives. */
function sinkThat(answer: RequestSink['submit']): RequestSink & { readonly bodies: string[] } {
  const bodies: string[] = [];
  return {
    bodies,
    submit: async (body, signal) => {
      bodies.push(body);
      return answer(body, signal);
    },
  };
}

const yes = sinkThat(async () => ({ type: 'accepted', status: 201, id: 'x' }));

test('the entry is written before the request is sent', async (context) => {
  const { journal, submitter } = await submitterIn(context);
  const seen: unknown[] = [];
  const sink = sinkThat(async () => {
    seen.push((await journal.read(connection)).submissions[0]?.outcome.type);
    return { type: 'accepted', status: 201, id: undefined };
  });
  await submitter.submit({ connection, sink }, request, '', never);
  assert.deepEqual(seen, ['sending']);
});

test('other windows await the outcome for the timeout of the connection and fifteen seconds more', async (context) => {
  const { folder } = await submitterIn(context);
  const log = new KeptLog();
  const clock = new FakeClock();
  const submitter = new Submitter(new Journal(folder, clock, log), clock, log);
  const startMs = clock.now();
  const seen: unknown[] = [];
  const sink = sinkThat(async () => {
    for (const passedMs of [74_999, 75_000]) {
      const other = new Journal(folder, { now: () => startMs + passedMs }, log);
      seen.push((await other.read(connection)).submissions[0]?.outcome.type);
    }
    return { type: 'accepted', status: 201, id: undefined };
  });
  await submitter.submit({ connection: { ...connection, timeoutSeconds: 60 }, sink }, request, '', never);
  assert.deepEqual(seen, ['sending', 'unknown']);
});

test('a request that cannot be recorded is not sent', async (context) => {
  const { folder } = await submitterIn(context);
  await writeFile(join(folder, 'file'), '');
  const log = new KeptLog();
  const submitter = new Submitter(new Journal(join(folder, 'file'), Date, log), Date, log);
  const sink = sinkThat(async () => ({ type: 'accepted', status: 201, id: 'x' }));
  await assert.rejects(submitter.submit({ connection, sink }, request, '', never), JournalUnwritable);
  assert.deepEqual(sink.bodies, []);
});

test('an outcome that cannot be recorded is still reported, and later read as unknown', async (context) => {
  const { folder, journal, submitter } = await submitterIn(context);
  const sink = sinkThat(async () => {
    const records = join(journal.folderOf(connection), 'journal');
    const [name = assert.fail()] = await readdir(records);
    // Replaces the file by a folder, so that nothing can be appended.
    await rm(join(records, name));
    await mkdir(join(records, name, 'x'), { recursive: true });
    return { type: 'accepted', status: 201, id: 'x' };
  });
  const { submission } = await submitter.submit({ connection, sink }, request, '', never);
  assert.equal(submission.outcome.type, 'accepted');
  assert.ok(!(await contentOf(folder)).includes('accepted'));
});

test('a correlation tag is sent and stored, and the digest excludes it', async (context) => {
  const { journal, submitter } = await submitterIn(context);
  await submitter.submit({ connection, sink: yes }, request, 'my.tag', never);
  const [entry] = (await journal.read(connection)).submissions;
  assert.equal(entry?.tag?.key, 'my.tag');
  assert.equal(yes.bodies.at(-1), `{"custom_metadata":{"my.tag":"${entry.tag.value}"},"audio_url":"${audioUrl}"}`);
  assert.deepEqual([entry.bodyHash, entry.audioHash], [digest(request.body), digest(audioUrl)]);
});

test('cancelling before the request is sent sends nothing; cancelling afterwards leaves the outcome unknown', async (context) => {
  const { journal, submitter } = await submitterIn(context);
  const server = await startFaultServer(silence);
  context.after(() => server.stop());
  const run = faultRun(server.origin);
  const cancelled = async (isTime: () => boolean): Promise<string> => {
    const cancel = new AbortController();
    if (isTime()) cancel.abort();
    const done = submitter.submit({ connection, sink: run.api }, request, '', cancel.signal);
    await until('the time to cancel', isTime);
    cancel.abort();
    return (await done).submission.outcome.type;
  };
  const outcomes = [await cancelled(() => true), await cancelled(() => server.seen.length > 0)];
  run.client.dispose();
  assert.deepEqual(outcomes, ['notSent', 'unknown']);
  assert.equal(server.seen.length, 1);
  const { submissions } = await journal.read(connection);
  assert.deepEqual(submissions.map(({ outcome }) => outcome.type).toSorted(), ['notSent', 'unknown']);
});

test('the answers to the last hundred submissions are kept in memory only', async (context) => {
  const { submitter, folder } = await submitterIn(context);
  const keys: string[] = [];
  for (let index = 0; index <= 100; index++) {
    const answer = { status: 201, text: `answer ${index} of the service` };
    const sink = sinkThat(async () => ({ type: 'accepted', status: 201, id: `x${index}`, answer }));
    keys.push((await submitter.submit({ connection, sink }, request, '', never)).submission.key);
  }
  const textOf = (index: number) => submitter.answerTo(keys[index] ?? '')?.text;
  assert.deepEqual(
    [textOf(0), textOf(1), textOf(100)],
    [undefined, 'answer 1 of the service', 'answer 100 of the service'],
  );
  const written = await contentOf(folder);
  assert.match(written, /x100/);
  assert.doesNotMatch(written, /of the service/);
});
