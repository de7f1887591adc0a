import * as vscode from 'vscode';
import type { Attention } from '../../domain/attention/attention.ts';
import { asTreeNode } from '../../domain/jobs/commandArguments.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { AttentionNode, TreeNode } from '../../domain/jobs/jobTree.ts';
import type { JournalOwner } from '../../domain/submission/submission.ts';
import { DisposableOwner } from '../../service/disposable.ts';
import { commandIds, findSubmissionCommand } from '../ids.ts';
import type { ItemFacts } from '../jobs/jobTreeItems.ts';
import { registerCommand, runCommand, runQuietly } from '../runCommand.ts';
import type { AttentionRoom, AttentionRoomDeps } from './attentionRoom.ts';

/**
 * Needs attention, above the kinds of the jobs view. Asks nothing and loads no code until the view is visible in a window with the focus;
 * then as often as lists are refreshed.
 */
export class AttentionSection extends DisposableOwner {
  readonly onDidChange: vscode.Event<void>;
  readonly #changed = this.own(new vscode.EventEmitter<void>());
  readonly #deps: AttentionRoomDeps;
  #opening: Promise<AttentionRoom> | undefined;
  #room: AttentionRoom | undefined;
  #isVisible = (): boolean => false;

  constructor(deps: AttentionRoomDeps) {
    super();
    this.#deps = deps;
    this.onDidChange = this.#changed.event;
    const { log, settings } = deps;
    this.own(
      registerCommand(log, commandIds.markHandled, async (...given) => this.#room?.markHandled(this.#nodesOf(given))),
    );
    this.own(registerCommand(log, commandIds.undoHandled, async () => (await this.#open()).undoHandled()));
    this.own(
      registerCommand(log, commandIds.copyReport, async (...given) => this.#room?.copyReport(this.#nodesOf(given))),
    );
    this.own(
      vscode.commands.registerCommand(findSubmissionCommand, (key: unknown) =>
        runCommand(log, async () => (typeof key === 'string' ? this.#room?.findSubmission(key) : undefined)),
      ),
    );
    this.own(vscode.window.onDidChangeWindowState(() => this.#look()));
    this.own(
      settings.onDidChange(() => {
        this.#room?.monitor.replan();
        this.#look();
      }),
    );
  }

  /** What the tree shows; undefined when nothing needs attention, as far as is known. */
  get tree(): Attention | undefined {
    return this.#room?.attention;
  }

  /** A job that needs attention, as last read. */
  job(kind: string, id: string): Job | undefined {
    return this.#room?.monitor.job(kind, id);
  }

  item(node: AttentionNode, facts: ItemFacts, isOpen?: boolean): vscode.TreeItem | undefined {
    return this.#room?.item(node, facts, isOpen);
  }

  tooltip(node: AttentionNode & { readonly type: 'attentionJob' }, facts: ItemFacts): string | undefined {
    return this.#room?.tooltip(node, facts);
  }

  /** Follows the visibility of the view, and the selection that commands act on when they are called without a row. */
  follow(view: vscode.TreeView<TreeNode>): void {
    this.#isVisible = () => view.visible;
    this.#selection = () => view.selection;
    this.own(view.onDidChangeVisibility(() => this.#look()));
    this.#look();
  }

  /** Turns to the connection in use. */
  connect(): void {
    this.#room?.monitor.use(this.#deps.service());
    this.#look();
  }

  /** Reads anew, as a user who presses Refresh expects. Never throws. */
  async refresh(): Promise<void> {
    if (this.#deps.service() !== undefined) await (await this.#open()).monitor.refresh();
  }

  /** What needs attention as it is now, also when that is nothing. @throws Failure when the service cannot be asked */
  async read(): Promise<Attention> {
    return (await this.#open()).monitor.read();
  }

  /** Keeps what was handled after a connection was renamed. */
  async continueAs(former: JournalOwner, now: JournalOwner): Promise<void> {
    await (await this.#open()).continueAs(former, now);
  }

  /** Marks failed jobs of the connection in use as handled. @throws UserError when it cannot be written */
  async markHandled(jobs: readonly Job[]): Promise<void> {
    await (await this.#open()).markJobsHandled(jobs);
  }

  /**
   * Marks failed jobs of a connection as handled.
   * @param loaded returns a job of the connection in use
   * @throws NodeJS.ErrnoException when it cannot be written
   */
  async markReplaced(
    owner: JournalOwner,
    jobs: readonly Pick<Job, 'kind' | 'id'>[],
    loaded: (kind: string, id: string) => Job | undefined,
  ): Promise<void> {
    await (await this.#open()).markReplaced(owner, jobs, loaded);
  }

  #selection = (): readonly TreeNode[] => [];

  #nodesOf([row, rows]: readonly unknown[]): readonly TreeNode[] {
    const first = asTreeNode(row);
    if (first === undefined) return this.#selection();
    return Array.isArray(rows) ? rows.flatMap((each) => asTreeNode(each) ?? []) : [first];
  }

  #look(): void {
    const isLookedAt = this.#isVisible() && vscode.window.state.focused;
    if (this.#room !== undefined) this.#room.monitor.setWatched(this.#isVisible(), vscode.window.state.focused);
    else if (isLookedAt && this.#deps.service() !== undefined && this.#deps.settings.get('autoRefresh.enabled')) {
      void runQuietly(this.#deps.log, async () => void (await this.#open()));
    }
  }

  #open(): Promise<AttentionRoom> {
    return (this.#opening ??= import('./attentionRoom.ts').then((loaded) => {
      const room = this.own(new loaded.AttentionRoom(this.#deps));
      this.#room = room;
      this.own(room.monitor.onDidChange(() => this.#changed.fire()));
      room.monitor.use(this.#deps.service());
      room.monitor.setWatched(this.#isVisible(), vscode.window.state.focused);
      return room;
    }));
  }
}
