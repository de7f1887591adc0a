import * as vscode from 'vscode';

/** A window whose focus a test controls. */
export class FakeWindow {
  readonly #changes = new vscode.EventEmitter<vscode.WindowState>();
  readonly onDidChangeWindowState = this.#changes.event;
  state: vscode.WindowState = { focused: true, active: true };

  setFocused(focused: boolean): void {
    this.state = { focused, active: focused };
    this.#changes.fire(this.state);
  }
}
