import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { minuteMs } from '../../../src/base/time.ts';
import { decodePage } from '../../../src/jobs/common/decodePage.ts';
import type { Submission } from '../../../src/jobs/common/submission.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { acceptRow, withPicks } from '../browse/withPicks.ts';
import { answering, type Shown } from './answers.ts';
import { useScene, type SubmitScene } from './submitScene.ts';
import { fakeReader, type ListAnswer } from '../../support/lists/fakeLists.ts';

describe("The search for a submission's job", () => {
  let scene: SubmitScene;
  useScene((opened) => (scene = opened));

  it('reports that there is no job when all were read and none matches', async () => {
    const { shown, outcome } = await noneOf(jobs(3, 3));
    assert.match(
      shown[0]?.text ?? '',
      /"lost\.transcription\.json" was not found among the 3 jobs created from .+ by the service's clock; it may still exist/,
    );
    assert.deepEqual(shown[0]?.buttons, ['Check Again', 'Submit Again']);
    assert.ok(outcome?.type === 'unknown' && outcome.lookedAtMs !== undefined);
  });

  it('is inconclusive if there were too many jobs to read, or to show', async () => {
    for (const source of [jobs(Infinity, 3), jobs(150, 150)]) {
      const { shown, outcome, offered } = await noneOf(source);
      assert.ok(offered <= 101, `${offered} entries`);
      assert.match(shown[0]?.text ?? '', /too many jobs.+The outcome remains unknown/);
      assert.deepEqual(shown[0]?.buttons, []);
      assert.ok(outcome?.type === 'unknown' && outcome.lookedAtMs === undefined);
    }
  });

  it('ends with the job that the user selects once the service lists it; it is watched and not sent again', async () => {
    const { submissions } = scene;
    const { connection, api } = submissions.target();
    const unknown = await unknownSubmission();
    let isListed = false;
    // The service lists it after the first search, which the journal records.
    submissions.journal.onDidChange(() => (isListed = true));
    const lists = fakeReader((...asked) => jobs(isListed ? 1 : 0, 1)(...asked));
    const service = { connection, api: { lists, submit: api.submit.bind(api) } };
    await withPicks(async (next) => {
      const shown = await answering(
        async () => {
          const looking = submissions.findJob(service, unknown);
          const pick = await next();
          assert.equal(pick.title, 'Which job is "lost.transcription.json"?');
          acceptRow(pick, 0);
          await looking;
        },
        ['Check Again'],
        ({ length }) => length === 2,
      );
      assert.match(shown[0]?.text ?? '', /^The service lists no job for "lost\.transcription\.json"\./);
      assert.deepEqual(shown[0]?.buttons, ['Check Again', 'Submit Again']);
      assert.equal(shown[1]?.text, '"lost.transcription.json" became job job-0.');
    });
    const [{ outcome } = assert.fail('the journal is empty')] = await scene.journal();
    assert.ok(outcome.type === 'accepted' && outcome.id === 'job-0');
    assert.deepEqual([scene.watched, scene.bodies], [['job-0'], []]);
  });

  it('does not say that a job may still appear once its time is over', async () => {
    const { shown } = await noneOf(jobs(0, 0), 10 * minuteMs);
    assert.equal(shown[0]?.text, 'The service lists no job for "lost.transcription.json".');
  });

  /** Creates a submission that the service may or may not have received, this long ago. */
  async function unknownSubmission(agoMs = 0): Promise<Submission> {
    const { submissions } = scene;
    const { connection } = submissions.target();
    const sentAtMs = submissions.services.clock.now() - agoMs;
    const submission = await submissions.journal.add(connection, {
      sentAtMs,
      expectedByMs: sentAtMs + 1000,
      file: 'file:///w/lost.transcription.json',
      bodyHash: 'body',
      audioHash: undefined,
      tag: undefined,
      batch: undefined,
    });
    const outcome = { type: 'unknown', code: 'timeout', lookedAtMs: undefined } as const;
    return submissions.journal.settle(connection, submission, outcome);
  }

  /** Searches, and answers that it is none of the offered jobs. */
  async function noneOf(source: ListAnswer, agoMs?: number) {
    const { submissions } = scene;
    const { connection, api } = submissions.target();
    const unknown = await unknownSubmission(agoMs);
    const service = { connection, api: { lists: fakeReader(source), submit: api.submit.bind(api) } };
    let offered = 0;
    const shown: readonly Shown[] = await answering(
      () =>
        pickingLast(
          () => submissions.findJob(service, unknown),
          (count) => (offered = count),
        ),
      [],
      ({ length }) => length === 1,
    );
    const entries = (await submissions.journal.read(connection)).submissions;
    const { outcome }: Partial<Submission> = entries.find(({ key }) => key === unknown.key) ?? {};
    return { shown, outcome, offered };
  }
});

/** Returns a list of `total` jobs, the first `recent` of which were created just now. */
function jobs(total: number, recent: number): ListAnswer {
  return async (_endpoint, { offset = 0, limit = 20 }) => {
    const end = Math.min(offset + limit, total);
    const items = Array.from({ length: end - offset }, (_, index) =>
      preRecordedItem({
        id: `job-${offset + index}`,
        created_at: new Date(offset + index < recent ? Date.now() : 0).toISOString(),
      }),
    );
    const page = { first: 'x:', current: 'x:', next: end < total ? 'x:' : null, items };
    return { ...decodePage(JSON.stringify(page), 'pre-recorded'), serviceDateMs: Date.now() };
  };
}

/** Picks the last entry of the list that is shown meanwhile. */
async function pickingLast(body: () => Promise<void>, report: (entries: number) => void): Promise<void> {
  const { createQuickPick } = vscode.window;
  const create = (): vscode.QuickPick<vscode.QuickPickItem> => {
    const pick = createQuickPick();
    const show = pick.show.bind(pick);
    pick.show = () => {
      show();
      const entries = pick.items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
      report(entries.length);
      pick.activeItems = entries.slice(-1);
      const accept = () => void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const accepting = setInterval(accept, 100);
      pick.onDidHide(() => clearInterval(accepting));
    };
    return pick;
  };
  Object.assign(vscode.window, { createQuickPick: create });
  try {
    await body();
  } finally {
    Object.assign(vscode.window, { createQuickPick });
  }
}
