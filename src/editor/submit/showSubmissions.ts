import * as vscode from 'vscode';
import { distanceText } from '../../domain/format.ts';
import { shortId } from '../../domain/jobs/jobRow.ts';
import { outcomeSentence, outcomeWord } from '../../domain/submission/submissionText.ts';
import type { Submission, SubmissionOutcome } from '../../domain/submission/submission.ts';
import { locale } from '../locale.ts';
import { pickOne, plainLabel, type Choice } from '../pickStep.ts';
import { showMessage } from '../showMessage.ts';
import { batchChoices, offerBatchActions } from './batch/batchChoices.ts';
import { offerSubmissionActions } from './submissionActions.ts';
import { readJournal, submittedName, type SubmitRoom } from './submitRoom.ts';

type Wish =
  { readonly type: 'submission'; readonly submission: Submission } | { readonly type: 'batch'; readonly id: string };

/** The journal: what was submitted over the connection in use, the newest first, with what can be done about each. */
export async function showSubmissions(room: SubmitRoom): Promise<void> {
  const service = room.service();
  const { connection } = service;
  const submissions = await readJournal(room, connection);
  const batches = await batchChoices(room, connection);
  if (submissions.length === 0 && batches.length === 0) {
    void showMessage('information', vscode.l10n.t('Nothing was submitted to {0} yet.', connection.name));
    return;
  }
  const answer = await pickOne<Wish>({
    title: vscode.l10n.t('Submissions to {0}', connection.name),
    placeholder: vscode.l10n.t('Choose a submission'),
    choices: [
      ...section(
        vscode.l10n.t('Batches'),
        batches.map(({ id, ...choice }) => ({ ...choice, value: { type: 'batch', id } })),
      ),
      ...section(
        vscode.l10n.t('Requests'),
        submissions.map((submission) => ({
          ...submissionChoice(submission, room.clock.now()),
          value: { type: 'submission', submission },
        })),
      ),
    ],
    canGoBack: false,
  });
  if (answer.type !== 'picked') return;
  const { value } = answer;
  const wentBack =
    value.type === 'batch'
      ? await offerBatchActions(room, service, value.id)
      : await offerSubmissionActions(room, service, value.submission);
  if (wentBack) await showSubmissions(room);
}

function section(label: string, choices: readonly Choice<Wish>[]): readonly Choice<Wish>[] {
  return choices.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...choices];
}

/** One submission as an entry of a list. */
function submissionChoice(submission: Submission, nowMs: number): vscode.QuickPickItem {
  const { outcome, sentAtMs, bodyHash } = submission;
  const when = distanceText(sentAtMs, nowMs, locale);
  const id = outcome.type === 'accepted' && outcome.id !== undefined ? [shortId(outcome.id)] : [];
  return {
    label: plainLabel(submittedName(submission)),
    iconPath: outcomeIcon(outcome),
    description: [outcomeWord(outcome), when, ...id].join(' · '),
    detail: [outcomeSentence(outcome), vscode.l10n.t('Body {0}', bodyHash.slice(0, 12))].join(' · '),
  };
}

function outcomeIcon({ type }: SubmissionOutcome): vscode.ThemeIcon {
  switch (type) {
    case 'sending':
      return new vscode.ThemeIcon('sync');
    case 'accepted':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'));
    case 'rejected':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('charts.red'));
    case 'unknown':
      return new vscode.ThemeIcon('question', new vscode.ThemeColor('charts.yellow'));
    case 'notSent':
      return new vscode.ThemeIcon('circle-slash');
  }
}
