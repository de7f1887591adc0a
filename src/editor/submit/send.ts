import * as vscode from 'vscode';
import type { Finding } from '../../domain/request/finding.ts';
import type { GateResult } from '../../domain/request/check.ts';
import { placeRange, type RequestFile } from '../../domain/request/requestFile.ts';
import { toRange } from '../requests/diagnostics.ts';
import { UserError } from '../messages.ts';
import type { RequestText } from '../requests/requestDocuments.ts';
import type { Submissions, SubmitTarget } from './submitContext.ts';
import { JournalUnwritable, type OutgoingRequest, type SubmitResult } from '../../service/submit/submitter.ts';

/** A request that may be sent, with what there is to say about it. */
export type SendableRequest = Extract<GateResult, { readonly type: 'ok' }>;

/** Lets a request through that is JSON and has the right types. @throws UserError for one that has not. */
export function requireSendable({ gate }: Pick<Submissions, 'gate'>, request: RequestText): SendableRequest {
  const result = gate(request.text);
  if (result.type === 'ok') return result;
  const { file, findings } = result;
  const [first] = findings;
  const text = vscode.l10n.t('"{0}" cannot be sent as it is: {1}', request.name, first?.message ?? '');
  const show = (): Promise<void> => showProblems(request.uri, file, first);
  throw new UserError(text, [{ title: vscode.l10n.t('Show Problems'), run: show }]);
}

/** The findings that are more than advice. */
export function warningsOf({ warnings }: { readonly warnings: readonly Finding[] }): readonly Finding[] {
  return warnings.filter(({ severity }) => severity === 'error' || severity === 'warning');
}

/** Shows a request with the problems that are known of it, at the first. */
export async function showProblems(uri: vscode.Uri, file: RequestFile, first: Finding | undefined): Promise<void> {
  const editor = await vscode.window.showTextDocument(uri);
  if (first !== undefined) {
    const range = toRange(editor.document, placeRange(file, first.place));
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
  await vscode.commands.executeCommand('workbench.actions.view.problems');
}

/** Sends by one POST, noted in the journal. @throws UserError when it cannot be noted, and so was not sent. */
export function send(...given: Parameters<typeof post>): Promise<SubmitResult> {
  return withUnsentError(() => post(...given));
}

/** Does the same for one of several. @throws JournalUnwritable when it cannot be noted, and so was not sent. */
export function post(
  { submitter, settings }: Submissions,
  { connection, api }: SubmitTarget,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<SubmitResult> {
  return submitter.submit({ connection, sink: api }, request, settings.get('submit.correlationTag'), signal);
}

/** Runs what sends. @throws UserError for a submission that could not be noted, and so was not sent. */
export async function withUnsentError<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof JournalUnwritable)) throw error;
    throw new UserError(
      vscode.l10n.t('Nothing was sent, because the submission could not be written down: {0}', error.message),
    );
  }
}
