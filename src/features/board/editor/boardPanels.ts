import * as vscode from 'vscode';
import { savedViewsSetting } from '../../views/common/savedView.ts';
import { decodeScope, type BoardScope } from '../common/boardStorage.ts';
import { isSameScope, startBoard } from '../common/boardStart.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { Undecodable } from '../../../base/decode/decoder.ts';
import { Failure } from '../../../base/failure.ts';
import { asTreeNode } from '../../tree/common/commandArguments.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { viewIds } from '../../../platform/editor/ids.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { BoardPanel } from './boardPanel.ts';
import type { Services } from '../../../services.ts';

const views = savedViewsSetting();

/** All boards of the window. Imported when the first one is opened or restored. */
export class BoardPanels extends DisposableOwner {
  readonly #services: Services;
  /** Boards with the scope that they were opened with. */
  readonly #boards = new Map<BoardPanel, BoardScope>();
  /** The board that the next click on a row may take over. */
  #clicked: BoardPanel | undefined;

  constructor(services: Services) {
    super();
    this.#services = services;
    // Releases the boards without closing them: they are restored after a reload of the window.
    this.own({
      dispose: () => {
        for (const board of this.#boards.keys()) board.dispose();
      },
    });
  }

  /**
   * Opens a board for a row of the jobs view, or for the current filter. Shows an open board instead if it has the same scope, or was
   * opened for the current filter and changed since; it is read again if the row has newer failures. A click on another row takes over the
   * board of the last click, unless the user has changed its scope since.
   * @param isClicked leaves the focus in the jobs view
   * @throws Failure without a connection
   */
  open(row: unknown, isClicked = false): BoardPanel {
    const scope = this.#start(row);
    const boards = [...this.#boards].toReversed();
    const [same] =
      boards.find(([board]) => isSameScope(board.scope, scope)) ??
      (scope.conditions.length === 0 ? boards.find(([, openedFor]) => isSameScope(openedFor, scope)) : undefined) ??
      [];
    const board = same ?? (isClicked ? this.#takeOver(scope) : undefined);
    if (board === undefined) {
      const opened = this.#show(scope, isClicked);
      if (isClicked) this.#clicked = opened;
      return opened;
    }
    if (!isClicked && board === this.#clicked) this.#clicked = undefined;
    board.reveal(isClicked);
    board.readIfLacking(this.#latestFailures(row));
    return board;
  }

  /**
   * Runs What Changed? on the board that a click on a group of failures opens. Without a row, runs it on the brushed range, selection or
   * failures of the active board.
   */
  explain(row: unknown): void {
    if (asTreeNode(row) === undefined) {
      const boards = [...this.#boards.keys()];
      const board = boards.find(({ isActive }) => isActive) ?? boards.at(-1);
      if (board === undefined)
        throw new UserError(vscode.l10n.t('Open the board first, or run this on a group of failures.'));
      board.explainWhatIsMarked();
    } else {
      const board = this.open(row, true);
      board.reveal(false);
      board.explainWhenRead();
    }
  }

  /** Restores a board after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const scope = decodeScope(state);
    if (scope instanceof Undecodable) {
      this.#services.log.debug('closed a board that came back without saying what it is about');
      panel.dispose();
    } else this.#adopt(panel, scope, true);
  }

  #start(row: unknown): BoardScope {
    const { service, jobs, settings, actions } = this.#services;
    const { current } = service;
    if (current === undefined) throw new Failure('noConnection');
    const facts = {
      connection: current.connection.name,
      filter: jobs.filter,
      views: settings.getAs('views', views),
      attention: actions.attention.current(),
    };
    return startBoard(row, facts);
  }

  /** Returns the latest failure of each group of a row. */
  #latestFailures(row: unknown): readonly Job[] {
    const node = asTreeNode(row);
    const { groups = [] } = this.#services.actions.attention.current() ?? {};
    switch (node?.type) {
      case 'attention':
      case 'failures':
        return groups.flatMap(({ jobs }) => jobs.slice(0, 1));
      case 'failureGroup':
        return groups.flatMap(({ id, jobs }) => (id === node.group ? jobs.slice(0, 1) : []));
      default:
        return [];
    }
  }

  /** Shows a scope on the board of the last click. Returns undefined if there is none, or the user has changed its scope. */
  #takeOver(scope: BoardScope): BoardPanel | undefined {
    const board = this.#clicked;
    if (board === undefined || board.scope !== this.#boards.get(board)) return undefined;
    if (board.scope.connection !== scope.connection) return undefined;
    board.show(scope);
    this.#boards.set(board, board.scope);
    return board;
  }

  #show(scope: BoardScope, preserveFocus = false): BoardPanel {
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    const panel = vscode.window.createWebviewPanel(viewIds.board, '', place, {});
    return this.#adopt(panel, scope);
  }

  #adopt(panel: vscode.WebviewPanel, scope: BoardScope, isRestored = false): BoardPanel {
    const board = new BoardPanel(panel, scope, this.#services, isRestored);
    this.#boards.set(board, scope);
    board.own({ dispose: () => this.#forget(board) });
    return board;
  }

  #forget(board: BoardPanel): void {
    this.#boards.delete(board);
    // It would hold all jobs that it has read.
    if (board === this.#clicked) this.#clicked = undefined;
  }
}
