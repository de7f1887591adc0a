import * as vscode from 'vscode';
import { openSettingsStep } from '../nextSteps.ts';
import { showMessage } from '../showMessage.ts';

/** Says that a service sends jobs that were not asked for, and what may be the reason. Settles when the message is gone. */
export function tellContradiction(connectionName: string): Promise<void> {
  const sentence = vscode.l10n.t(
    'The service sends jobs that do not match what was asked for. They are left out here. Perhaps it wants lists or metadata written in another way: the connection "{0}" has "arrayFormat" and "metadataFormat" for that.',
    connectionName,
  );
  return showMessage('warning', sentence, [openSettingsStep('connections')]);
}
