import * as vscode from 'vscode';
import type { JournalReading } from '../../../jobs/node/journal/journal.ts';
import { showMessage } from '../../../platform/editor/messages.ts';

/** Reports the parts of journals that could not be read, each once. */
export class JournalLosses {
  /** Number of damaged records already reported, by folder. */
  readonly #reportedDamage = new Map<string, number>();
  /** Number of records of a later version already reported, by folder. */
  readonly #reportedLater = new Map<string, number>();

  /** @param folder of the journal that was read. */
  report(folder: string, { damaged, fromLaterVersion }: JournalReading): void {
    if (damaged > (this.#reportedDamage.get(folder) ?? 0)) {
      this.#reportedDamage.set(folder, damaged);
      const text = vscode.l10n.t(
        '{0} entries of the submission journal are damaged and not shown. Before you resend a request, check whether its job exists.',
        damaged,
      );
      const show = (): Thenable<unknown> => vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(folder));
      void showMessage('warning', text, [{ title: vscode.l10n.t('Show File'), run: show }]);
    }
    if (fromLaterVersion > (this.#reportedLater.get(folder) ?? 0)) {
      this.#reportedLater.set(folder, fromLaterVersion);
      const text = vscode.l10n.t(
        '{0} submissions were written by a later version and are not shown.',
        fromLaterVersion,
      );
      void showMessage('information', text);
    }
  }
}
