import * as vscode from 'vscode';
import type { Job } from '../../../jobs/common/job.ts';
import { isRetryable } from '../../../jobs/common/runAgain.ts';
import { describeErrorCode } from '../../../jobs/common/jobRow.ts';
import type { JsonObject, JsonPath } from '../../../base/json/json.ts';
import { adviseRetry } from '../../submit/common/retryAdvice.ts';
import { parseForEditor, placeRange, stringIn, valuePlace } from '../../../language/requestLanguage.ts';
import { describeLongEcho, isEchoTooLong, makeRequestOfJob } from '../common/requestFromJob.ts';
import { statusOfErrorCode, type ServiceKnowledge } from '../../../known/serviceKnowledge.ts';
import { writeNewRequest } from '../common/templates.ts';
import { showMessage, UserError, type NextStep } from '../../../platform/editor/messages.ts';
import type { RequestHelp } from '../../../language/editor/diagnostics.ts';
import { runCommand } from '../../../platform/editor/runCommand.ts';
import { editorIndent, openUntitledRequest, showFatesStep } from './newRequest.ts';
import { openRequest } from '../../../language/editor/requestDocuments.ts';
import type { RequestServices } from '../../../services.ts';

/**
 * Opens the request of a failed job, with a change that its error suggests: the submitted file if it is unchanged, otherwise the request
 * that the service echoes, otherwise the file as it is now. A job of a list gets a request of its own: its template serves others as well.
 * Sends nothing; the next submission of the request repeats the job.
 * @throws UserError when no failed job was chosen, or its request is unknown
 */
export async function retryJob(
  job: Job | undefined,
  services: RequestServices,
  help: RequestHelp,
  knowledge: ServiceKnowledge | undefined,
): Promise<void> {
  if (job === undefined || !isRetryable(job)) throw new UserError(vscode.l10n.t('Select a failed job to retry it.'));
  const { current } = services.connections;
  const opened = await openRequestOf(job, services.actions, help, knowledge);
  if (current !== undefined) await services.actions.submit.noteRetry(current, job, opened.uri);
  const { code, label } = failureOf(job, services.facts.errorLabels);
  const status = statusOfErrorCode(code, knowledge);
  const advice = adviseRetry(opened.body, { status, label }, services.clock.now());
  if (advice.path !== undefined) selectField(advice.path);
  const why =
    code === undefined
      ? vscode.l10n.t('The job failed without an error code.')
      : vscode.l10n.t('The job failed: {0}.', label === undefined ? describeErrorCode(code, {}) : `${code}, ${label}`);
  const message = [...opened.remarks, why, advice.text].join(' ');
  // The editor cuts messages without a button after the first line.
  const openJob = {
    title: vscode.l10n.t('Open Job'),
    run: () => runCommand(services.log, () => services.actions.details.openJob(job)),
  };
  // The message may stay for long; the command is over.
  void showMessage('information', message, [...opened.steps, openJob]);
}

/** Opens the file that a job was submitted from. @throws UserError when no job was chosen, or its file is unknown or no longer exists */
export async function openSentRequest(job: Job | undefined, actions: RequestServices['actions']): Promise<void> {
  const sent = job && (await actions.submit.findSentRequest(job));
  if (!sent) throw new UserError(vscode.l10n.t('The journal on this computer lists no existing file for this job.'));
  await openRequest(sent.uri);
  if (sent.ofRow !== undefined)
    void showMessage('information', vscode.l10n.t('The job was part of a batch: this file is only its template.'));
  else if (!sent.isUnchanged) void showMessage('information', vscode.l10n.t('The file has changed since it was sent.'));
}

/** A request that was opened in the active editor. */
interface OpenedRequest {
  readonly uri: vscode.Uri;
  readonly body: JsonObject;
  readonly remarks: readonly string[];
  readonly steps: readonly NextStep[];
}

async function openRequestOf(
  job: Job,
  actions: RequestServices['actions'],
  help: RequestHelp,
  knowledge: ServiceKnowledge | undefined,
): Promise<OpenedRequest> {
  const sent = await actions.submit.findSentRequest(job);
  const echoed = sent?.isUnchanged === true ? undefined : makeRequestOfJob(job, knowledge?.service);
  if (echoed) {
    const { body, fates } = echoed;
    const uri = await openUntitledRequest(writeNewRequest(body, editorIndent()), 'retry');
    return { uri, body, remarks: [], steps: [showFatesStep(help, fates)] };
  }
  if (!sent) {
    if (isEchoTooLong(job)) throw new UserError(describeLongEcho());
    throw new UserError(
      vscode.l10n.t(
        "It is unknown how this job was requested: the service doesn't return it, and the journal on this computer lists no existing file for it.",
      ),
    );
  }
  const { ofRow: body, isUnchanged } = sent;
  if (body !== undefined) {
    const uri = await openUntitledRequest(writeNewRequest(body, editorIndent()), 'retry');
    const own = vscode.l10n.t('This request is for this job only.');
    if (stringIn(body, 'audio_url') === undefined)
      return { uri, body, remarks: [own, vscode.l10n.t('The URL of its audio was only in your list.')], steps: [] };
    const changed = vscode.l10n.t('The request has changed since it was sent.');
    return { uri, body, remarks: isUnchanged ? [own] : [own, changed], steps: [] };
  }
  await openRequest(sent.uri);
  const changed = vscode.l10n.t('The file has changed since it was sent.');
  return { uri: sent.uri, body: parseForEditor(sent.text).body, remarks: isUnchanged ? [] : [changed], steps: [] };
}

function failureOf(
  { errorCode: code }: Job,
  labels: Readonly<Record<string, string>>,
): { readonly code: number | undefined; readonly label: string | undefined } {
  const key = String(code);
  return { code, label: code !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined };
}

/** Selects the value of a field in the active editor, if it is there; in an empty text, the place between its quotes. */
function selectField(path: JsonPath): void {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { document } = editor;
  const request = parseForEditor(document.getText());
  const { offset, length } = placeRange(request, valuePlace(...path));
  if (length === 0) return;
  const quotes = document.getText().slice(offset, offset + length) === '""' ? 1 : 0;
  const range = new vscode.Range(document.positionAt(offset + quotes), document.positionAt(offset + length - quotes));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
