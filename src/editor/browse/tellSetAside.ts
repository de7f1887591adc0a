import * as vscode from 'vscode';
import type { Log } from '../../service/ports.ts';
import { showMessage } from '../showMessage.ts';
import type { SetAside } from './storedFilters.ts';

/** Says that a stored filter could not be read, and offers to show it. */
export function tellSetAside(log: Log, { value, why }: SetAside): void {
  log.warn(`the stored filter was set aside: ${why}`);
  const show = async (): Promise<void> => {
    const content = JSON.stringify(value, undefined, 2);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'json', content }));
  };
  const sentence = vscode.l10n.t(
    'The filter stored for this connection is damaged or from another version. It was set aside, and no filter is set.',
  );
  void showMessage('warning', sentence, [{ title: vscode.l10n.t('Show It'), run: show }]);
}
