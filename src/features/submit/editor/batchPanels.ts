import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../../base/decode/decoder.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import type { JournalOwner } from '../../../jobs/common/submission.ts';
import { viewIds } from '../../../platform/editor/ids.ts';
import { batchPageState, type BatchName } from '../common/batchProtocol.ts';
import { BatchPanel, type WindowFocus } from './batchPanel.ts';
import type { Submissions } from './submissions.ts';

/** The pages of batches in the window. Imported when the first one is opened or restored. */
export class BatchPanels extends DisposableOwner {
  readonly #submissions: Submissions;
  readonly #window: WindowFocus;
  readonly #pages = new Set<BatchPanel>();

  constructor(submissions: Submissions, window: WindowFocus = vscode.window) {
    super();
    this.#window = window;
    this.#submissions = submissions;
    // Releases the pages without closing them: they are restored after a reload of the window.
    this.own({
      dispose: () => {
        for (const page of this.#pages) page.dispose();
      },
    });
  }

  /** Opens the page of a batch, or shows the open one. @param owner connection of the batch */
  open({ name: connection, baseUrl }: JournalOwner, id: string): void {
    const page = this.#pageOf(id);
    if (page !== undefined) return page.reveal();
    const panel = vscode.window.createWebviewPanel(viewIds.batch, '', vscode.ViewColumn.Active, {});
    this.#adopt(panel, { connection, baseUrl, id });
  }

  /** True if the page of a batch is the active editor. */
  isInFront(id: string): boolean {
    return this.#pageOf(id)?.isActive === true;
  }

  #pageOf(id: string): BatchPanel | undefined {
    return [...this.#pages].find((each) => each.name.id === id);
  }

  /** Restores a page after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const name = attempt(batchPageState, state);
    if (name instanceof Undecodable) {
      this.#submissions.services.log.debug('closed the page of a batch that came back without saying which');
      panel.dispose();
    } else this.#adopt(panel, name);
  }

  #adopt(panel: vscode.WebviewPanel, name: BatchName): void {
    const page = new BatchPanel(panel, name, this.#submissions, this.#window);
    this.#pages.add(page);
    page.own({ dispose: () => this.#pages.delete(page) });
  }
}
