import * as vscode from 'vscode';
import type { Finding } from '../../domain/request/finding.ts';
import type { GateResult } from '../../domain/request/check.ts';
import { placeRange, type RequestFile } from '../../domain/request/requestFile.ts';
import { stringIn } from '../../domain/request/requestFields.ts';
import type { OutgoingRequest } from '../../service/submit/submitter.ts';
import { toRange } from '../requests/diagnostics.ts';
import { UserError } from '../messages.ts';
import type { RequestText } from '../requests/requestDocuments.ts';

/** A request that may be sent, with its warnings. */
export type SendableRequest = Extract<GateResult, { readonly type: 'ok' }>;

/** Requires valid JSON with the right types. @throws UserError otherwise */
export function requireSendable(result: GateResult, request: RequestText): SendableRequest {
  if (result.type === 'ok') return result;
  const { file, findings } = result;
  const [first] = findings;
  const text = vscode.l10n.t('"{0}" cannot be sent as it is: {1}', request.name, first?.message ?? '');
  const show = (): Promise<void> => showProblems(request.uri, file, first);
  throw new UserError(text, [{ title: vscode.l10n.t('Show Problems'), run: show }]);
}

/** The request to send for one that passed the checks. */
export function outgoingRequest(file: string, { body, request }: SendableRequest): OutgoingRequest {
  return { file, body, audioUrl: stringIn(request, 'audio_url') };
}

/** The findings above advice level. */
export function warningsOf({ warnings }: { readonly warnings: readonly Finding[] }): readonly Finding[] {
  return warnings.filter(({ severity }) => severity === 'error' || severity === 'warning');
}

/** Opens a request at the first of its known problems. */
export async function showProblems(uri: vscode.Uri, file: RequestFile, first: Finding | undefined): Promise<void> {
  const editor = await vscode.window.showTextDocument(uri);
  if (first !== undefined) {
    const range = toRange(editor.document, placeRange(file, first.place));
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
  await vscode.commands.executeCommand('workbench.actions.view.problems');
}
