import * as vscode from 'vscode';
import {
  type Finding,
  type GateResult,
  placeRange,
  type RequestFile,
  stringIn,
} from '../../../language/requestLanguage.ts';
import type { OutgoingRequest } from '../node/submitter.ts';
import { positionsIn, toRange } from '../../../language/editor/diagnostics.ts';
import { UserError, type NextStep } from '../../../platform/editor/messages.ts';
import type { RequestText } from '../../../language/editor/requestDocuments.ts';

/** A request that may be sent, with its warnings. */
export type SendableRequest = Extract<GateResult, { readonly type: 'ok' }>;

type BlockedRequest = Extract<GateResult, { readonly type: 'blocked' }>;

/** Requires valid JSON with the right types. @throws UserError otherwise */
export function requireSendable(result: GateResult, request: RequestText): SendableRequest {
  if (result.type === 'ok') return result;
  const { l10n } = vscode;
  const { file, findings } = result;
  const [first, ...others] = findings;
  const start = first && toRange(positionsIn(request.text), placeRange(file, first.place)).start;
  const goTo: NextStep[] = start
    ? [
        {
          title: l10n.t('Go to Line {0}', start.line + 1),
          run: () =>
            vscode.window.showTextDocument(request.uri, { selection: new vscode.Range(start, start), preview: false }),
        },
      ]
    : [];
  const show: NextStep = {
    title: l10n.t('Show Problems'),
    run: () => showProblems(request.uri, file, first),
  };
  throw new UserError(l10n.t(`"{0}" can't be sent. {1}`, request.name, blockingText(request.text, result)), [
    ...goTo,
    ...(others.length > 0 ? [show] : []),
  ]);
}

/** Describes the problem that prevents sending a request, with its line. */
export function blockingText(text: string, { file, findings: [first] }: BlockedRequest): string {
  if (first === undefined) return '';
  const { line } = positionsIn(text).positionAt(placeRange(file, first.place).offset);
  return vscode.l10n.t('Line {0}: {1}', line + 1, first.message);
}

/** Returns the request to send for one that passed the checks. */
export function outgoingRequest(file: string, { body, request }: SendableRequest): OutgoingRequest {
  return { file, body, audioUrl: stringIn(request, 'audio_url') };
}

/** Returns the findings above advice level. */
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
