import * as vscode from 'vscode';
import { Failure } from '../../domain/failure.ts';
import { endSentence, failureSentence, failureText } from '../../domain/failureText.ts';
import type { SubmitResult } from '../../service/submit/submitter.ts';
import { commandIds } from '../ids.ts';
import { nextStepsAfter, runCommand } from '../runCommand.ts';
import { showMessage, type NextStep } from '../messages.ts';
import type { RequestText } from '../requests/requestDocuments.ts';
import type { SubmitTarget, Submissions } from './submitContext.ts';

/** Tells what became of a submission, with what to do next; a new job is shown and watched. Does not wait to be read. */
export function tellOutcome(
  room: Submissions,
  service: SubmitTarget,
  request: RequestText,
  result: SubmitResult,
): void {
  const { submission, failure = new Failure('unexpectedShape') } = result;
  const { outcome } = submission;
  const tell = (severity: Parameters<typeof showMessage>[0], text: string, steps: readonly NextStep[]): void =>
    void runCommand(room.log, () => showMessage(severity, text, steps));
  const again = (): unknown => runCommand(room.log, () => room.submit(request.uri));
  switch (outcome.type) {
    case 'accepted':
      showAndWatch(room, service, outcome.id, request.name);
      return tell('information', acceptedText(request.name, outcome.id), [
        outcome.id === undefined ? showSubmissionsStep() : openJobStep(room, service, outcome.id),
      ]);
    case 'rejected':
      return void runCommand(room.log, () => tellRefusal(room, service, request, failure, again));
    case 'sending':
    case 'unknown':
      return tell('warning', unknownText(request.name, failure), [
        {
          title: vscode.l10n.t('Look for It'),
          run: () => runCommand(room.log, () => room.lookFor(service, submission)),
        },
        showSubmissionsStep(),
      ]);
    case 'notSent':
      if (failure.code === 'cancelled') return;
      return tell('error', notSentText(request.name, failure), nextStepsAfter(failure, again));
  }
}

/** Shows a new job in the lists and watches it until it is final. */
export function showAndWatch(
  room: Submissions,
  { connection }: SubmitTarget,
  id: string | undefined,
  label: string,
): void {
  room.refresh('pre-recorded', id);
  if (id !== undefined) room.watch(connection, [{ kind: 'pre-recorded', id, label, createdAtMs: undefined }]);
}

export function openJobStep({ openJob }: Submissions, { connection }: SubmitTarget, id: string): NextStep {
  return {
    title: vscode.l10n.t('Open Job'),
    run: () => openJob({ connection: connection.name, kind: 'pre-recorded', id }),
  };
}

async function tellRefusal(
  { complaints }: Submissions,
  { connection }: SubmitTarget,
  request: RequestText,
  failure: Failure,
  again: () => unknown,
): Promise<void> {
  const { fieldErrors = [] } = failure.facts;
  const place = complaints.show(request, connection.name, fieldErrors);
  const sentence = `${vscode.l10n.t('"{0}" was not accepted.', request.name)} ${failureSentence(failure)}`;
  // What stands nowhere in the file must be read here.
  const unplaced = place === undefined && fieldErrors.length > 0 ? ` ${fieldErrors.slice(0, 3).join(' · ')}` : '';
  const show: NextStep[] =
    place === undefined
      ? []
      : [
          {
            title: vscode.l10n.t('Show Problems'),
            run: () => vscode.window.showTextDocument(place.uri, { selection: place.range }),
          },
        ];
  await showMessage('error', `${sentence}${unplaced}`, [...show, ...nextStepsAfter(failure, again)]);
}

function showSubmissionsStep(): NextStep {
  return {
    title: vscode.l10n.t('Show Submissions'),
    run: () => vscode.commands.executeCommand(commandIds.showSubmissions),
  };
}

function acceptedText(name: string, id: string | undefined): string {
  return id === undefined
    ? vscode.l10n.t('"{0}" was accepted. The service named no job.', name)
    : vscode.l10n.t('"{0}" was submitted as job {1}.', name, id);
}

function unknownText(name: string, failure: Failure): string {
  const why =
    failure.code === 'cancelled'
      ? vscode.l10n.t('It had left when it was cancelled.')
      : endSentence(failureText(failure).sentence);
  return vscode.l10n.t('It is not known whether "{0}" became a job. {1} It is not sent again by itself.', name, why);
}

function notSentText(name: string, failure: Failure): string {
  return `${vscode.l10n.t('"{0}" was not sent.', name)} ${failureSentence(failure)}`;
}
