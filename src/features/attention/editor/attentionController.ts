import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { dayMs, hourMs } from '../../../base/time.ts';
import type { Attention } from '../common/attention.ts';
import { badgeText, groupName, overdueMessage } from '../common/attentionText.ts';
import { groupFailures, groupId, type FailureGroup } from '../common/failureGroups.ts';
import type { MarkedJob } from '../common/handledMarks.ts';
import { describeReported, supportReport } from '../common/supportReport.ts';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { jobKey, type Job } from '../../../jobs/common/job.ts';
import { isAttentionNode, partlyFailedGroup, type AttentionNode, type TreeNode } from '../../tree/common/jobTree.ts';
import { undoChoices } from '../common/undoChoices.ts';
import { rowInstead } from '../common/rowInstead.ts';
import { isPartlyFailed } from '../../../jobs/common/failedAddOns.ts';
import type { JournalOwner } from '../../../jobs/common/submission.ts';
import { submittedJobs } from '../../submit/common/submissionText.ts';
import { AttentionMonitor } from '../node/attentionMonitor.ts';
import { HandledStore } from '../node/handledStore.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { formatTime } from '../../../base/format.ts';
import type { ItemFacts } from '../../../jobs/editor/jobItem.ts';
import { showBriefly, showMessage, UserError } from '../../../platform/editor/messages.ts';
import { pickOne, type PickAnswer } from '../../../platform/editor/quickPick.ts';
import { commandIds, findSubmissionCommand } from '../../../platform/editor/ids.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { beginningCharacters, type KeyMask } from '../../../platform/http/keyMask.ts';
import { registerCommand, runCommand } from '../../../platform/editor/runCommand.ts';
import { attentionItem, attentionJobOf, attentionJobTooltip } from './attentionItems.ts';
import type { Services } from '../../../services.ts';

/** Older unknown outcomes appear only in the list of submissions. */
const unknownOutcomeMaxAgeMs = 30 * dayMs;

/** Registers Needs attention. */
export function registerAttention(services: Services): AttentionController {
  const controller = new AttentionController(services);
  const { log, jobs, actions } = services;
  const chosen = (...given: readonly unknown[]): readonly TreeNode[] => actions.tree.chosenRows(given);
  controller.own(registerCommand(log, commandIds.markHandled, (...given) => controller.markHandled(chosen(...given))));
  controller.own(registerCommand(log, commandIds.muteFailures, (...given) => controller.mute(chosen(...given))));
  controller.own(registerCommand(log, commandIds.undoHandled, () => controller.undoHandled()));
  controller.own(registerCommand(log, commandIds.copyReport, (...given) => controller.copyReport(chosen(...given))));
  controller.own(
    vscode.commands.registerCommand(findSubmissionCommand, (key: unknown) =>
      runCommand(log, () => (typeof key === 'string' ? controller.findSubmission(key) : undefined)),
    ),
  );
  actions.provide('attention', {
    current: () => controller.attention,
    read: () => controller.monitor.read(),
    markHandled: (failed) => controller.markJobsHandled(failed),
    copyReport: (failed, rows) => controller.copyReportOfJobs(failed, rows),
    muteFailures: (failed) => controller.muteJobs(failed),
    markReplaced: (connection, replaced) =>
      controller.markReplaced(connection, replaced, (kind, id) => jobs.get(kind, id)),
    readHandled: (connection) => controller.handled.read(connection),
    onDidChange: controller.monitor.onDidChange,
    onDidMarkHandled: controller.handled.onDidChange,
    continueMarks: (former, now) => controller.handled.continueAs(former, now),
  });
  return controller;
}

/** Needs attention, above the kinds of the jobs view: its monitor, rows and commands. */
export class AttentionController extends DisposableOwner {
  readonly monitor: AttentionMonitor;
  readonly handled: HandledStore;
  readonly #services: Services;
  /** Cached results by job; a job that changes is another object. */
  readonly #isPartlyFailed = new WeakMap<Job, boolean>();
  /** Jobs of a service that failed in part, by `jobKey`, including jobs that a filter has since removed from the lists. */
  readonly #partlyFailed = new Map<string, Job>();
  #partlyFailedAt = '';

  constructor(services: Services) {
    super();
    const {
      clock,
      log,
      settings,
      globalState,
      globalStorageUri,
      journal,
      jobs: loaded,
      facts,
      service,
      view,
    } = services;
    this.#services = services;
    this.handled = new HandledStore(join(globalStorageUri.fsPath, 'handled'), clock, log);
    this.own(
      this.handled.onDidFindLater(() => {
        const sentence = vscode.l10n.t(
          'Records of handled or muted failures from a later version are not read. Their failures may be shown again.',
        );
        void showMessage('information', sentence);
      }),
    );
    this.monitor = this.own(
      new AttentionMonitor({
        clock,
        log,
        state: globalState,
        handled: this.handled,
        settings: () => ({
          intervalMs: settings.get('autoRefresh.intervalSeconds') * 1000,
          overdueMinutes: settings.get('overdueMinutes'),
        }),
        partlyFailed: () => this.#listPartlyFailed(),
        // Lists keep only jobs that they already have.
        observing: () => {
          const observe = loaded.observing();
          return (jobs) => observe(jobs.filter(({ kind, id }) => loaded.get(kind, id) !== undefined));
        },
        current: (kind, id) => loaded.get(kind, id),
        // Does not move damaged records: the list of submissions reports them.
        submissions: async (connection) => {
          const { submissions } = await journal.readSince(connection, clock.now() - unknownOutcomeMaxAgeMs);
          facts.nameJobs(connection.name, submittedJobs(submissions));
          return submissions;
        },
      }),
    );
    this.own(this.monitor.onDidChange(() => this.#showBadge()));
    this.own(this.monitor.onDidChangeHandled(() => facts.noteHandled((job) => this.monitor.isHandled(job))));
    this.own(this.monitor.onDidBecomeOverdue((attention) => this.#showOverdue(attention)));
    let shown = '';
    this.own(
      loaded.onDidChange(() => {
        const now = this.#listPartlyFailed().map(jobKey).join('\n');
        if (now === shown) return this.monitor.noteObserved();
        shown = now;
        void this.monitor.lookAgain();
      }),
    );
    this.own({ dispose: () => view.setBadge('attention', undefined) });
    this.own(service.onDidChange(() => this.#connect()));
    this.own(
      service.health.onDidChange(() => {
        if (service.health.trouble === undefined) this.monitor.noteAnswer();
      }),
    );
    this.own(view.onDidChangeVisibility(() => this.#updateWatched()));
    this.own(vscode.window.onDidChangeWindowState(() => this.#updateWatched()));
    this.own(settings.onDidChange(() => this.monitor.replan()));
    this.#connect();
    this.#updateWatched();
  }

  /** Needs attention as the tree shows it; undefined if nothing is known to need attention. */
  get attention(): Attention | undefined {
    return this.monitor.attention;
  }

  /** Switches to the current connection. */
  #connect(): void {
    this.monitor.use(this.#services.service.current);
  }

  item(node: AttentionNode, facts: ItemFacts, isOpen?: boolean): vscode.TreeItem | undefined {
    return this.attention && attentionItem(node, this.attention, facts, isOpen);
  }

  tooltip(node: AttentionNode & { readonly type: 'attentionJob' }, facts: ItemFacts): string | undefined {
    return this.attention && attentionJobTooltip(node, this.attention, facts);
  }

  /**
   * Marks the failures of these nodes as handled, and moves the focus, which would be lost with their rows, to the next row.
   * @throws UserError if the marks cannot be written
   */
  async markHandled(nodes: readonly TreeNode[]): Promise<void> {
    const before = this.attention;
    await this.markJobsHandled(this.#failuresOf(nodes));
    const gone = nodes.filter(isAttentionNode).at(-1);
    const next = before && gone && rowInstead(gone, before, this.attention);
    if (next !== undefined) await this.#services.actions.tree.showAttention(next);
  }

  /** Marks failed jobs of the current connection as handled, and offers to undo that. @throws UserError if the marks cannot be written */
  async markJobsHandled(jobs: readonly Job[]): Promise<void> {
    const owner = this.#services.service.current?.connection;
    if (jobs.length === 0 || owner === undefined) return;
    const act = randomUUID();
    await written(this.monitor.markHandled(jobs, act));
    const message =
      jobs.length === 1
        ? vscode.l10n.t('Marked as handled on this computer')
        : vscode.l10n.t('{0} failures marked as handled on this computer', jobs.length);
    const run = (): Promise<void> => runCommand(this.#services.log, () => this.undoHandled({ act, owner }));
    void showMessage('information', message, [{ title: vscode.l10n.t('Undo'), run }]);
  }

  /** Prompts for a time and hides the groups of these nodes. @throws UserError if it cannot be written */
  async mute(nodes: readonly TreeNode[]): Promise<void> {
    const before = this.attention;
    await this.muteJobs(this.#failuresOf(nodes));
    const gone = nodes.filter(isAttentionNode).at(-1);
    const next = before && gone && rowInstead(gone, before, this.attention);
    if (next !== undefined) await this.#services.actions.tree.showAttention(next);
  }

  /**
   * Prompts for a time and hides the groups of these jobs of the current connection, with the failures to come.
   * @throws UserError if none of them failed, or it cannot be written
   */
  async muteJobs(jobs: readonly Job[]): Promise<void> {
    const { l10n } = vscode;
    const owner = this.#services.service.current?.connection;
    const muted = this.#mutedAs(jobs);
    if (muted.size === 0) throw new UserError(l10n.t('None of these jobs failed.'));
    if (owner === undefined) return;
    const [name] = muted.values();
    const what = muted.size === 1 ? (name ?? '') : l10n.t('{0} groups of failures', muted.size);
    const answer = await pickOne<MuteTime>({
      title: l10n.t('Mute {0}', what),
      placeholder: l10n.t('On this computer: hides these failures and those to come'),
      choices: muteTimes(),
      canGoBack: false,
    });
    if (answer.type !== 'picked') return;
    const act = randomUUID();
    await written(this.monitor.mute([...muted.keys()], answer.value.forMs, act));
    const nowMs = this.#services.clock.now();
    const message =
      answer.value.forMs === undefined
        ? l10n.t('Muted on this computer until it stops: {0}', what)
        : l10n.t(
            'Muted on this computer until {0}: {1}',
            formatTime(nowMs + answer.value.forMs, nowMs, this.#services.settings.get('times'), locale),
            what,
          );
    const run = (): Promise<void> => runCommand(this.#services.log, () => this.undoHandled({ act, owner }));
    void showMessage('information', message, [{ title: l10n.t('Undo'), run }]);
  }

  /** Returns the names of the groups of these jobs by ID: those shown or hidden, else those of their codes. */
  #mutedAs(jobs: readonly Job[]): ReadonlyMap<string, string> {
    const facts = { locale, errorLabels: this.#services.facts.errorLabels };
    const { groups = [], muted = [] } = this.monitor.latest ?? {};
    const known = [...groups, ...muted.flatMap(({ group }) => group ?? [])];
    return new Map(
      jobs.flatMap((job): (readonly [string, string])[] => {
        if (job.status !== 'error')
          return isPartlyFailed(job) ? [[partlyFailedGroup, vscode.l10n.t('Failed in part')]] : [];
        const own = known.find((group) => group.jobs.some((each) => jobKey(each) === jobKey(job)));
        const named = own ?? { code: job.errorCode, pair: undefined, without: [] };
        return [[groupId(named), groupName(named, facts)]];
      }),
    );
  }

  /**
   * Undoes Mark as Handled or Mute.
   * @param marked action, on a connection that may no longer be the current one; by default one on the current connection, which the user
   *   selects if there are several
   * @throws UserError if it cannot be written
   */
  async undoHandled(marked?: MarkedAct): Promise<void> {
    const { l10n } = vscode;
    const answer = marked === undefined ? await this.#chooseAct() : ({ type: 'picked', value: marked } as const);
    if (answer === undefined) return showBriefly(l10n.t('Nothing to undo'));
    if (answer.type !== 'picked') return;
    const { act, owner } = answer.value;
    const isDone = await written(
      this.#isInUse(owner) ? this.monitor.undoHandled(act) : this.#undoElsewhere(answer.value),
    );
    // The message of an action stays visible when the command undoes it.
    showBriefly(isDone ? l10n.t('Undone') : l10n.t('This was already undone'));
  }

  /** Returns the only action that can be undone, or prompts for one; undefined if there is none. */
  async #chooseAct(): Promise<PickAnswer<MarkedAct> | undefined> {
    const owner = this.#services.service.current?.connection;
    const read = await this.monitor.readMarked();
    if (owner === undefined || read === undefined) return undefined;
    const { clock, facts, settings } = this.#services;
    const choices = undoChoices(read.marks, read.failed, read.atMs, {
      locale,
      errorLabels: facts.errorLabels,
      times: settings.get('times'),
      nowMs: clock.now(),
    }).map(({ act, ...choice }) => ({ ...choice, value: { act, owner } }));
    const [first, ...others] = choices;
    if (first === undefined) return undefined;
    if (others.length === 0) return { type: 'picked', value: first.value };
    return pickOne<MarkedAct>({
      title: vscode.l10n.t('Undo'),
      placeholder: vscode.l10n.t('Select what to undo'),
      choices,
      canGoBack: false,
    });
  }

  /**
   * Marks failed jobs as handled, on the current or another connection. For an unknown job, the mark covers any failure.
   * @param loaded returns a job of the current connection
   * @throws NodeJS.ErrnoException if the marks cannot be written
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
    await (isInUse ? this.monitor.markHandled(marked) : this.handled.mark({ name, baseUrl }, marked, undefined));
  }

  /** Copies a report about the failures of these nodes; asks the user whether to include metadata. */
  copyReport(nodes: readonly TreeNode[]): Promise<void> {
    return this.#copyReportOf(this.#groupsOf(nodes), this.attention);
  }

  /**
   * Does the same for jobs.
   * @param rows the chosen rows: if those of Needs attention have groups, the report is the same as from there
   */
  copyReportOfJobs(failed: readonly Job[], rows: readonly TreeNode[] = []): Promise<void> {
    const shown = rows.every(isAttentionNode) ? this.#groupsOf(rows) : [];
    return shown.length > 0
      ? this.#copyReportOf(shown, this.attention)
      : this.#copyReportOf(groupFailures(failed), undefined);
  }

  /** @param attention what the groups are from; undefined for jobs that the user chose */
  async #copyReportOf(groups: readonly FailureGroup[], attention: Attention | undefined): Promise<void> {
    const { l10n } = vscode;
    const connection = this.#services.service.current?.connection;
    if (connection === undefined || groups.length === 0) return;
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
    const { facts, service } = this.#services;
    const labels = facts.errorLabels;
    const report = supportReport(groups, {
      origin: originOf(connection.baseUrl),
      all: (attention?.groups ?? groups).reduce((sum, { jobs }) => sum + jobs.length, 0),
      filter: attention && describeReported(attention.sinceMs),
      nowMs: this.#services.clock.now(),
      labelOf: (code) => (Object.hasOwn(labels, String(code)) ? labels[String(code)] : undefined),
      withMetadata: answer.value,
      mask: (text) => service.keyMask.applyToBeginning(text),
      maskJson: (json) => maskBeginning(json, service.keyMask),
    });
    await vscode.env.clipboard.writeText(report);
    showBriefly(l10n.t('Report copied'));
  }

  /** Searches for the job of a submission with an unknown outcome. @throws Failure */
  async findSubmission(key: string): Promise<void> {
    const submission = this.attention?.unknown.find((each) => each.key === key);
    if (submission === undefined) return;
    await this.#services.actions.submit.findJobOf(submission);
    await this.monitor.lookAgain();
  }

  async #undoElsewhere({ act, owner }: MarkedAct): Promise<boolean> {
    if ((await this.handled.read(owner)).undone.has(act)) return false;
    await this.handled.undo(owner, act);
    return true;
  }

  #isInUse({ name, baseUrl }: JournalOwner): boolean {
    const inUse = this.#services.service.current?.connection;
    return inUse?.name === name && originOf(inUse.baseUrl) === originOf(baseUrl);
  }

  /** Returns the failures and partly failed jobs of nodes, each once. Other nodes of jobs are those of a list. */
  #failuresOf(nodes: readonly TreeNode[]): readonly Job[] {
    const { attention } = this;
    const partly = nodes.flatMap((node) => {
      if (node.type === 'job') {
        const job = this.#services.jobs.get(node.kind, node.id);
        return job !== undefined && (job.status === 'error' || isPartlyFailed(job)) ? [job] : [];
      }
      if (attention === undefined) return [];
      if (node.type === 'partlyFailed') return attention.partlyFailed;
      return node.type === 'attentionJob' && node.group === partlyFailedGroup
        ? (attentionJobOf(node, attention) ?? [])
        : [];
    });
    return [...new Set([...this.#groupsOf(nodes).flatMap(({ jobs }) => jobs), ...partly])];
  }

  /** Returns the jobs loaded from this service that are done although a part of their result failed. Checks each job once. */
  #listPartlyFailed(): readonly Job[] {
    const { jobs: loaded, service } = this.#services;
    const connection = service.current?.connection;
    const at = connection === undefined ? '' : JSON.stringify([connection.name, connection.baseUrl]);
    if (at !== this.#partlyFailedAt) this.#partlyFailed.clear();
    this.#partlyFailedAt = at;
    for (const entry of loaded.kinds().flatMap((kind) => loaded.lists(kind).flatMap(({ jobs }) => jobs.entries))) {
      if (entry.type !== 'job') continue;
      const isPartly = this.#isPartlyFailed.get(entry) ?? isPartlyFailed(entry);
      this.#isPartlyFailed.set(entry, isPartly);
      if (isPartly) this.#partlyFailed.set(jobKey(entry), entry);
      else if (this.#partlyFailed.size > 0) this.#partlyFailed.delete(jobKey(entry));
    }
    return [...this.#partlyFailed.values()];
  }

  /** Returns groups as shown for group nodes; single jobs are grouped among themselves. */
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

  #updateWatched(): void {
    this.monitor.setWatched(this.#services.view.visible, vscode.window.state.focused);
  }

  #showBadge(): void {
    const { attention } = this;
    const count = attention?.amounts.total.count ?? 0;
    this.#services.view.setBadge(
      'attention',
      attention === undefined || count === 0 ? undefined : { value: count, tooltip: badgeText(attention) },
    );
  }

  #showOverdue(attention: Attention): void {
    const { log, actions } = this.#services;
    const run = (): Promise<void> => runCommand(log, () => actions.tree.showAttention({ type: 'overdue' }, true));
    void showMessage('warning', overdueMessage(attention), [{ title: vscode.l10n.t('Show'), run }]);
  }
}

function maskBeginning(json: string, keyMask: KeyMask): string {
  const steps = keyMask.applyToJson(json.slice(0, beginningCharacters));
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Marks or mutes of one moment, on a connection. */
interface MarkedAct {
  readonly act: string;
  readonly owner: JournalOwner;
}

/** For how long failures are hidden; undefined: until it stops. */
interface MuteTime {
  readonly forMs: number | undefined;
}

function muteTimes(): readonly { readonly label: string; readonly detail?: string; readonly value: MuteTime }[] {
  const { l10n } = vscode;
  return [
    { label: l10n.t('For an Hour'), value: { forMs: hourMs } },
    { label: l10n.t('For a Day'), value: { forMs: dayMs } },
    {
      label: l10n.t('Until It Stops'),
      detail: l10n.t('When none has failed for an hour, they are shown again'),
      value: { forMs: undefined },
    },
  ];
}

/** @throws UserError if the marks could not be written */
async function written<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(vscode.l10n.t('Nothing was changed because it could not be saved: {0}', why));
  }
}
