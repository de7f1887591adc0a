import * as vscode from 'vscode';
import type { SavedViewNode } from '../../domain/jobs/jobTree.ts';
import { DisposableOwner } from '../../service/disposable.ts';
import { commandIds, showViewCommand } from '../ids.ts';
import type { SavedViewRows } from '../jobs/jobTreeItems.ts';
import { registerCommand, runCommand, runQuietly } from '../runCommand.ts';
import type { SavedViews, SavedViewsDeps } from './savedViews.ts';

/** The part of the jobs view with the saved views. Loads no code while there are none, or before the jobs view is visible. */
export class SavedViewSection extends DisposableOwner implements SavedViewRows {
  readonly onDidChange: SavedViewRows['onDidChange'];
  readonly #changed = this.own(new vscode.EventEmitter<readonly SavedViewNode[] | undefined>());
  readonly #deps: SavedViewsDeps;
  #opening: Promise<SavedViews> | undefined;
  #room: SavedViews | undefined;
  #view: Parameters<SavedViews['follow']>[0] | undefined;

  constructor(deps: SavedViewsDeps) {
    super();
    this.#deps = deps;
    this.onDidChange = this.#changed.event;
    const { log, settings } = deps;
    this.own(registerCommand(log, commandIds.saveView, async () => (await this.#open()).save()));
    this.own(registerCommand(log, commandIds.renameView, async (node) => (await this.#open()).rename(node)));
    this.own(registerCommand(log, commandIds.removeView, async (node) => (await this.#open()).remove(node)));
    this.own(
      vscode.commands.registerCommand(showViewCommand, (node: unknown) =>
        runCommand(log, async () => (await this.#open()).show(node)),
      ),
    );
    this.own(
      settings.onDidChange((change) => {
        if (change.affects('views')) this.#look();
      }),
    );
  }

  get views(): SavedViewRows['views'] {
    return this.#room?.views ?? [];
  }

  item(node: SavedViewNode): vscode.TreeItem | undefined {
    return this.#room?.item(node);
  }

  async expand(name: string): Promise<void> {
    await this.#room?.expand(name);
  }

  async refresh(): Promise<void> {
    await this.#room?.refresh();
  }

  /** Follows the visibility of the jobs view. */
  follow(view: Parameters<SavedViews['follow']>[0]): void {
    this.#view = view;
    this.own(view.onDidChangeVisibility(() => this.#look()));
    this.#look();
  }

  #look(): void {
    const { log, settings } = this.#deps;
    if (this.#opening !== undefined || this.#view?.visible !== true || settings.get('views').length === 0) return;
    void runQuietly(log, async () => void (await this.#open()));
  }

  #open(): Promise<SavedViews> {
    return (this.#opening ??= import('./savedViews.ts').then((loaded) => {
      const room = this.own(new loaded.SavedViews(this.#deps));
      this.#room = room;
      this.own(room.onDidChange((nodes) => this.#changed.fire(nodes)));
      if (this.#view !== undefined) room.follow(this.#view);
      this.#changed.fire(undefined);
      return room;
    }));
  }
}
