import * as vscode from 'vscode';
import { outcomeSentence } from '../../domain/submission/submissionText.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { pickOne, type Choice } from '../pickStep.ts';
import { showBatchSummary } from './batch/batchDocument.ts';
import type { ServiceInUse } from './submitNeeds.ts';
import { submittedName, type SubmitRoom } from './submitRoom.ts';
import { openRequest } from './requestText.ts';

type Action = 'openJob' | 'copyId' | 'lookForIt' | 'submitAgain' | 'openRequest' | 'showBatch';

/** Asks what to do about a submission and does it. @returns whether the user wants the list back. */
export async function offerSubmissionActions(
  room: SubmitRoom,
  service: ServiceInUse,
  submission: Submission,
): Promise<boolean> {
  const answer = await pickOne<Action>({
    title: submittedName(submission),
    placeholder: outcomeSentence(submission.outcome),
    choices: actionsFor(submission).map(actionChoice),
    canGoBack: true,
  });
  if (answer.type === 'picked') await act(room, service, submission, answer.value);
  return answer.type === 'back';
}

/**
 * What makes sense, the best first. A request whose outcome is unknown is sent again only after a look at the service's list; one of a
 * batch by going on with that, because the URL of an audio list is kept nowhere.
 */
function actionsFor({ outcome, batch }: Submission): readonly Action[] {
  const hasJob = outcome.type === 'accepted' && outcome.id !== undefined;
  const isOpen = outcome.type === 'unknown' || (outcome.type === 'accepted' && !hasJob);
  const mustLookFirst = outcome.type === 'sending' || (outcome.type === 'unknown' && outcome.lookedAtMs === undefined);
  const actions: Readonly<Record<Action, boolean>> = {
    openJob: hasJob,
    lookForIt: isOpen,
    submitAgain: batch === undefined && !mustLookFirst,
    showBatch: batch !== undefined,
    openRequest: true,
    copyId: hasJob,
  };
  const order: readonly Action[] = ['openJob', 'lookForIt', 'submitAgain', 'showBatch', 'openRequest', 'copyId'];
  return order.filter((action) => actions[action]);
}

function actionChoice(action: Action): Choice<Action> {
  const { l10n } = vscode;
  switch (action) {
    case 'openJob':
      return { label: `$(go-to-file) ${l10n.t('Open Job')}`, value: action };
    case 'copyId':
      return { label: `$(copy) ${l10n.t('Copy Job Id')}`, value: action };
    case 'lookForIt':
      return { label: `$(search) ${l10n.t('Look for It')}`, value: action };
    case 'submitAgain':
      return { label: `$(cloud-upload) ${l10n.t('Submit Again')}`, value: action };
    case 'openRequest':
      return { label: `$(json) ${l10n.t('Open Request')}`, value: action };
    case 'showBatch':
      return { label: `$(list-ordered) ${l10n.t('Show Batch')}`, value: action };
  }
}

async function act(room: SubmitRoom, service: ServiceInUse, submission: Submission, action: Action): Promise<void> {
  const { outcome, batch, file } = submission;
  const id = outcome.type === 'accepted' ? outcome.id : undefined;
  const uri = vscode.Uri.parse(file, true);
  switch (action) {
    case 'openJob':
      if (id !== undefined) await room.openJob({ connection: service.connection.name, kind: 'pre-recorded', id });
      break;
    case 'copyId':
      if (id !== undefined) await vscode.env.clipboard.writeText(id);
      break;
    case 'lookForIt':
      await room.lookFor(service, submission);
      break;
    case 'submitAgain':
      await room.submit(uri, submission);
      break;
    case 'openRequest':
      await openRequest(uri);
      break;
    case 'showBatch':
      if (batch !== undefined) await showBatchSummary(service.connection, batch);
      break;
  }
}
