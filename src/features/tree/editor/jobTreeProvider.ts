import * as vscode from 'vscode';
import { RenderedTree } from '../common/renderedTree.ts';
import { jobKey } from '../../../jobs/common/job.ts';
import {
  attentionBranches,
  attentionParent,
  isAttentionNode,
  isStale,
  type AttentionNode,
  listChildNodes,
  listBelow,
  nodeId,
  listRootNodes,
  type SavedViewNode,
  type TreeNode,
  type TreeSource,
} from '../common/jobTree.ts';
import { listId, type ListKey } from '../../../jobs/common/listKey.ts';
import { delay, type Clock } from '../../../base/clock.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import type { ServiceHealth } from '../../../jobs/node/serviceHealth.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import type { StoreChange } from '../../../jobs/node/store/listState.ts';
import type { JobTreeItems, SavedViewRows } from './jobTreeItems.ts';

/** Options of {@link JobTreeProvider}. */
export interface JobTreeOptions {
  readonly store: JobStore;
  readonly source: TreeSource;
  readonly items: JobTreeItems;
  /** Needs attention; `job` returns undefined for a job that no longer needs attention. */
  readonly attention?: {
    readonly onDidChange: vscode.Event<void>;
    job(kind: string, id: string): unknown;
  };
  /** While true, nothing is listed; the view's welcome text explains why. */
  readonly isBlocked: () => boolean;
  readonly clock: Clock;
  readonly views?: Pick<SavedViewRows, 'onDidChange' | 'expand'>;
  readonly health?: Pick<ServiceHealth, 'onDidChange'>;
}

/**
 * Time in milliseconds that the editor waits for the service when it requests children, also those of several nodes one after another.
 * After it, rows say that they are loading.
 */
const patienceMs = 400;
/** In milliseconds. A list that is busy for less shows no indicator, to avoid flicker. */
const busyShownAfterMs = 150;
/**
 * In milliseconds. Changes are reported this long after the editor's last request for children was answered. It requests those of several
 * nodes one after another and receives them together, and loses a change that is reported before: a list would be loading forever. One
 * that is reported together with them makes it show items without a handle: commands are then called without an argument until the next
 * change (microsoft/vscode#144250).
 */
const settleMs = 100;
/** Shows the state of the service. */
const connectionNode: TreeNode = { type: 'connectionNote' };
/** Number of nodes below which unlisted job nodes are kept. Above it, they are kept until there are twice as many nodes as listed jobs. */
const fewNodes = 1000;

/**
 * Tree data provider. Reading returns the store's content and at most triggers a load; changes are passed on per affected node, once per
 * turn of the event loop.
 */
export class JobTreeProvider extends DisposableOwner implements vscode.TreeDataProvider<TreeNode> {
  readonly onDidChangeTreeData: vscode.Event<TreeNode[] | undefined>;
  readonly #changes = this.own(new vscode.EventEmitter<TreeNode[] | undefined>());
  readonly #hovers = this.own(new vscode.EventEmitter<void>());
  /** Fires when the pointer rests on a row whose tooltip was not requested before. */
  readonly onDidHover = this.#hovers.event;
  readonly #settlements = this.own(new vscode.EventEmitter<void>());
  /** Fires once the editor has processed the children that it requested. */
  readonly onDidSettle = this.#settlements.event;
  readonly #options: JobTreeOptions;
  /** The editor identifies nodes by object identity, so each is created once. */
  readonly #nodes = new Map<string, TreeNode>();
  /** Cached lookups in {@link #nodes}. Avoids building IDs, the slowest part of rendering a long list. */
  #canonical = new WeakMap<TreeNode, TreeNode>();
  #sweepAt = fewNodes;
  readonly #rendered = new RenderedTree();
  readonly #touched = new Map<string, TreeNode>();
  /** Number of the editor's requests for children that are pending. */
  #requests = 0;
  /** Timer of children that the editor is still processing. */
  #settling: Disposable | undefined;
  /** Resolves when the editor has waited long enough for the service. */
  #patience = Promise.resolve();
  #waiting: Disposable | undefined;
  #afterListing: { readonly list: string; run(): void } | undefined;
  #all = false;
  /** True once the editor has requested the root. */
  #hasRoot = false;
  /** True if Needs attention was listed when the editor last requested the root. */
  #hasAttention = false;
  /** Timers of the next redraw: at the end of this turn, and when a list has been busy for `busyShownAfterMs`. */
  #turn: Disposable | undefined;
  #busy: Disposable | undefined;
  readonly #closing = new AbortController();

  constructor(options: JobTreeOptions) {
    super();
    this.#options = options;
    this.onDidChangeTreeData = this.#changes.event;
    this.own(options.store.onDidChange((change) => this.#noteChange(change)));
    if (options.views !== undefined) this.own(options.views.onDidChange((nodes) => this.#noteViews(nodes)));
    if (options.attention !== undefined) this.own(options.attention.onDidChange(() => this.#noteAttention()));
    if (options.health !== undefined) this.own(options.health.onDidChange(() => this.#noteService()));
    this.own({ dispose: () => this.#stopTimers() });
  }

  /** Returns the node of a job, for the view to reveal. */
  jobNode(kind: string, id: string): TreeNode {
    return this.#canonicalNode({ type: 'job', kind, id });
  }

  /** Returns the node of a row of Needs attention, for the view to reveal. */
  attentionNode(node: AttentionNode): TreeNode {
    return this.#canonicalNode(node);
  }

  /** Runs a callback when the editor next requests the children of a list. A later call replaces an earlier one. */
  afterListing(key: ListKey, run: () => void): void {
    this.#afterListing = { list: listId(key), run };
  }

  /**
   * Resolves once the editor has processed the children that it requested. With two concurrent requests for the same children (revealing
   * an item is one), the editor drops the first response (microsoft/vscode#192055).
   * @throws Failure `cancelled` once the tree is disposed
   */
  async whenSettled(): Promise<void> {
    do await delay(this.#options.clock, settleMs, this.#closing.signal);
    while (this.#isSettling);
  }

  /** Redraws everything, for example after settings changed. */
  redraw(): void {
    this.#options.items.clear();
    this.#all = true;
    this.#schedule();
  }

  /** Renders the rows whose displayed age has changed, and no others: the newest of each list. Sends no request to the service. */
  drawAges(): void {
    const { store, items, source } = this.#options;
    const lists = store.kinds().flatMap((kind) => store.lists(kind).map(({ key }) => this.#listNode(key)));
    const branches = source.attention === undefined ? [] : attentionBranches(source.attention);
    for (const node of [...lists, ...branches.map((branch) => this.#canonicalNode(branch))]) {
      for (const row of this.#rendered.staleRows(this.#idOf(node), (each) => items.item(each))) this.#touch(row);
    }
    if (this.#touched.size > 0) this.#schedule();
  }

  /** Renders each list again with its next change, including unchanged rows: for a user who sees that something is missing. */
  invalidateRendered(): void {
    this.#rendered.clear();
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = this.#options.items.item(node);
    this.#rendered.look(node, item);
    return item;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!this.#isSettling && !this.isDisposed) this.#beginWaiting();
    this.#requests++;
    try {
      return await this.#children(node);
    } finally {
      this.#requests--;
      this.#settleLater();
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    if (node.type === 'viewCount') return this.#canonicalNode({ type: 'view', view: node.view });
    if (isAttentionNode(node)) {
      const parent = attentionParent(node, this.#options.source.attention);
      return parent && this.#canonicalNode(parent);
    }
    const key =
      'key' in node ? node.key : node.type === 'job' ? this.#options.store.placeOf(node.kind, node.id) : undefined;
    if (key === undefined) return undefined;
    return node.type === 'group' ? this.#canonicalNode({ type: 'kind', kind: key.kind }) : this.#listNode(key);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    this.#hovers.fire();
    const tooltip = this.#options.items.tooltip(node);
    if (tooltip !== undefined) item.tooltip = tooltip;
    return item;
  }

  async #children(node: TreeNode | undefined): Promise<TreeNode[]> {
    if (node === undefined) {
      this.#hasRoot = true;
      this.#hasAttention = this.#options.source.attention !== undefined;
      return this.#options.isBlocked()
        ? []
        : listRootNodes(this.#options.source).map((each) => this.#canonicalNode(each));
    }
    const below = listBelow(node, this.#options.source);
    // The editor renders nothing, not even what has changed above, before it has all rows. It shows its own progress until then.
    if (below !== undefined) await Promise.race([this.#options.store.load(below), this.#patience]);
    if (node.type === 'view') await Promise.race([this.#options.views?.expand(node.view), this.#patience]);
    const next = this.#afterListing;
    if (below !== undefined && next?.list === listId(below)) {
      this.#afterListing = undefined;
      next.run();
    }
    const rows = this.#rowsBelow(node);
    this.#rendered.list(this.#idOf(node), rows);
    return rows;
  }

  #rowsBelow(node: TreeNode): TreeNode[] {
    return listChildNodes(node, this.#options.source).map((each) => this.#canonicalNode(each));
  }

  #beginWaiting(): void {
    this.#waiting?.dispose();
    this.#patience = new Promise((resolve) => {
      this.#waiting = this.#options.clock.after(patienceMs, resolve);
    });
  }

  get #isSettling(): boolean {
    return this.#requests > 0 || this.#settling !== undefined;
  }

  #settleLater(): void {
    this.#settling?.dispose();
    this.#settling = this.isDisposed ? undefined : this.#options.clock.after(settleMs, () => this.#settle());
  }

  #settle(): void {
    this.#settling = undefined;
    if (this.#isSettling) return;
    this.#waiting?.dispose();
    this.#settlements.fire();
    if (this.#all || this.#touched.size > 0) this.#schedule();
  }

  #noteChange(change: StoreChange): void {
    if (change.type === 'reset') {
      this.#nodes.clear();
      this.#canonical = new WeakMap();
      this.#options.items.clear();
      this.#all = true;
      this.#schedule();
      return;
    }
    this.#sweep();
    let rowsChanged = change.kinds;
    this.#all ||= change.kinds;
    for (const key of change.lists) {
      const { activity } = this.#options.store.list(key);
      // A list that is busy for long shows it in its last item, which is cheap to redraw regardless of the list's length.
      if (activity === 'loadingMore') this.#touch(this.#canonicalNode({ type: 'loadMore', key }));
      // The editor's pending request returns the children; only the count above them needs a redraw.
      if (activity !== 'none') continue;
      if (this.#touchStale(this.#listNode(key))) rowsChanged = true;
    }
    if (this.#touchConnection()) rowsChanged = true;
    for (const id of change.jobs) {
      const node = this.#nodes.get(`job ${id}`);
      if (node === undefined) continue;
      rowsChanged = true;
      this.#touch(node);
    }
    if (rowsChanged) this.#schedule();
    else if (this.#touched.size > 0) this.#busy ??= this.#options.clock.after(busyShownAfterMs, () => this.#fire());
  }

  /** Renders only changes in Needs attention; everything when it appears or disappears. */
  #noteAttention(): void {
    const { attention } = this.#options.source;
    if ((attention !== undefined) !== this.#hasAttention) {
      this.#all = true;
      this.#schedule();
      return;
    }
    if (attention === undefined) return;
    this.#sweep();
    for (const branch of attentionBranches(attention)) this.#touchStale(this.#canonicalNode(branch));
    if (this.#touched.size > 0) this.#schedule();
  }

  /** Renders a node or its rows again if they look different now. Returns true if there are any. */
  #touchStale(node: TreeNode): boolean {
    const { items } = this.#options;
    const stale = this.#rendered.stale(
      node,
      this.#idOf(node),
      () => this.#rowsBelow(node),
      (each) => items.item(each),
    );
    for (const each of stale) this.#touch(each);
    return stale.length > 0;
  }

  /** Renders the row of the connection, and those of failures that it shows instead, or no longer shows. */
  #noteService(): void {
    const { store } = this.#options;
    let isChanged = this.#touchConnection();
    for (const list of store.kinds().flatMap((kind) => store.lists(kind))) {
      const isWaiting = isStale(list) && list.activity === 'none';
      if (isWaiting && this.#touchStale(this.#listNode(list.key))) isChanged = true;
    }
    if (isChanged) this.#schedule();
  }

  /** Renders the row of the connection again if its text has changed. */
  updateConnection(): void {
    if (this.#touchConnection()) this.#schedule();
  }

  #touchConnection(): boolean {
    const node = this.#canonicalNode(connectionNode);
    const isOutdated = this.#hasRoot && this.#rendered.isOutdated(node, this.#options.items.item(node));
    if (isOutdated) this.#touch(node);
    return isOutdated;
  }

  #noteViews(nodes: readonly SavedViewNode[] | undefined): void {
    if (nodes === undefined) this.#all = true;
    for (const node of nodes ?? []) this.#touch(this.#canonicalNode(node));
    this.#schedule();
  }

  #listNode(key: ListKey): TreeNode {
    const kindNode = this.#canonicalNode({ type: 'kind', kind: key.kind });
    const below = listBelow(kindNode, this.#options.source);
    return below !== undefined && listId(below) === listId(key)
      ? kindNode
      : this.#canonicalNode({ type: 'group', key });
  }

  #touch(node: TreeNode): void {
    this.#touched.set(this.#idOf(node), node);
  }

  #schedule(): void {
    if (!this.isDisposed) this.#turn ??= this.#options.clock.after(0, () => this.#fire());
  }

  #stopTimers(): void {
    for (const timer of [this.#turn, this.#busy, this.#settling, this.#waiting]) timer?.dispose();
    this.#closing.abort();
  }

  #fire(): void {
    this.#turn?.dispose();
    this.#busy?.dispose();
    this.#turn = undefined;
    this.#busy = undefined;
    if (this.#isSettling) return;
    if (this.#all) {
      this.#all = false;
      this.#touched.clear();
      this.#rendered.clear();
      this.#changes.fire(undefined);
      return;
    }
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const [id] of touched) this.#rendered.forget(id);
    if (touched.length > 0) this.#changes.fire(touched.map(([, node]) => node));
  }

  #idOf(node: TreeNode): string {
    return node.type === 'job' ? `job ${jobKey(node)}` : nodeId('', node);
  }

  #canonicalNode(node: TreeNode): TreeNode {
    const canonical = this.#canonical.get(node);
    if (canonical !== undefined) return canonical;
    const id = this.#idOf(node);
    const known = this.#nodes.get(id) ?? node;
    this.#nodes.set(id, known);
    this.#canonical.set(node, known);
    return known;
  }

  /** The editor finds its rows by their IDs: a job that returns after this has a new node, which replaces the old one. */
  #sweep(): void {
    if (this.#nodes.size < this.#sweepAt) return;
    for (const [id, node] of this.#nodes) {
      const isGone =
        node.type === 'job'
          ? this.#options.store.placeOf(node.kind, node.id) === undefined
          : node.type === 'attentionJob' && this.#options.attention?.job(node.kind, node.id) === undefined;
      if (isGone) this.#nodes.delete(id);
    }
    this.#canonical = new WeakMap();
    this.#sweepAt = Math.max(fewNodes, 2 * this.#nodes.size);
  }
}
