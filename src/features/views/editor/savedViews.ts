import * as vscode from 'vscode';
import { bad, good } from '../../../base/checkedText.ts';
import { describeFilter } from '../../../jobs/common/describeFilter.ts';
import { isUnfiltered, type JobFilter } from '../../../jobs/common/jobFilter.ts';
import {
  maxViewNameLength,
  savedViewsSetting,
  viewName,
  writtenName,
  writtenView,
  type SavedView,
} from '../common/savedView.ts';
import { asTreeNode } from '../../tree/common/commandArguments.ts';
import { jobKinds } from '../../../jobs/common/job.ts';
import type { SavedViewNode, TreeNode } from '../../tree/common/jobTree.ts';
import type { Locale } from '../../../base/format.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { ViewCounts } from '../node/viewCounts.ts';
import { askInModal, showBriefly, UserError } from '../../../platform/editor/messages.ts';
import { commandIds, showViewCommand } from '../../../platform/editor/ids.ts';
import { registerCommand, runCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import { inspectSetting } from '../../../settings.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { askText } from '../../../platform/editor/inputBox.ts';
import { writeSetting } from '../../../writeSetting.ts';
import { sumCounts, viewCountItem, viewItem } from './viewItems.ts';
import type { Services } from '../../../services.ts';

const shape = savedViewsSetting();

/** Proposes a name for a view with this filter: its conditions, as far as they fit. */
export function proposeViewName(filter: JobFilter, locale: Locale): string {
  return oneLine(describeFilter(filter, locale), maxViewNameLength);
}

/** Creates the saved views with their commands. */
export function registerSavedViews(services: Services): SavedViews {
  const views = new SavedViews(services);
  const { log } = services;
  views.own(registerCommand(log, commandIds.saveView, () => views.save()));
  views.own(registerCommand(log, commandIds.renameView, (node) => views.rename(node)));
  views.own(registerCommand(log, commandIds.removeView, (node) => views.remove(node)));
  views.own(
    vscode.commands.registerCommand(showViewCommand, (node: unknown) => runCommand(log, () => views.show(node))),
  );
  return views;
}

/** The saved filters below the kinds (contract 4.5): rows, counts, commands and the badge. */
export class SavedViews extends DisposableOwner {
  readonly #services: Services;
  readonly #counts: ViewCounts;
  readonly #changed = this.own(new vscode.EventEmitter<readonly SavedViewNode[] | undefined>());
  /** Fires with the nodes whose rows have changed; with undefined if the views themselves have. */
  readonly onDidChange = this.#changed.event;
  /** Cached value of the setting until it changes: rows are rendered more often. */
  #read: readonly SavedView[] | undefined;

  constructor(services: Services) {
    super();
    this.#services = services;
    const { log, clock, settings, connections, service, view } = services;
    this.#counts = this.own(
      new ViewCounts({
        clock,
        service: () => service.current,
        onError: (error) => log.error(`views: ${String(error)}`),
      }),
    );
    this.own(
      this.#counts.onDidChange((view) => {
        this.#changed.fire([
          { type: 'view', view },
          ...jobKinds.map((kind) => ({ type: 'viewCount', view, kind }) as const),
        ]);
        this.#showBadge();
      }),
    );
    this.own(
      settings.onDidChange((change) => {
        if (change.affects('views')) this.#reset();
      }),
    );
    this.own(connections.onDidChange(() => this.#reset()));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#reset()));
    this.own({ dispose: () => view.setBadge('view', undefined) });
    // Counts the badge whenever the view becomes visible.
    this.own(view.onDidChangeVisibility(() => this.#countBadge()));
    this.#countBadge();
  }

  /** Returns the views in the order of the setting. An untrusted folder may define views, but they are not counted automatically. */
  get views(): readonly SavedView[] {
    return (this.#read ??= this.#readSetting());
  }

  #readSetting(): readonly SavedView[] {
    const views = this.#services.settings.getAs('views', shape);
    if (vscode.workspace.isTrusted || inspectSetting('views')?.workspaceValue === undefined) return views;
    return views.map((each) => ({ ...each, isBadge: false }));
  }

  /** Returns the rows below a view after counting them. */
  async expand(name: string): Promise<void> {
    const view = this.#find(name);
    if (view !== undefined) await this.#counts.count(view.name, view.filter);
  }

  /** Recounts the views that have been counted, and the badge. */
  async refresh(): Promise<void> {
    const badge = this.#badge;
    await this.#counts.recount((name) => this.#find(name)?.filter, badge === undefined ? [] : [badge.name]);
  }

  /** Undefined if the view no longer exists. */
  item(node: SavedViewNode): vscode.TreeItem | undefined {
    const view = this.#find(node.view);
    const counts = this.#counts.get(node.view);
    if (view === undefined) return undefined;
    return node.type === 'view'
      ? viewItem(view, counts, node, locale)
      : viewCountItem(
          node.kind,
          jobKinds.map((kind) => (kind === node.kind ? counts?.get(kind) : undefined)).find(Boolean),
          node,
          locale,
          this.#services.settings.get('times'),
        );
  }

  get #badge(): SavedView | undefined {
    return this.views.find(({ isBadge }) => isBadge);
  }

  #find(name: string): SavedView | undefined {
    return this.views.find((each) => each.name === name);
  }

  #reset(): void {
    this.#read = undefined;
    this.#counts.clear();
    this.#changed.fire(undefined);
    this.#showBadge();
    this.#countBadge();
  }

  #countBadge(): void {
    const badge = this.#badge;
    if (badge === undefined || !this.#services.view.visible) return;
    void runQuietly(this.#services.log, () => this.#counts.count(badge.name, badge.filter));
  }

  #showBadge(): void {
    const badge = this.#badge;
    const total = badge && sumCounts(this.#counts.get(badge.name));
    if (badge === undefined || total === undefined || total.count === 0)
      return this.#services.view.setBadge('view', undefined);
    const tooltip = total.isExact
      ? vscode.l10n.t('{0}: {1} jobs', badge.name, total.count)
      : vscode.l10n.t('{0}: at least {1} jobs', badge.name, total.count);
    this.#services.view.setBadge('view', { value: total.count, tooltip });
  }

  /** Filters by the view of a row. @param given may be anything. */
  async show(given: unknown): Promise<void> {
    const view = this.#given(given);
    if (view !== undefined) await this.#services.filters.set(view.filter);
  }

  /** Saves the current filter under a name. @throws UserError when there is none, or the settings cannot be written */
  async save(): Promise<void> {
    const filter = this.#services.jobs.filter;
    if (isUnfiltered(filter)) throw new UserError(vscode.l10n.t('Set a filter first; a view is a filter with a name.'));
    const name = await this.#askName(vscode.l10n.t('Save Filter as View'), proposeViewName(filter, locale), '');
    if (name === undefined) return;
    await this.#write((entries) => [...entries, writtenView({ name, filter, isBadge: false })]);
    showBriefly(vscode.l10n.t('Saved the view "{0}"', name));
  }

  /** @param given may be anything. @throws UserError when the settings cannot be written */
  async rename(given: unknown): Promise<void> {
    const view = this.#given(given);
    if (view === undefined) return;
    const name = await this.#askName(vscode.l10n.t('Rename View'), view.name, view.name);
    if (name === undefined || name === view.name) return;
    await this.#write((entries) =>
      entries.map((entry) => (writtenName(entry) === view.name ? writtenView({ ...view, name }) : entry)),
    );
  }

  /** Removes a view after confirmation. @param given may be anything. @throws UserError when the settings cannot be written */
  async remove(given: unknown): Promise<void> {
    const view = this.#given(given);
    if (view === undefined) return;
    const remove = vscode.l10n.t('Remove');
    const question = vscode.l10n.t('Remove the view "{0}"?', view.name);
    if ((await askInModal('information', question, [], [remove])) !== remove) return;
    await this.#write((entries) => entries.filter((entry) => writtenName(entry) !== view.name));
  }

  #given(given: unknown): SavedView | undefined {
    const node: TreeNode | undefined = asTreeNode(given);
    return node?.type === 'view' || node?.type === 'viewCount' ? this.#find(node.view) : undefined;
  }

  /** @param former the current name of the view, which is not a duplicate */
  async #askName(title: string, typed: string, former: string): Promise<string | undefined> {
    const answer = await askText({
      title,
      prompt: vscode.l10n.t('Name of the view'),
      typed,
      canGoBack: false,
      check: (text) => {
        const name = viewName(text);
        if (name === undefined) return bad(vscode.l10n.t('Enter a short name.'));
        const isTaken = name !== former && this.#find(name) !== undefined;
        return isTaken ? bad(vscode.l10n.t('This view already exists.')) : good(name);
      },
    });
    return answer.type === 'next' ? answer.text : undefined;
  }

  /** Changes the setting where it is in effect: in the workspace if it defines views, otherwise for the user. */
  async #write(change: (entries: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const inspected = inspectSetting('views');
    const ofWorkspace: unknown = inspected?.workspaceValue;
    const entries = ofWorkspace ?? inspected?.globalValue ?? [];
    const target = ofWorkspace === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    await writeSetting('views', change(Array.isArray(entries) ? entries : []), target);
  }
}
