import * as vscode from 'vscode';
import { withCancel, type Report } from '../../withCancel.ts';

/** So many requests are checked before a notification could be read. */
const quickCount = 200;

/** Checks requests, with progress and cancel where there are many. */
export async function whileChecking<T>(
  count: number,
  body: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  if (count <= quickCount) return body(new AbortController().signal, () => undefined);
  return withCancel(vscode.l10n.t('Checking the requests'), body);
}
