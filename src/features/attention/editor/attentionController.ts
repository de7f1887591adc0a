import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Attention } from '../common/attention.ts';
import { badgeText, overdueMessage } from '../common/attentionText.ts';
import { groupFailures, type FailureGroup } from '../common/failureGroups.ts';
import type { MarkedJob } from '../common/handledMarks.ts';
import { describeReported, supportReport } from '../common/supportReport.ts';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { asTreeNode } from '../../tree/common/commandArguments.ts';
import { jobKey, type Job } from '../../../jobs/common/job.ts';
import { isAttentionNode, partlyFailedGroup, type AttentionNode, type TreeNode } from '../../tree/common/jobTree.ts';
import { rowInstead } from '../common/rowInstead.ts';
import { isPartlyFailed } from '../../../jobs/common/failedAddOns.ts';
import type { JournalOwner, Submission } from '../../../jobs/common/submission.ts';
import { namesOfJobs } from '../../submit/common/submissionText.ts';
import { AttentionMonitor, type WatchedService } from '../node/attentionMonitor.ts';
import { HandledStore } from '../node/handledStore.ts';
import type { Clock } from '../../../base/clock.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { Journal } from '../../../jobs/node/journal/journal.ts';
import type { Log } from '../../../base/log.ts';
import type { StateStore } from '../../../base/stateStore.ts';
import type { ItemFacts } from '../../../jobs/editor/jobItem.ts';
import { showBriefly, showMessage, UserError } from '../../../platform/editor/messages.ts';
import { pickOne } from '../../../platform/editor/quickPick.ts';
import { commandIds, findSubmissionCommand } from '../../../platform/editor/ids.ts';
import { registerCommand, runCommand } from '../../../platform/editor/runCommand.ts';
import { attentionItem, attentionJobOf, attentionJobTooltip } from './attentionItems.ts';
import type { Settings } from '../../../settings.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';

/** Dependencies of {@link AttentionController}. */
export interface AttentionControllerDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Global state: what is reported counts for all windows. */
  readonly state: StateStore;
  /** Folder for files shared by all windows, on this machine's disk. */
  readonly storageUri: vscode.Uri;
  /** The connection in use; undefined when no request can be sent. Returns the same lists for the same connection. */
  readonly service: () => WatchedService | undefined;
  /** The loaded lists. */
  readonly store: Pick<JobStore, 'get' | 'kinds' | 'lists' | 'observing' | 'onDidChange'>;
  /** Looks for the job of a submission whose outcome is unknown. @throws Failure */
  readonly findJobOf: (submission: Submission) => Promise<void>;
  /** Names jobs of a connection, by id, for where nothing else does. */
  readonly nameJobs: (connection: string, names: ReadonlyMap<string, string>) => void;
  readonly errorLabels: () => Readonly<Record<string, string>>;
  readonly setBadge: (badge: vscode.ViewBadge | undefined) => void;
  /** Brings a row into view, with the focus; expanded, if that is asked for. */
  readonly show: (row: AttentionNode, expand?: boolean) => Promise<void>;
}

/** Unknown outcomes older than this are left to the list of submissions. */
const rememberedMs = 30 * 24 * 3_600_000;

/** Creates Needs attention with its commands. */
export function registerAttention(deps: AttentionControllerDeps): AttentionController {
  const room = new AttentionController(deps);
  const { log } = deps;
  room.own(registerCommand(log, commandIds.markHandled, (...given) => room.markHandled(room.nodesOf(given))));
  room.own(registerCommand(log, commandIds.undoHandled, () => room.undoHandled()));
  room.own(registerCommand(log, commandIds.copyReport, (...given) => room.copyReport(room.nodesOf(given))));
  room.own(
    vscode.commands.registerCommand(findSubmissionCommand, (key: unknown) =>
      runCommand(log, () => (typeof key === 'string' ? room.findSubmission(key) : undefined)),
    ),
  );
  return room;
}

/** Needs attention, above the kinds of the jobs view: its monitor, its rows and what its commands do. */
export class AttentionController extends DisposableOwner {
  readonly monitor: AttentionMonitor;
  readonly #deps: AttentionControllerDeps;
  readonly #handled: HandledStore;
  /** Answers for jobs that were looked at; a job that changes is another object. */
  readonly #isPartlyFailed = new WeakMap<Job, boolean>();
  /** Jobs of a service that failed in part, by `jobKey`, also those that a filter has since taken out of the lists. */
  readonly #partlyFailed = new Map<string, Job>();
  #partlyFailedAt = '';
  #view: Pick<vscode.TreeView<TreeNode>, 'visible' | 'selection'> | undefined;

  constructor(deps: AttentionControllerDeps) {
    super();
    const { clock, log, settings, state, storageUri } = deps;
    this.#deps = deps;
    this.#handled = new HandledStore(join(storageUri.fsPath, 'handled'), clock, log);
    const journal = new Journal(join(storageUri.fsPath, 'submissions'), clock, log);
    this.monitor = this.own(
      new AttentionMonitor({
        clock,
        log,
        state,
        handled: this.#handled,
        settings: () => ({
          intervalMs: settings.get('autoRefresh.intervalSeconds') * 1000,
          overdueMinutes: settings.get('overdueMinutes'),
        }),
        partlyFailed: () => this.#listPartlyFailed(),
        // Lists keep to the jobs that they have.
        observing: () => {
          const observe = deps.store.observing();
          return (jobs) => observe(jobs.filter(({ kind, id }) => deps.store.get(kind, id) !== undefined));
        },
        current: (kind, id) => deps.store.get(kind, id),
        // Reads without moving what is damaged: the list of submissions tells of that.
        submissions: async (connection) => {
          const { submissions } = await journal.readSince(connection, clock.now() - rememberedMs);
          deps.nameJobs(connection.name, namesOfJobs(submissions));
          return submissions;
        },
      }),
    );
    this.own(this.monitor.onDidChange(() => this.#showBadge()));
    this.own(this.monitor.onDidBecomeOverdue((attention) => this.#showOverdue(attention)));
    let shown = '';
    this.own(
      deps.store.onDidChange(() => {
        const now = this.#listPartlyFailed().map(jobKey).join('\n');
        if (now === shown) return this.monitor.noteObserved();
        shown = now;
        void this.monitor.lookAgain();
      }),
    );
    this.own({ dispose: () => deps.setBadge(undefined) });
    this.own(vscode.window.onDidChangeWindowState(() => this.#look()));
    this.own(settings.onDidChange(() => this.monitor.replan()));
  }

  /** What the tree shows; undefined when nothing needs attention, as far as is known. */
  get attention(): Attention | undefined {
    return this.monitor.attention;
  }

  /** Follows the visibility of the view, and the selection that commands act on when they are called without a row. */
  follow(view: vscode.TreeView<TreeNode>): void {
    this.#view = view;
    this.own(view.onDidChangeVisibility(() => this.#look()));
    this.#look();
  }

  /** Turns to the connection in use. */
  connect(): void {
    this.monitor.use(this.#deps.service());
  }

  /** The nodes that a command acts on. */
  nodesOf([row, rows]: readonly unknown[]): readonly TreeNode[] {
    const first = asTreeNode(row);
    if (first === undefined) return this.#view?.selection ?? [];
    return Array.isArray(rows) ? rows.flatMap((each) => asTreeNode(each) ?? []) : [first];
  }

  item(node: AttentionNode, facts: ItemFacts, isOpen?: boolean): vscode.TreeItem | undefined {
    return this.attention && attentionItem(node, this.attention, facts, isOpen);
  }

  tooltip(node: AttentionNode & { readonly type: 'attentionJob' }, facts: ItemFacts): string | undefined {
    return this.attention && attentionJobTooltip(node, this.attention, facts);
  }

  /** Keeps what was handled after a connection was renamed. @throws NodeJS.ErrnoException */
  continueAs(former: JournalOwner, now: JournalOwner): Promise<void> {
    return this.#handled.continueAs(former, now);
  }

  /**
   * Marks the failures of these nodes as handled, and gives the focus to the row after them, which would be lost with theirs.
   * @throws UserError when that cannot be written down
   */
  async markHandled(nodes: readonly TreeNode[]): Promise<void> {
    const before = this.attention;
    await this.markJobsHandled(this.#failuresOf(nodes));
    const gone = nodes.filter(isAttentionNode).at(-1);
    const next = before && gone && rowInstead(gone, before, this.attention);
    if (next !== undefined) await this.#deps.show(next);
  }

  /** Marks failed jobs of the connection in use as handled, and offers to undo that. @throws UserError when it cannot be written down */
  async markJobsHandled(jobs: readonly Job[]): Promise<void> {
    const owner = this.#deps.service()?.connection;
    if (jobs.length === 0 || owner === undefined) return;
    const act = randomUUID();
    await written(this.monitor.markHandled(jobs, act));
    const message =
      jobs.length === 1
        ? vscode.l10n.t('Marked as handled on this computer')
        : vscode.l10n.t('{0} failures marked as handled on this computer', jobs.length);
    const run = (): Promise<void> => runCommand(this.#deps.log, () => this.undoHandled({ act, owner }));
    void showMessage('information', message, [{ title: vscode.l10n.t('Undo'), run }]);
  }

  /**
   * Takes back what was marked.
   * @param marked by an act, on a connection that may no longer be in use; what was marked last on the one in use by default
   * @throws UserError when that cannot be written down
   */
  async undoHandled(marked?: { readonly act: string; readonly owner: JournalOwner }): Promise<void> {
    const isDone = await written(
      marked === undefined || this.#isInUse(marked.owner)
        ? this.monitor.undoHandled(marked?.act)
        : this.#undoElsewhere(marked),
    );
    const { l10n } = vscode;
    // The message of an act stays when it is undone by the command.
    const why = marked === undefined ? l10n.t('Nothing to undo') : l10n.t('This was already undone');
    showBriefly(isDone ? l10n.t('Mark as Handled undone') : why);
  }

  /**
   * Marks failed jobs of a connection as handled, whichever is in use; of one that is not known, whatever failure.
   * @param loaded returns a job of the connection in use
   * @throws NodeJS.ErrnoException when it cannot be written
   */
  async markReplaced(
    { name, baseUrl }: JournalOwner,
    jobs: readonly Pick<Job, 'kind' | 'id'>[],
    loaded: (kind: string, id: string) => Job | undefined,
  ): Promise<void> {
    const isInUse = this.#isInUse({ name, baseUrl });
    const marked = jobs.map(({ kind, id }): MarkedJob => {
      const known = isInUse ? (loaded(kind, id) ?? this.monitor.job(kind, id)) : undefined;
      return known ?? { kind, id, createdAtMs: undefined, completedAtMs: undefined };
    });
    await (isInUse ? this.monitor.markHandled(marked) : this.#handled.mark({ name, baseUrl }, marked, undefined));
  }

  /** Copies a report about the failures of these nodes; asks whether metadata may be in it. */
  async copyReport(nodes: readonly TreeNode[]): Promise<void> {
    const { l10n } = vscode;
    const connection = this.#deps.service()?.connection;
    const { attention } = this;
    const groups = this.#groupsOf(nodes);
    if (connection === undefined || attention === undefined || groups.length === 0) return;
    const answer = await pickOne<boolean>({
      title: l10n.t('Copy Report for Support'),
      placeholder: l10n.t('Select what to include in the report'),
      choices: [
        {
          label: l10n.t('Without metadata'),
          detail: l10n.t('IDs, request IDs, times in UTC, error codes and numbers'),
          value: false,
        },
        { label: l10n.t('With custom metadata'), detail: l10n.t('May contain confidential data'), value: true },
      ],
      canGoBack: false,
    });
    if (answer.type !== 'picked') return;
    const labels = this.#deps.errorLabels();
    const report = supportReport(groups, {
      origin: originOf(connection.baseUrl),
      all: attention.groups.reduce((sum, { jobs }) => sum + jobs.length, 0),
      filter: describeReported(attention.sinceMs),
      nowMs: this.#deps.clock.now(),
      labelOf: (code) => (Object.hasOwn(labels, String(code)) ? labels[String(code)] : undefined),
      withMetadata: answer.value,
    });
    await vscode.env.clipboard.writeText(report);
    showBriefly(l10n.t('Report copied'));
  }

  /** Looks for the job of a submission whose outcome is unknown. @throws Failure */
  async findSubmission(key: string): Promise<void> {
    const submission = this.attention?.unknown.find((each) => each.key === key);
    if (submission === undefined) return;
    await this.#deps.findJobOf(submission);
    await this.monitor.lookAgain();
  }

  async #undoElsewhere({ act, owner }: { readonly act: string; readonly owner: JournalOwner }): Promise<boolean> {
    if ((await this.#handled.read(owner)).undone.has(act)) return false;
    await this.#handled.undo(owner, act);
    return true;
  }

  #isInUse({ name, baseUrl }: JournalOwner): boolean {
    const inUse = this.#deps.service()?.connection;
    return inUse?.name === name && originOf(inUse.baseUrl) === originOf(baseUrl);
  }

  /** The failures of nodes and what failed in part, each once. */
  #failuresOf(nodes: readonly TreeNode[]): readonly Job[] {
    const { attention } = this;
    const partly = nodes.flatMap((node) => {
      if (attention === undefined) return [];
      if (node.type === 'partlyFailed') return attention.partlyFailed;
      return node.type === 'attentionJob' && node.group === partlyFailedGroup
        ? (attentionJobOf(node, attention) ?? [])
        : [];
    });
    return [...new Set([...this.#groupsOf(nodes).flatMap(({ jobs }) => jobs), ...partly])];
  }

  /** The jobs that were loaded from this service and are done, although a part of their result failed. Each is looked at once. */
  #listPartlyFailed(): readonly Job[] {
    const { store, service } = this.#deps;
    const connection = service()?.connection;
    const at = connection === undefined ? '' : JSON.stringify([connection.name, connection.baseUrl]);
    if (at !== this.#partlyFailedAt) this.#partlyFailed.clear();
    this.#partlyFailedAt = at;
    for (const entry of store.kinds().flatMap((kind) => store.lists(kind).flatMap(({ jobs }) => jobs.entries))) {
      if (entry.type !== 'job') continue;
      const isPartly = this.#isPartlyFailed.get(entry) ?? isPartlyFailed(entry);
      this.#isPartlyFailed.set(entry, isPartly);
      if (isPartly) this.#partlyFailed.set(jobKey(entry), entry);
      else if (this.#partlyFailed.size > 0) this.#partlyFailed.delete(jobKey(entry));
    }
    return [...this.#partlyFailed.values()];
  }

  /** Whole groups as they are shown; single jobs are grouped among themselves. */
  #groupsOf(nodes: readonly TreeNode[]): readonly FailureGroup[] {
    const { attention } = this;
    if (attention === undefined) return [];
    if (nodes.some(({ type }) => type === 'failures')) return attention.groups;
    const groups = attention.groups.filter(({ id }) =>
      nodes.some((node) => node.type === 'failureGroup' && node.group === id),
    );
    const grouped = new Set(groups.flatMap(({ jobs }) => jobs));
    const single = nodes.flatMap((node) =>
      node.type === 'attentionJob' && node.group !== undefined && node.group !== partlyFailedGroup
        ? (attentionJobOf(node, attention) ?? [])
        : [],
    );
    return [...groups, ...groupFailures(single.filter((job) => !grouped.has(job)))];
  }

  #look(): void {
    this.monitor.setWatched(this.#view?.visible === true, vscode.window.state.focused);
  }

  #showBadge(): void {
    const { attention } = this;
    const count = attention?.amounts.total.count ?? 0;
    this.#deps.setBadge(
      attention === undefined || count === 0 ? undefined : { value: count, tooltip: badgeText(attention) },
    );
  }

  #showOverdue(attention: Attention): void {
    const { log, show } = this.#deps;
    const run = (): Promise<void> => runCommand(log, () => show({ type: 'overdue' }, true));
    void showMessage('warning', overdueMessage(attention), [{ title: vscode.l10n.t('Show'), run }]);
  }
}

/** @throws UserError when it could not be written down */
async function written<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(vscode.l10n.t('Nothing was changed because it could not be saved: {0}', why));
  }
}
