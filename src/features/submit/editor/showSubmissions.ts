import * as vscode from 'vscode';
import { formatWhen } from '../../../base/format.ts';
import { jobKey } from '../../../jobs/common/job.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import { outcomeSentence, submittedName } from '../common/submissionText.ts';
import { fateIn, fateLabel } from '../common/batchCounts.ts';
import { withFate, type JobFate, type Submission, type SubmissionOutcome } from '../../../jobs/common/submission.ts';
import { delay } from '../../../base/clock.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { fateOf } from '../common/batchRows.ts';
import type { StoreChange } from '../../../jobs/node/store/listState.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';
import { locale } from '../../../platform/editor/locale.ts';
import {
  pickOne,
  plainLabel,
  type Choice,
  type Following,
  type PickAnswer,
} from '../../../platform/editor/quickPick.ts';
import { showMessage } from '../../../platform/editor/messages.ts';
import { batchChoices } from './batchChoices.ts';
import { redrawEveryMs, type Submissions } from './submissions.ts';
import type { PostAnswer } from '../../../base/postOutcome.ts';
import { harmlessJson, severalLines } from '../../../base/outsideText.ts';
import { formatJson } from '../../../base/json/formatJson.ts';
import { parseJson } from '../../../base/json/json.ts';
import { openRequest } from '../../../language/editor/requestDocuments.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';

type SubmissionPick =
  | { readonly type: 'submission'; readonly submission: Submission }
  | { readonly type: 'batch'; readonly id: string }
  | { readonly type: 'older' };

/** Number of submissions listed before the user requests older ones. */
const listedFirst = 200;

/** Subscribes to changes of loaded jobs. */
export type JobChanges = (listener: (change: StoreChange) => void) => Disposable;

/**
 * Lists the submissions of the current connection from the journal, newest first, with the actions for each. Follows the journal and the
 * loaded jobs while it is shown; sends nothing.
 * @param newest max number of submissions to list; the user can request the others.
 */
export async function showSubmissions(
  submissions: Submissions,
  jobChanges: JobChanges,
  newest = listedFirst,
): Promise<void> {
  const service = submissions.target();
  const { connection } = service;
  const list = new SubmissionList(submissions, jobChanges, service, newest);
  let answer: PickAnswer<SubmissionPick>;
  try {
    const choices = await list.read(true);
    if (choices.length === 0) {
      void showMessage('information', vscode.l10n.t('Nothing has been submitted to {0} yet.', connection.name));
      return;
    }
    answer = await pickOne<SubmissionPick>({
      title: vscode.l10n.t('Submissions to {0}', connection.name),
      placeholder: vscode.l10n.t('Select a submission'),
      choices,
      canGoBack: false,
      follow: list,
    });
  } finally {
    list.dispose();
  }
  if (answer.type !== 'picked') return;
  const { value } = answer;
  if (value.type === 'older') return showSubmissions(submissions, jobChanges, Infinity);
  if (value.type === 'batch') return submissions.services.actions.submit.showBatch(connection, value.id);
  const wentBack = await offerSubmissionActions(submissions, service, value.submission);
  if (wentBack) await showSubmissions(submissions, jobChanges, newest);
}

/** The rows of the list, read again after changes: one read at a time, and none while the list is hidden. */
class SubmissionList extends DisposableOwner implements Following<SubmissionPick> {
  readonly #submissions: Submissions;
  readonly #service: SubmitTarget;
  readonly #newest: number;
  readonly #hidden = new AbortController();
  /** Jobs that rows show, by `jobKey`. */
  #jobs: ReadonlySet<string> = new Set();
  #replace: ((choices: readonly Choice<SubmissionPick>[]) => void) | undefined;
  #drawn = '';
  #isDue = false;
  #isDrawing = false;

  constructor(submissions: Submissions, jobChanges: JobChanges, service: SubmitTarget, newest: number) {
    super();
    this.#submissions = submissions;
    this.#service = service;
    this.#newest = newest;
    this.own({ dispose: () => this.#hidden.abort() });
    // Subscribes before the first read, so that no change is missed.
    this.own(submissions.journal.onDidChange(() => this.#redraw()));
    this.own(submissions.batches.onDidChange(() => this.#redraw()));
    this.own(
      jobChanges((change) => {
        if (change.type === 'reset' || [...change.jobs].some((key) => this.#jobs.has(key))) this.#redraw();
      }),
    );
  }

  readonly keyOf = (wish: SubmissionPick): string => {
    switch (wish.type) {
      case 'submission':
        return `submission ${wish.submission.key}`;
      case 'batch':
        return `batch ${wish.id}`;
      case 'older':
        return wish.type;
    }
  };

  readonly start = (replace: (choices: readonly Choice<SubmissionPick>[]) => void): Disposable => {
    this.#replace = replace;
    if (this.#isDue) this.#redraw();
    return this;
  };

  /** Returns the current rows; none if nothing was submitted. @param describes true to report journal parts that could not be read */
  async read(describes: boolean): Promise<readonly Choice<SubmissionPick>[]> {
    const { connection } = this.#service;
    const { submissions: sent, hasOlder } = await (describes
      ? this.#submissions.readJournal(connection, this.#newest)
      : this.#submissions.journal.read(connection, this.#newest));
    const batches = await batchChoices(this.#submissions, connection, describes);
    const choices = listChoices(this.#submissions, sent, batches, hasOlder);
    this.#jobs = new Set(
      sent.flatMap(({ outcome }) =>
        outcome.type === 'accepted' && outcome.id !== undefined
          ? [jobKey({ kind: 'pre-recorded', id: outcome.id })]
          : [],
      ),
    );
    this.#drawn = JSON.stringify(choices);
    return choices;
  }

  #redraw(): void {
    this.#isDue = true;
    if (this.#isDrawing || this.#replace === undefined || this.isDisposed) return;
    void runQuietly(this.#submissions.services.log, () => this.#follow());
  }

  async #follow(): Promise<void> {
    this.#isDrawing = true;
    try {
      while (this.#isDue) {
        this.#isDue = false;
        const before = this.#drawn;
        const choices = await this.read(false);
        if (this.isDisposed) return;
        if (this.#drawn !== before) this.#replace?.(choices);
        await delay(this.#submissions.services.clock, redrawEveryMs, this.#hidden.signal);
      }
    } finally {
      this.#isDrawing = false;
    }
  }
}

function listChoices(
  submissions: Submissions,
  sent: readonly Submission[],
  batches: Awaited<ReturnType<typeof batchChoices>>,
  hasOlder: boolean,
): readonly Choice<SubmissionPick>[] {
  // A request that was sent alone is listed as such.
  const severals = batches.filter(({ id, alone }) => alone === undefined || !sent.some(({ batch }) => batch === id));
  const recorded = batches.flatMap(({ alone }) =>
    alone?.type === 'accepted' && alone.id !== undefined ? [[alone.id, alone.fate] as const] : [],
  );
  const describe = choicesWith(submissions, new Map([...recorded, ...knownFates(submissions)]));
  return [
    ...section(
      vscode.l10n.t('Batches'),
      severals.map(({ id, ...choice }) => ({ ...choice, value: { type: 'batch', id } })),
    ),
    // Submissions of a batch are listed with the batch.
    ...section(
      vscode.l10n.t('Requests'),
      sent
        .filter(({ batch }) => !severals.some(({ id }) => id === batch))
        .map((submission) => ({ ...describe(submission), value: { type: 'submission', submission } })),
    ),
    ...section(
      '',
      hasOlder ? [{ label: `$(history) ${vscode.l10n.t('Show Older Submissions')}`, value: { type: 'older' } }] : [],
    ),
  ];
}

function section(label: string, choices: readonly Choice<SubmissionPick>[]): readonly Choice<SubmissionPick>[] {
  return choices.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...choices];
}

/** Returns the final states of the loaded jobs by id; undefined for an unfinished one, which may have been queued again. */
function knownFates({ services }: Submissions): ReadonlyMap<string, JobFate | undefined> {
  const fates = new Map<string, JobFate | undefined>();
  for (const job of services.jobs.jobs()) if (job.kind === 'pre-recorded') fates.set(job.id, fateOf(job));
  return fates;
}

/** Returns a function that makes a quick pick item of a submission. */
function choicesWith({ services }: Submissions, fates: ReadonlyMap<string, JobFate | undefined>) {
  const nowMs = services.clock.now();
  const times = services.settings.get('times');
  return (submission: Submission): vscode.QuickPickItem => {
    const { outcome: recorded, sentAtMs } = submission;
    const id = recorded.type === 'accepted' ? recorded.id : undefined;
    const outcome =
      recorded.type === 'accepted' && id !== undefined && fates.has(id) ? withFate(recorded, fates.get(id)) : recorded;
    const when = formatWhen(sentAtMs, nowMs, times, locale);
    return {
      label: plainLabel(submittedName(submission)),
      iconPath: fateIn(outcome)?.status === 'error' ? failedIcon() : outcomeIcon(outcome),
      description: [fateLabel(outcome), when, ...(id === undefined ? [] : [shortenId(id)])].join(' · '),
      detail: outcomeSentence(outcome),
    };
  };
}

function failedIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('error', new vscode.ThemeColor('charts.red'));
}

function outcomeIcon({ type }: SubmissionOutcome): vscode.ThemeIcon {
  switch (type) {
    case 'sending':
      return new vscode.ThemeIcon('sync');
    case 'accepted':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'));
    case 'rejected':
      return failedIcon();
    case 'unknown':
      return new vscode.ThemeIcon('question', new vscode.ThemeColor('charts.yellow'));
    case 'notSent':
      return new vscode.ThemeIcon('circle-slash');
  }
}

type Action = 'openJob' | 'copyId' | 'findJob' | 'submitAgain' | 'openRequest' | 'showBatch' | 'showAnswer';

/** Shows the actions for a submission and runs the selected one. @returns true to show the list again. */
async function offerSubmissionActions(
  submissions: Submissions,
  service: SubmitTarget,
  submission: Submission,
): Promise<boolean> {
  const answer = await pickOne<Action>({
    title: submittedName(submission),
    placeholder: outcomeSentence(submission.outcome),
    choices: actionsFor(submission, submissions.answerTo(submission) !== undefined).map(actionChoice),
    canGoBack: true,
  });
  if (answer.type === 'picked') await act(submissions, service, submission, answer.value);
  return answer.type === 'back';
}

/**
 * Returns the applicable actions, the best first. A request whose outcome is unknown is sent again only after checking the service's list;
 * a request of a batch only by continuing the batch, because audio list URLs are not stored.
 */
function actionsFor({ outcome, batch }: Submission, isAnswerKnown: boolean): readonly Action[] {
  const hasJob = outcome.type === 'accepted' && outcome.id !== undefined;
  const isOpen = outcome.type === 'unknown' || (outcome.type === 'accepted' && !hasJob);
  const mustLookFirst = outcome.type === 'sending' || (outcome.type === 'unknown' && outcome.lookedAtMs === undefined);
  const actions: Readonly<Record<Action, boolean>> = {
    openJob: hasJob,
    findJob: isOpen,
    submitAgain: batch === undefined && !mustLookFirst,
    showBatch: batch !== undefined,
    openRequest: true,
    showAnswer: isAnswerKnown,
    copyId: hasJob,
  };
  const order: readonly Action[] = [
    'openJob',
    'findJob',
    'submitAgain',
    'showBatch',
    'openRequest',
    'showAnswer',
    'copyId',
  ];
  return order.filter((action) => actions[action]);
}

function actionChoice(action: Action): Choice<Action> {
  const { l10n } = vscode;
  switch (action) {
    case 'openJob':
      return { label: `$(go-to-file) ${l10n.t('Open Job')}`, value: action };
    case 'copyId':
      return { label: `$(copy) ${l10n.t('Copy Job ID')}`, value: action };
    case 'findJob':
      return { label: `$(search) ${l10n.t('Find Job')}`, value: action };
    case 'submitAgain':
      return { label: `$(cloud-upload) ${l10n.t('Submit Again')}`, value: action };
    case 'openRequest':
      return { label: `$(json) ${l10n.t('Open Request')}`, value: action };
    case 'showAnswer':
      return { label: `$(output) ${l10n.t("Show the Service's Answer")}`, value: action };
    case 'showBatch':
      return { label: `$(list-ordered) ${l10n.t('Show Batch')}`, value: action };
  }
}

async function act(
  submissions: Submissions,
  service: SubmitTarget,
  submission: Submission,
  action: Action,
): Promise<void> {
  const { outcome, batch, file } = submission;
  const id = outcome.type === 'accepted' ? outcome.id : undefined;
  const uri = vscode.Uri.parse(file, true);
  switch (action) {
    case 'openJob':
      if (id !== undefined)
        await submissions.services.actions.details.openNamedJob({
          connection: service.connection.name,
          kind: 'pre-recorded',
          id,
          sentAtMs: submission.sentAtMs,
        });
      break;
    case 'copyId':
      if (id !== undefined) await vscode.env.clipboard.writeText(id);
      break;
    case 'findJob':
      await submissions.findJob(service, submission);
      break;
    case 'submitAgain':
      await submissions.submitFile(uri, { earlier: submission });
      break;
    case 'openRequest':
      await openRequest(uri);
      break;
    case 'showAnswer':
      await showAnswer(submissions.answerTo(submission));
      break;
    case 'showBatch':
      if (batch !== undefined) await submissions.services.actions.submit.showBatch(service.connection, batch);
      break;
  }
}

/** Shows what the service answered to a POST: the status, and the body as it is readable. */
async function showAnswer(answer: PostAnswer | undefined): Promise<void> {
  if (answer === undefined) return;
  const { status, text } = answer;
  const body = parseJson(text) === undefined ? severalLines(text, text.length) : harmlessJson(formatJson(text));
  const content = `HTTP ${status}\n\n${body}\n`;
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'plaintext', content }));
}
