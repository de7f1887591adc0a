import * as vscode from 'vscode';
import { withCancel, type Report } from '../../withCancel.ts';

/** Reads and checks the requests of a batch, with progress and cancel where that takes a moment. */
export function whileChecking<T>(body: (signal: AbortSignal, report: Report) => Promise<T>): Promise<T> {
  return withCancel(vscode.l10n.t('Checking the requests'), body);
}
