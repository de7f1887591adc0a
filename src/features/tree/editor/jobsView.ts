import * as vscode from 'vscode';
import { minuteMs } from '../../../base/time.ts';
import type { Job, ListEntry } from '../../../jobs/common/job.ts';
import { isUnfiltered } from '../../../jobs/common/jobFilter.ts';
import {
  listChildNodes,
  nodeId,
  type AttentionNode,
  type AttentionTree,
  type TreeArrangement,
  type TreeNode,
  type TreeSource,
} from '../common/jobTree.ts';
import { readJobOrder, type JobOrder } from '../../../jobs/common/jobOrder.ts';
import { decideViewState, type ViewState } from '../common/viewState.ts';
import { hasKind, listId, type ListKey } from '../../../jobs/common/listKey.ts';
import type { ListQuery } from '../../../jobs/common/listParams.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import type { ServiceHealth } from '../../../jobs/node/serviceHealth.ts';
import type { JobPoller } from '../../../jobs/node/store/jobPoller.ts';
import type { ActiveConnection } from '../../../connections/editor/activeConnection.ts';
import { contextKeys, viewIds } from '../../../platform/editor/ids.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { focusJobsView } from '../../../platform/editor/messages.ts';
import { asTreeNode, entriesOf, listOf, rowsOf, type LoadedEntries } from '../common/commandArguments.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { JobTreeItems, type AttentionRows, type SavedViewRows } from './jobTreeItems.ts';
import type { ItemFacts } from '../../../jobs/editor/jobItem.ts';
import { JobTreeProvider } from './jobTreeProvider.ts';
import { RowOpenings } from './rowOpenings.ts';
import { revealMoving } from '../node/revealMoving.ts';
import { askJobOrder, sortingBy, type JobSorting } from './jobSorting.ts';
import type { Services } from '../../../services.ts';

/** Needs attention, above the kinds. */
export interface AttentionSection extends AttentionRows {
  /** Needs attention as shown; undefined if nothing is known to need attention. */
  readonly attention: AttentionTree | undefined;
  readonly monitor: {
    readonly onDidChange: (listener: () => void) => Disposable;
    /** Returns a job that needs attention, which may be in no list. */
    job(kind: string, id: string): Job | undefined;
    /** Reads it again. */
    refresh(): Promise<void>;
  };
}

/** Key in the workspace state. */
const orderKey = 'jobOrder';
/** Interval at which ages are updated. */
const agingMs = minuteMs;

type JobNode = TreeNode & { readonly type: 'job' };

/** Jobs view: the tree, its message and welcome state, and its selection. */
export class JobsView extends DisposableOwner {
  readonly view: vscode.TreeView<TreeNode>;
  /** Fires when the user selects, expands, collapses or hovers a row, as far as the editor reports it. */
  readonly onDidInteract: vscode.Event<void>;
  readonly #touches = this.own(new vscode.EventEmitter<void>());
  readonly #services: Services;
  readonly #attention: AttentionSection;
  readonly #views: SavedViewRows;
  readonly #source: TreeSource;
  readonly #provider: JobTreeProvider;
  /** Entries that commands act on: loaded jobs, and jobs that need attention. */
  readonly #entries: LoadedEntries;
  readonly #closing = new AbortController();
  /** Position of each selected job at the time of selection. */
  #selectedPlaces = new Map<TreeNode, string>();
  /** Selected job that moved to another group while the view was hidden. */
  #movedUnseen: JobNode | undefined;
  /** With a filter, all kinds and groups are initially open. */
  readonly #openings: RowOpenings;
  #sorting: JobSorting | undefined;
  /** Undefined until the context key is first set, as is the state. */
  #filtered: boolean | undefined;
  #state: ViewState | undefined;
  #isConnected = false;
  #aging: Disposable | undefined;
  #poller: Pick<JobPoller, 'nextMs' | 'onDidPlan'> | undefined;

  constructor(services: Services, attention: AttentionSection, views: SavedViewRows) {
    super();
    this.onDidInteract = this.#touches.event;
    this.#services = services;
    this.#attention = attention;
    this.#views = views;
    const { jobs: store, clock, connections, facts, workspaceState } = services;
    this.#openings = new RowOpenings(workspaceState, services.log);
    this.#source = treeSource(
      store,
      connections,
      services.service.health,
      () => this.#isSample,
      () => attention.attention,
      views,
      () => this.#sorting,
    );
    this.#entries = {
      get: (kind, id) => store.get(kind, id) ?? attention.monitor.job(kind, id),
      list: (key) => store.list(key),
    };
    const rowFacts = (): ItemFacts =>
      this.#sorting ? { ...facts.now(), lengthOf: this.#sorting.lengthOf } : facts.now();
    const { health } = services.service;
    const items = new JobTreeItems({
      store,
      facts: rowFacts,
      attention,
      views,
      hasConnections: () => services.settings.get('connections').length > 0,
      isOpen: (node) => this.#openings.get(this.#idOf(node)),
      service: () => ({ slowSinceMs: health.slowSinceMs, trouble: health.trouble, nextTryMs: this.#poller?.nextMs }),
    });
    this.#provider = this.own(
      new JobTreeProvider({
        store,
        source: this.#source,
        items,
        attention: attention.monitor,
        views,
        health,
        isBlocked: () => this.#state !== 'ready' && this.#state !== 'noMatch',
        clock,
      }),
    );
    this.view = this.own(
      vscode.window.createTreeView(viewIds.jobs, {
        treeDataProvider: this.#provider,
        canSelectMany: true,
        showCollapseAll: true,
      }),
    );
    this.own({ dispose: () => this.#closing.abort() });
    this.#followServices();
    this.#followView();
    this.#update();
    const order = workspaceState.get(orderKey);
    if (order !== undefined) this.#sortBy(readJobOrder(order));
  }

  /** Shows the time of the next automatic refresh while the service can't be read. */
  usePoller(poller: Pick<JobPoller, 'nextMs' | 'onDidPlan'>): void {
    this.#poller = poller;
    this.own(poller.onDidPlan(() => this.#provider.updateConnection()));
  }

  #followServices(): void {
    const { jobs: store, connections, facts, view } = this.#services;
    this.own(store.onDidChange(() => this.#update()));
    this.own(connections.onDidChange(() => this.#update()));
    this.own(facts.onDidChange(() => this.redraw()));
    this.own(view.use(this.view));
    // Not on every change of the tree: between two lists that are read at the same time, a job has no place, or two.
    this.own(store.onDidChange(() => this.#followMoved()));
  }

  #followView(): void {
    this.own(this.#provider.onDidHover(() => this.#touches.fire()));
    this.own(
      this.#provider.onDidSettle(() => {
        // A row selected while the editor reads its list again is reported as no selection, and never again.
        if (this.#selectedPlaces.size === 0) this.#rememberPlaces(this.view.selection);
      }),
    );
    this.own(
      this.view.onDidChangeSelection(({ selection }) => {
        this.#rememberPlaces(selection);
        this.#touches.fire();
      }),
    );
    const noteOpening = (element: TreeNode, isOpen: boolean): void => {
      this.#openings.set(this.#idOf(element), isOpen, element.type !== 'view');
      this.#touches.fire();
    };
    this.own(this.view.onDidCollapseElement(({ element }) => noteOpening(element, false)));
    this.own(this.view.onDidExpandElement(({ element }) => noteOpening(element, true)));
    this.own(this.view.onDidChangeVisibility(() => this.#selectMovedUnseen()));
    this.own(this.view.onDidChangeVisibility(() => this.#age()));
    this.own({ dispose: () => this.#aging?.dispose() });
    this.#age();
  }

  /** Prompts for an order of the loaded jobs, and stores it for the next window. */
  async sort(): Promise<void> {
    const { workspaceState } = this.#services;
    const order = await askJobOrder(readJobOrder(workspaceState.get(orderKey)));
    if (order === undefined) return;
    this.#sortBy(order);
    await workspaceState.update(orderKey, order === 'newest' ? undefined : order);
  }

  #sortBy(order: JobOrder): void {
    this.#sorting = sortingBy(order, this.#services.clock, locale);
    this.redraw();
  }

  /** Redraws everything, for example after settings changed. */
  redraw(): void {
    this.#provider.redraw();
    this.#update();
  }

  /** Counts the jobs of the counted saved views again. The next refresh renders all rows, including unchanged ones. */
  prepareRefresh(): void {
    void runQuietly(this.#services.log, () => this.#views.refresh());
    this.#provider.invalidateRendered();
  }

  /** Returns the rows that a command acts on: its arguments, or the selection when called without any. */
  rowsOf(given: readonly unknown[]): readonly TreeNode[] {
    return rowsOf(given, this.view.selection);
  }

  /** Returns the items that a command acts on: its arguments, or the selection when called without any. Skips other nodes. */
  entriesOf(given: readonly unknown[]): readonly ListEntry[] {
    return entriesOf(rowsOf(given, this.view.selection), this.#entries);
  }

  /** Returns the jobs among those items. */
  jobsOf(given: readonly unknown[]): readonly Job[] {
    return this.entriesOf(given).filter((entry) => entry.type === 'job');
  }

  /** Returns the jobs among those items, and those of groups of failures, each once. */
  jobsWithin(given: readonly unknown[]): readonly Job[] {
    const rows = rowsOf(given, this.view.selection).flatMap((row) =>
      row.type === 'failureGroup' ? listChildNodes(row, this.#source) : [row],
    );
    return [...new Set(entriesOf(rows, this.#entries))].filter((entry) => entry.type === 'job');
  }

  /** Returns the node that a command was called on; the first selected node when called without one. */
  rowOf([row]: readonly unknown[]): TreeNode | undefined {
    return asTreeNode(row) ?? this.view.selection[0];
  }

  /** Returns the query of a list's node; undefined if a command was called on any other node. */
  queryOf(given: readonly unknown[]): ListQuery | undefined {
    const key = listOf(this.rowOf(given));
    return key === undefined ? undefined : this.#services.jobs.queryOf(key);
  }

  /** Reveals and selects the tree item of a loaded job. */
  async reveal(job: Pick<Job, 'kind' | 'id'>, focus = false): Promise<void> {
    const { selection } = this.view;
    const isFree = (): boolean => this.view.selection.every((node) => selection.includes(node));
    // A running job may move to another group meanwhile, and the user to another row.
    await revealMoving(
      () => this.#services.jobs.placeOf(job.kind, job.id) !== undefined && isFree(),
      async () => {
        const node = this.#provider.jobNode(job.kind, job.id);
        await this.#provider.whenSettled();
        await this.view.reveal(node, { select: true, focus });
        return this.view.selection.includes(node);
      },
      this.#services.clock,
      this.#closing.signal,
    );
  }

  /** Reveals and focuses a row of Needs attention; expands it on request. */
  async showAttention(row: AttentionNode, expand = false): Promise<void> {
    await focusJobsView();
    if (this.#attention.attention === undefined) return;
    const node = this.#provider.attentionNode(row);
    await this.#provider.whenSettled();
    await this.view.reveal(node, { select: false, focus: true, expand });
  }

  /** Refreshes the lists of a kind after a submission, and reveals the new job if the view is visible. */
  async showNew(kind: string, id: string | undefined): Promise<void> {
    const { jobs: store } = this.#services;
    const shown = store
      .kinds()
      .flatMap((each) => store.lists(each))
      .filter(({ key, loaded }) => hasKind(key, kind) && (loaded || key.status === 'queued'));
    await Promise.all(shown.map(({ key, loaded }) => (loaded ? store.reload(key) : store.load(key))));
    if (id !== undefined && this.view.visible) await this.reveal({ kind, id });
  }

  /** Focuses a job's tree item without selecting it, once the list has been rendered with it. */
  focusWhenListed(key: ListKey, job: Pick<Job, 'kind' | 'id'>): void {
    this.#provider.afterListing(key, () => {
      // The item or view may no longer exist; this is not an error.
      this.#focus(job).catch(() => undefined);
    });
  }

  async #focus({ kind, id }: Pick<Job, 'kind' | 'id'>): Promise<void> {
    const node = this.#provider.jobNode(kind, id);
    await this.#provider.whenSettled();
    // Revealing would bring the view to the front and expand what the user has collapsed.
    if (!this.view.visible || this.#isFolded({ kind, id })) return;
    await this.view.reveal(node, { select: false, focus: true });
  }

  /** Updates ages while they are visible. */
  #age(): void {
    this.#aging?.dispose();
    this.#aging = undefined;
    if (!this.view.visible) return;
    this.#provider.drawAges();
    this.#aging = this.#services.clock.after(agingMs, () => this.#age());
  }

  #update(): void {
    const { connections, jobs: store, filters } = this.#services;
    const { current } = connections;
    const filtered = !isUnfiltered(store.filter);
    const filterWords = filters.text;
    const description = [current?.name, filterWords].filter(Boolean).join(' · ');
    if ((this.view.description ?? '') !== description) this.view.description = description;
    if (filtered !== this.#filtered) void vscode.commands.executeCommand('setContext', contextKeys.filtered, filtered);
    this.#filtered = filtered;
    const state = decideViewState(connections.state.type, this.#source) ?? this.#state;
    // The only view of a container shows no description, and a view with a message shows no welcome text.
    const isListed = state === 'ready' || state === 'noMatch';
    const filterText = filtered ? [vscode.l10n.t('Filter: {0}', filterWords)] : [];
    const message = isListed
      ? [...filterText, ...(this.#sorting === undefined ? [] : [this.#sorting.text])].join(' · ')
      : '';
    if (this.view.message !== message) this.view.message = message;
    // Welcome texts are static, so the title names the connection.
    const title = isListed || !current ? vscode.l10n.t('Transcription Jobs') : current.name;
    if (this.view.title !== title) this.view.title = title;
    this.#noteConnected();
    if (state === undefined || state === this.#state) return;
    this.#state = state;
    void vscode.commands.executeCommand('setContext', contextKeys.state, isListed ? 'ready' : state);
    this.#provider.redraw();
  }

  get #isSample(): boolean {
    const { connections, sample } = this.#services;
    return connections.current === sample.connection;
  }

  #noteConnected(): void {
    const { jobs: store } = this.#services;
    if (this.#isConnected || this.#isSample) return;
    this.#isConnected = store.kinds().some((kind) => store.lists(kind).some(({ loaded }) => loaded));
    if (this.#isConnected) void vscode.commands.executeCommand('setContext', contextKeys.connected, true);
  }

  #rememberPlaces(selection: readonly TreeNode[]): void {
    // A row that left one list before it appeared in another was not deselected by the user: it is selected again when it is listed.
    const [only, ...others] = this.#selectedPlaces.keys();
    const isBetween = only !== undefined && others.length === 0 && this.#placeOf(only).length === 0;
    if (selection.length === 0 && isBetween) return;
    if (selection.length > 0) this.#movedUnseen = undefined;
    this.#selectedPlaces = new Map(selection.flatMap((node) => this.#placeOf(node)));
  }

  #placeOf(node: TreeNode): [TreeNode, string][] {
    const key = node.type === 'job' ? this.#services.jobs.placeOf(node.kind, node.id) : undefined;
    return key === undefined ? [] : [[node, listId(key)]];
  }

  /** Keeps a selected job selected when it moves to another loaded group. */
  #followMoved(): void {
    const [moved, ...others] = [...this.#selectedPlaces].filter(([node, place]) => {
      const now = this.#placeOf(node)[0]?.[1];
      return now !== undefined && now !== place;
    });
    const [node] = moved ?? [];
    if (node?.type === 'job' && others.length === 0) {
      this.#rememberPlaces([node]);
      this.#movedUnseen = node;
    }
    this.#selectMovedUnseen();
  }

  /** Selects the moved job, unless that would bring the view to the front or expand something. */
  #selectMovedUnseen(): void {
    const node = this.#movedUnseen;
    if (node === undefined || !this.view.visible) return;
    this.#movedUnseen = undefined;
    if (this.#isFolded(node)) return;
    // The job may no longer be listed, which is not an error, or not be rendered yet: then the next change tries again.
    const retry = (): void => {
      if (this.view.selection.length === 0 && this.#placeOf(node).length > 0) this.#movedUnseen ??= node;
    };
    this.reveal(node).then(retry, retry);
  }

  #isFolded({ kind, id }: Pick<Job, 'kind' | 'id'>): boolean {
    const key = this.#services.jobs.placeOf(kind, id);
    const above: readonly TreeNode[] = [
      { type: 'kind', kind: key === undefined ? kind : key.kind },
      ...(key === undefined ? [] : [{ type: 'group', key } as const]),
    ];
    return above.some((node) => this.#openings.get(this.#idOf(node)) === false);
  }

  #idOf(node: TreeNode): string {
    return nodeId(this.#services.facts.now().connection, node);
  }
}

/** Returns the source of the tree: the store's lists, and the state that determines the items above them. */
function treeSource(
  store: JobStore,
  connection: Pick<ActiveConnection, 'current'>,
  health: Pick<ServiceHealth, 'trouble'>,
  isSample: () => boolean,
  attention: () => AttentionTree | undefined,
  saved: Pick<SavedViewRows, 'views'>,
  arrangement: () => TreeArrangement | undefined,
): TreeSource {
  return {
    get attention() {
      return attention();
    },
    get arrangement() {
      return arrangement();
    },
    get isSample() {
      return isSample();
    },
    get listSource() {
      return connection.current?.listSource;
    },
    get filter() {
      return store.filter;
    },
    get trouble() {
      return health.trouble;
    },
    views: () => saved.views.map(({ name }) => name),
    kinds: () => store.kinds(),
    lists: (kind) => store.lists(kind),
    list: (key) => store.list(key),
  };
}
