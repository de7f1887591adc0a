import * as vscode from 'vscode';
import { formatTextReport, locateFindings } from '../../../language/requestLanguage.ts';
import { terminalLine } from '../../../base/outsideText.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { checkTaskType } from '../../../language/editor/requestFileType.ts';
import { findRequestFiles, type FileChecks } from './fileChecks.ts';

/**
 * The task that checks the request files of a workspace folder. It runs in the extension host: no Node installation is needed,
 * and virtual file systems work. The command `transcription-requests` does the same for machines without an editor.
 */
export class CheckTasks implements vscode.TaskProvider {
  readonly #checks: FileChecks;

  constructor(checks: FileChecks) {
    this.#checks = checks;
  }

  provideTasks(): vscode.Task[] {
    return (vscode.workspace.workspaceFolders ?? []).map((folder) => this.#task({ type: checkTaskType }, folder));
  }

  resolveTask({ definition, scope }: vscode.Task): vscode.Task | undefined {
    const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
    return folder && this.#task(definition, folder);
  }

  #task(definition: vscode.TaskDefinition, folder: vscode.WorkspaceFolder): vscode.Task {
    const execution = new vscode.CustomExecution(() => Promise.resolve(new CheckTerminal(folder, this.#checks)));
    const name = vscode.l10n.t('Check request files');
    const task = new vscode.Task(definition, folder, name, vscode.l10n.t('Transcription'), execution, '$transcription');
    task.group = vscode.TaskGroup.Test;
    return task;
  }
}

/** Prints findings in the format of the problem matcher. */
class CheckTerminal implements vscode.Pseudoterminal {
  readonly onDidWrite: vscode.Event<string>;
  readonly onDidClose: vscode.Event<number>;
  readonly #written = new vscode.EventEmitter<string>();
  readonly #closed = new vscode.EventEmitter<number>();
  readonly #folder: vscode.WorkspaceFolder;
  readonly #checks: FileChecks;
  #isStopped = false;

  constructor(folder: vscode.WorkspaceFolder, checks: FileChecks) {
    this.#folder = folder;
    this.#checks = checks;
    this.onDidWrite = this.#written.event;
    this.onDidClose = this.#closed.event;
  }

  open(): void {
    // Closing the terminal ends the run.
    void this.#run().then(
      (code) => this.#closed.fire(code),
      (error: unknown) => {
        this.#print(`${terminalLine(error instanceof Error ? error.message : String(error))}\n`);
        this.#closed.fire(2);
      },
    );
  }

  close(): void {
    this.#isStopped = true;
  }

  /** @returns the same exit code as the command */
  async #run(): Promise<0 | 1 | 2> {
    let code: 0 | 1 | 2 = 0;
    for (const uri of await findRequestFiles([this.#folder.uri])) {
      if (this.#isStopped) break;
      try {
        const { request, findings } = await this.#checks.inspect(uri);
        const name = vscode.workspace.asRelativePath(uri, false);
        this.#print(formatTextReport([locateFindings(name, request, findings)]));
        if (code === 0 && findings.some(({ severity }) => severity === 'error')) code = 1;
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        this.#print(`${terminalLine(error.message)}\n`);
        code = 2;
      }
    }
    return code;
  }

  #print(text: string): void {
    this.#written.fire(text.replaceAll(/\r?\n/gu, '\r\n'));
  }
}
