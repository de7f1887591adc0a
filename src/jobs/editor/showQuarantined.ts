import * as vscode from 'vscode';
import { harmlessJson } from '../../base/outsideText.ts';
import { changeInParts } from '../../platform/formatItem.ts';
import type { QuarantinedFilter } from '../node/storedFilters.ts';
import type { Log } from '../../base/log.ts';
import { showMessage } from '../../platform/editor/messages.ts';

/** Reports that a stored filter could not be read and offers to show it. */
export function showQuarantined(log: Log, { value, why }: QuarantinedFilter): void {
  log.warn(`the stored filter was set aside: ${why}`);
  const show = async (): Promise<void> => {
    const content = await changeInParts(JSON.stringify(value, undefined, 2), harmlessJson);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'json', content }));
  };
  const sentence = vscode.l10n.t(
    'The filter stored for this connection is damaged or from another version. It was ignored, and no filter is set.',
  );
  void showMessage('warning', sentence, [{ title: vscode.l10n.t('Show'), run: show }]);
}
