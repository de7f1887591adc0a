import { jobContext, partlyFailedIcon, statusIcon, type ItemFacts } from '../../../jobs/editor/jobItem.ts';
import * as vscode from 'vscode';
import {
  ageInMinutes,
  describeCount,
  formatJobAge,
  buildJobRow,
  type RowFacts,
  describeStatus,
  describeListKey,
} from '../../../jobs/common/jobRow.ts';
import { isJobKind, type Job } from '../../../jobs/common/job.ts';
import {
  isAttentionNode,
  isExplained,
  isStale,
  nodeId,
  type AttentionNode,
  type SavedViewNode,
  type TreeNode,
} from '../common/jobTree.ts';
import { isQueryable } from '../../../jobs/common/listKey.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import type { ServiceTrouble } from '../../../jobs/node/serviceHealth.ts';
import type { ListState } from '../../../jobs/node/store/listState.ts';
import { commandIds, type CommandId } from '../../../platform/editor/ids.ts';
import { isUnfiltered } from '../../../jobs/common/jobFilter.ts';
import { describeListTrouble, describeServiceTrouble, describeSlowness } from './describeListTrouble.ts';
import { shortenLabel } from '../common/shortenLabel.ts';
import { jobTooltip } from '../../../jobs/editor/jobTooltip.ts';

/** Renders the nodes of Needs attention. */
export interface AttentionRows {
  /** @param isOpen true or false if the user has opened or closed the node; undefined otherwise */
  item(node: AttentionNode, facts: ItemFacts, isOpen?: boolean): vscode.TreeItem | undefined;
  tooltip(node: AttentionNode & { readonly type: 'attentionJob' }, facts: ItemFacts): string | undefined;
}

/** State of the service. */
export interface ServiceFacts {
  /** Undefined if it isn't slow. */
  readonly slowSinceMs: number | undefined;
  readonly trouble?: ServiceTrouble | undefined;
  /** Time of the next automatic attempt to read the lists, in milliseconds since the epoch. */
  readonly nextTryMs: number | undefined;
}

/** Renders the rows of saved views, and counts the jobs of an expanded view. */
export interface SavedViewRows {
  readonly onDidChange: vscode.Event<readonly SavedViewNode[] | undefined>;
  readonly views: readonly { readonly name: string }[];
  item(node: SavedViewNode): vscode.TreeItem | undefined;
  expand(name: string): Promise<void>;
  refresh(): Promise<void>;
}

/** Item of a job with its displayed age. */
interface RenderedRow {
  readonly item: vscode.TreeItem;
  readonly age: string | undefined;
  /** See {@link ageInMinutes}. */
  readonly minutes: number | undefined;
}

/** Options of {@link JobTreeItems}. */
interface JobTreeItemsOptions {
  readonly store: JobStore;
  readonly facts: () => ItemFacts;
  readonly attention?: AttentionRows;
  readonly views?: SavedViewRows;
  /** True if the user has connections other than the sample. */
  readonly hasConnections?: () => boolean;
  /** True or false if the user has opened or closed a node; undefined otherwise. */
  readonly isOpen?: (node: TreeNode) => boolean | undefined;
  readonly service?: () => ServiceFacts;
}

/** Renders nodes as tree items. A job's item is cached until its content changes. */
export class JobTreeItems {
  readonly #store: JobStore;
  readonly #facts: () => ItemFacts;
  readonly #attention: AttentionRows | undefined;
  readonly #views: SavedViewRows | undefined;
  readonly #hasConnections: () => boolean;
  readonly #isOpen: (node: TreeNode) => boolean | undefined;
  readonly #service: () => ServiceFacts;
  #rendered = new WeakMap<TreeNode, { readonly text: string; readonly item: vscode.TreeItem }>();
  /** Cache by rendered job, which avoids reading the job again: the editor requests every row of a long list when one is added. */
  #rows = new WeakMap<Job, RenderedRow>();

  constructor({
    store,
    facts,
    attention,
    views,
    hasConnections = () => false,
    isOpen = () => undefined,
    service = () => ({ slowSinceMs: undefined, nextTryMs: undefined }),
  }: JobTreeItemsOptions) {
    this.#store = store;
    this.#facts = facts;
    this.#attention = attention;
    this.#views = views;
    this.#hasConnections = hasConnections;
    this.#isOpen = isOpen;
    this.#service = service;
  }

  /** Clears the cache, for example after the connection or settings changed. */
  clear(): void {
    this.#rendered = new WeakMap();
    this.#rows = new WeakMap();
  }

  item(node: TreeNode): vscode.TreeItem {
    const facts = this.#facts();
    if (isAttentionNode(node)) return this.#attentionItem(node, facts);
    switch (node.type) {
      case 'job':
        return this.#jobItem(node, facts);
      case 'view':
      case 'viewCount':
        return identified(this.#views?.item(node) ?? new vscode.TreeItem(''), node, facts);
      case 'kind':
        return this.#withFilterId(identified(this.#kindItem(node, facts), node, facts));
      case 'group':
        return this.#withFilterId(identified(this.#groupItem(node, facts), node, facts));
      case 'connectionNote':
        return identified(this.#connectionItem(facts, node), node, facts);
      case 'loading':
        return identified(loadingItem(), node, facts);
      case 'loadMore':
        return identified(loadMoreItem(node, this.#store.list(node.key)), node, facts);
      case 'sampleNote':
        return identified(this.#sampleItem(node), node, facts);
      case 'noMatch':
      case 'deprecatedNote':
      case 'unreadable':
      case 'failure':
      case 'notice':
      case 'empty':
        return identified(noteItem(node, this.#store, facts), node, facts);
    }
  }

  /** Returns the tooltip of a row; undefined for rows without one. */
  tooltip(node: TreeNode): string | undefined {
    const facts = this.#facts();
    if (node.type === 'attentionJob') return this.#attention?.tooltip(node, facts);
    const job = node.type === 'job' ? this.#store.get(node.kind, node.id) : undefined;
    return job && jobTooltip(job, facts);
  }

  #attentionItem(node: AttentionNode, facts: ItemFacts): vscode.TreeItem {
    const isFolded = node.type === 'attention' && !isUnfiltered(this.#store.filter);
    const isOpen = isFolded ? false : this.#isOpen(node);
    const item = this.#attention?.item(node, facts, isOpen) ?? new vscode.TreeItem('');
    if (!isFolded) return item;
    const shown = typeof item.description === 'string' && item.description !== '' ? [item.description] : [];
    item.description = [...shown, vscode.l10n.t('all jobs')].join(' · ');
    return this.#withFilterId(item);
  }

  #jobItem(node: TreeNode & { readonly type: 'job' }, facts: ItemFacts): vscode.TreeItem {
    const job = this.#store.get(node.kind, node.id);
    if (job === undefined) return identified(new vscode.TreeItem(node.id), node, facts);
    const minutes = ageInMinutes(job, facts);
    const known = this.#rows.get(job);
    if (known !== undefined && minutes !== undefined && known.minutes === minutes) return known.item;
    const age = formatJobAge(job, facts);
    const item = known !== undefined && known.age === age ? known.item : this.#drawnJob(job, node, facts);
    this.#rows.set(job, { item, age, minutes });
    return item;
  }

  #drawnJob(job: Job, node: TreeNode, facts: ItemFacts): vscode.TreeItem {
    const row = buildJobRow(job, facts);
    const context = jobContext(job, facts);
    const text = [job.status, row.isPartlyFailed, context, row.label, row.description].join('\n');
    const drawn = this.#rendered.get(node);
    if (drawn?.text === text) return drawn.item;
    const item = new vscode.TreeItem(shortenLabel(row.label, row.description));
    item.description = row.description;
    item.iconPath = row.isPartlyFailed ? partlyFailedIcon : statusIcon(job.status);
    item.contextValue = context;
    item.accessibilityInformation = { label: row.accessibilityLabel };
    item.command = { command: commandIds.openJob, title: vscode.l10n.t('Open Job'), arguments: [node] };
    this.#rendered.set(node, { text, item: identified(item, node, facts) });
    return item;
  }

  /**
   * With a filter, its rows are expanded and Needs attention, which it does not apply to, is collapsed: the editor treats an item with
   * another ID as new.
   */
  #withFilterId(item: vscode.TreeItem): vscode.TreeItem {
    const { filter } = this.#store;
    if (!isUnfiltered(filter)) item.id += `&filter=${JSON.stringify(filter)}`;
    return item;
  }

  #openState(node: TreeNode, isOpenAtFirst: boolean): vscode.TreeItemCollapsibleState {
    const isOpen = !isUnfiltered(this.#store.filter) || (this.#isOpen(node) ?? isOpenAtFirst);
    return isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
  }

  /** Renders the connection with the state of its service. If it does not answer, selecting the row tries again. */
  #connectionItem(facts: ItemFacts, node: TreeNode): vscode.TreeItem {
    const host = facts.host === facts.connection ? '' : facts.host;
    const { slowSinceMs, trouble, nextTryMs } = this.#service();
    const isDown = trouble !== undefined;
    const words = isDown
      ? describeServiceTrouble(trouble, nextTryMs, facts)
      : slowSinceMs === undefined
        ? undefined
        : describeSlowness(slowSinceMs, facts);
    const item = note(
      facts.connection,
      isDown ? 'warning' : 'plug',
      words?.state ?? host,
      isDown ? commandIds.refresh : commandIds.switchConnection,
      isDown ? undefined : node,
    );
    const needsKey = trouble?.failure.code === 'keyRejected' || trouble?.failure.code === 'noKey';
    item.contextValue = needsKey ? 'connection key' : 'connection';
    if (words !== undefined) {
      const hint = isDown ? vscode.l10n.t('Select the row to try again.') : '';
      item.tooltip = [words.tooltip, host, hint].filter((text) => text !== '').join('\n');
    }
    return item;
  }

  #sampleItem(node: TreeNode): vscode.TreeItem {
    const { l10n } = vscode;
    const item = this.#hasConnections()
      ? note(l10n.t('Sample jobs'), 'beaker', l10n.t('Switch Connection'), commandIds.switchConnection, node)
      : note(l10n.t('Sample jobs'), 'beaker', l10n.t('Connect to a service'), commandIds.connect, node);
    item.contextValue = 'sample';
    return item;
  }

  #kindItem(node: TreeNode & { readonly type: 'kind' }, facts: ItemFacts): vscode.TreeItem {
    const { kind } = node;
    const key = { kind, status: undefined };
    const item = new vscode.TreeItem(describeListKey(key), this.#openState(node, true));
    item.iconPath = new vscode.ThemeIcon(kindIcon(kind));
    item.contextValue = isQueryable(key) ? 'kind' : observed;
    const [only] = this.#store.lists(kind);
    if (only !== undefined && only.key.status === undefined) {
      item.contextValue = isQueryable(key) ? 'group kind' : observed;
      item.description = describeCount(only, facts);
    }
    return item;
  }

  #groupItem(node: TreeNode & { readonly type: 'group' }, facts: ItemFacts): vscode.TreeItem {
    const list = this.#store.list(node.key);
    const { status = '' } = list.key;
    const item = new vscode.TreeItem(
      describeStatus(status, 'list').text,
      this.#openState(node, status === 'processing'),
    );
    item.iconPath = statusIcon(status);
    item.contextValue = isQueryable(list.key) ? 'group' : observed;
    item.description = [
      describeCount(list, facts),
      isStale(list) && isExplained(list, this.#service().trouble) ? vscode.l10n.t('outdated') : '',
    ]
      .filter((text) => text !== '')
      .join(' · ');
    item.accessibilityInformation = { label: [describeListKey(list.key), item.description].filter(Boolean).join(', ') };
    return item;
  }
}

/** Context value of lists built from observed jobs, which the service cannot be queried for. */
const observed = 'observed';

function kindIcon(kind: string | undefined): string {
  if (kind === undefined) return 'list-unordered';
  return kind === 'live' ? 'broadcast' : isJobKind(kind) ? 'file-media' : 'question';
}

function loadingItem(): vscode.TreeItem {
  const busy = new vscode.TreeItem(vscode.l10n.t('Loading…'));
  busy.iconPath = new vscode.ThemeIcon('loading~spin');
  return busy;
}

function loadMoreItem(node: TreeNode, { activity }: ListState): vscode.TreeItem {
  if (activity === 'loadingMore') return loadingItem();
  const title = vscode.l10n.t('Load More');
  const item = new vscode.TreeItem(title);
  item.iconPath = new vscode.ThemeIcon('chevron-down');
  item.contextValue = 'loadMore';
  item.command = { command: commandIds.loadMore, title, arguments: [node] };
  return item;
}

function identified(item: vscode.TreeItem, node: TreeNode, { connection }: ItemFacts): vscode.TreeItem {
  item.id = nodeId(connection, node);
  // Otherwise screen readers read a tooltip instead of the row.
  if (typeof item.tooltip === 'string' && item.accessibilityInformation === undefined) {
    const texts = [item.label, item.description, item.tooltip].flatMap((text) =>
      typeof text === 'string' ? text : [],
    );
    item.accessibilityInformation = { label: texts.filter(Boolean).join(', ') };
  }
  return item;
}

/** Node that only describes the state of the tree. */
type NoteNode = Exclude<
  TreeNode,
  | AttentionNode
  | SavedViewNode
  | { readonly type: 'job' | 'kind' | 'group' | 'loadMore' | 'loading' | 'connectionNote' | 'sampleNote' }
>;

/** Renders a note, without its ID. */
function noteItem(node: NoteNode, store: JobStore, facts: ItemFacts): vscode.TreeItem {
  const { l10n } = vscode;
  switch (node.type) {
    case 'deprecatedNote': {
      const item = note(l10n.t('Deprecated endpoint'), 'info', l10n.t('lists all kinds'));
      item.tooltip = l10n.t(
        'The connection uses the endpoint for all kinds, which the service calls deprecated. Set its "listSource" to "byKind" to use one per kind.',
      );
      return item;
    }
    case 'unreadable': {
      const entry = store.list(node.key).jobs.entries[node.place];
      if (entry?.type === 'unreadable' && entry.isTooLarge === true) {
        const item = note(l10n.t('Too large to read'), 'warning', l10n.t('over 32 MB'));
        item.tooltip = l10n.t(
          'The answer of the service with this job alone is over 32 MB, which is more than is read. The jobs after it are listed. To see it, ask the service for it in another way.',
        );
        return item;
      }
      const item = note(l10n.t('Unreadable item'), 'warning', l10n.t('has no ID'), commandIds.openJobJson, node);
      item.contextValue = 'unreadable';
      return item;
    }
    case 'failure':
    case 'notice':
      return troubleItem(store.list(node.key), facts, node);
    case 'empty':
      // A list not known to be complete may have more jobs now.
      if (!store.list(node.key).isComplete)
        return note(l10n.t('No jobs found'), 'refresh', l10n.t('Refresh'), commandIds.refresh);
      return isUnfiltered(store.filter)
        ? note(l10n.t('No jobs'), 'dash')
        : note(l10n.t('No job matches the filter'), 'filter');
    case 'noMatch':
      return note(l10n.t('No job matches the filter'), 'filter', l10n.t('Clear filter'), commandIds.clearFilter, node);
  }
}

function note(label: string, icon: string, description = '', command?: CommandId, node?: TreeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = description;
  if (command !== undefined) item.command = { command, title: label, arguments: node === undefined ? [] : [node] };
  return item;
}

function troubleItem(list: ListState, facts: RowFacts, node: NoteNode): vscode.TreeItem {
  const words = describeListTrouble(list, node.type === 'notice', facts);
  // The reason comes first: rows are narrow, and the tooltip contains the text that is cut off.
  const label = words?.label ?? vscode.l10n.t('Retry');
  const item = note(label, words?.icon ?? 'refresh', words?.description, commandIds.loadMore, node);
  if (words !== undefined) Object.assign(item, words.rest);
  return item;
}
