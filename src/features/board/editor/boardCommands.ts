import * as vscode from 'vscode';
import { DisposableOwner } from '../../../base/disposable.ts';
import { commandIds, viewIds } from '../../../platform/editor/ids.ts';
import { registerCommand } from '../../../platform/editor/runCommand.ts';
import type { BoardPanels } from './boardPanels.ts';
import type { Services } from '../../../services.ts';

/** Registers the commands of the board and its webview serializer. The code behind them is imported on first use. */
export class BoardCommands extends DisposableOwner {
  readonly #services: Services;
  #opening: Promise<BoardPanels> | undefined;

  constructor(services: Services) {
    super();
    this.#services = services;
    const { log } = services;
    this.own(
      registerCommand(log, commandIds.openBoardOfRow, async (row, isClicked) =>
        (await this.#panels()).open(row, isClicked === true),
      ),
    );
    // A command of the view title receives the focused tree item, which is unrelated to the user's intent.
    this.own(registerCommand(log, commandIds.openBoard, async () => (await this.#panels()).open(undefined)));
    this.own(registerCommand(log, commandIds.whatChanged, async (row) => (await this.#panels()).explain(row)));
    this.own(
      vscode.window.registerWebviewPanelSerializer(viewIds.board, {
        deserializeWebviewPanel: async (panel, state) => (await this.#panels()).restore(panel, state),
      }),
    );
  }

  #panels(): Promise<BoardPanels> {
    return (this.#opening ??= import('./boardPanels.ts').then(({ BoardPanels }) =>
      this.own(new BoardPanels(this.#services)),
    ));
  }
}
