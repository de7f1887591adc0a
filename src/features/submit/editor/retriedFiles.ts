import * as vscode from 'vscode';
import { formVersion, list, record, text, time, type Decoded } from '../../../base/decode/decoder.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { readStored } from '../../../base/stateStore.ts';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { rememberedMs, type JournalOwner } from '../../../jobs/common/submission.ts';
import { savedUri } from '../../../language/editor/requestDocuments.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';
import type { Services } from '../../../services.ts';

const storedAs = 'retriedFiles';
const maxKept = 100;
const decodeRetry = record({ file: text, connection: text, origin: text, job: text, openedAtMs: time });
type Retry = Decoded<typeof decodeRetry>;
const decodeRetries = record({ version: formVersion(1), retries: list(decodeRetry) });

/**
 * Request files that were opened to retry a failed job, for a day: later, a submission of the file may be about something else. Follows
 * files that are renamed or saved under another name.
 */
export class RetriedFiles extends DisposableOwner {
  readonly #services: Pick<Services, 'workspaceState' | 'clock' | 'log'>;
  /** The last at the end. */
  #retries: readonly Retry[];

  constructor(services: Pick<Services, 'workspaceState' | 'clock' | 'log'>) {
    super();
    this.#services = services;
    const stored = readStored(services.workspaceState, storedAs, decodeRetries, (line) => services.log.warn(line));
    this.#retries = stored?.retries.slice(-maxKept) ?? [];
    this.own(vscode.workspace.onDidRenameFiles(({ files }) => this.#followRenamed(files)));
    this.own(vscode.workspace.onWillSaveTextDocument(({ document }) => this.#followSaved(document)));
  }

  /** Records that a file, or an untitled document, was opened to retry a failed job. */
  add({ name, baseUrl }: JournalOwner, job: string, file: vscode.Uri): void {
    const origin = originOf(baseUrl);
    this.#store([{ file: keyOf(file), connection: name, origin, job, openedAtMs: this.#services.clock.now() }]);
  }

  /** Returns the id of the job of a connection that a file was opened to retry; undefined if there is none. */
  jobOf({ name, baseUrl }: JournalOwner, file: string): string | undefined {
    const retry = this.#find(vscode.Uri.parse(file));
    return retry?.connection === name && retry.origin === originOf(baseUrl) ? retry.job : undefined;
  }

  #find(uri: vscode.Uri): Retry | undefined {
    const key = keyOf(uri);
    return this.#recent().find(({ file }) => file === key);
  }

  #recent(): readonly Retry[] {
    const sinceMs = this.#services.clock.now() - rememberedMs;
    return this.#retries.filter(({ openedAtMs }) => openedAtMs > sinceMs);
  }

  #followRenamed(files: readonly { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }[]): void {
    const renamed = files.flatMap(({ oldUri, newUri }) => {
      const retry = this.#find(oldUri);
      return retry === undefined ? [] : [{ ...retry, file: keyOf(newUri) }];
    });
    if (renamed.length > 0) this.#store(renamed);
  }

  /** While a document is saved under another name, both documents are open and have the same text. */
  #followSaved(saved: vscode.TextDocument): void {
    if (this.#retries.length === 0 || this.#find(saved.uri) !== undefined) return;
    for (const open of vscode.workspace.textDocuments) {
      const retry = this.#find(open.uri);
      if (retry !== undefined && open.getText() === saved.getText())
        return this.#store([{ ...retry, file: keyOf(saved.uri) }]);
    }
  }

  #store(added: readonly Retry[]): void {
    const files = new Set(added.map(({ file }) => file));
    this.#retries = [...this.#recent().filter(({ file }) => !files.has(file)), ...added].slice(-maxKept);
    const { log, workspaceState } = this.#services;
    void runQuietly(log, async () => workspaceState.update(storedAs, { version: 1, retries: this.#retries }));
  }
}

/** An untitled document gets the path of the file that it is saved as, unless the user chooses another. */
function keyOf(uri: vscode.Uri): string {
  return savedUri(uri).toString();
}
