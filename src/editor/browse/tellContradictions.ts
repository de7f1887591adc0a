import * as vscode from 'vscode';
import type { JobStore } from '../../service/jobStore.ts';
import type { Disposable } from '../../service/ports.ts';
import { openSettingsStep } from '../nextSteps.ts';
import { showMessage } from '../showMessage.ts';

/** Says once per connection and session that the service sends jobs that were not asked for, and what may be the reason. */
export function tellContradictions(
  store: JobStore,
  connection: { readonly current: { readonly name: string } | undefined },
): Disposable {
  const told = new Set<string>();
  return store.onDidContradict(() => {
    const name = connection.current?.name;
    if (name === undefined || told.has(name)) return;
    told.add(name);
    const sentence = vscode.l10n.t(
      'The service sends jobs that do not match what was asked for. They are left out here. Perhaps it wants lists or metadata written in another way: the connection "{0}" has "arrayFormat" and "metadataFormat" for that.',
      name,
    );
    void showMessage('warning', sentence, [openSettingsStep('connections')]);
  });
}
