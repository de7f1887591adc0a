import * as vscode from 'vscode';
import { failureText } from '../../domain/failureText.ts';
import { isUnfiltered } from '../../domain/filter/jobFilter.ts';
import type { RowFacts } from '../../domain/jobs/jobRow.ts';
import type { TreeNode } from '../../domain/jobs/jobTree.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { ListState } from '../../service/store/listState.ts';
import { commandIds, type CommandId } from '../ids.ts';

/** A node whose row says something about what is, or is not, in the tree. */
export type NoteNode = Exclude<TreeNode, { readonly type: 'job' | 'kind' | 'group' | 'loadMore' }>;

/** Draws such a row, but for its id. */
export function noteItem(node: NoteNode, store: JobStore, facts: RowFacts): vscode.TreeItem {
  const { l10n } = vscode;
  switch (node.type) {
    case 'sampleNote':
      return note(l10n.t('Sample jobs'), 'beaker', l10n.t('Connect to a service'), commandIds.connect, node);
    case 'deprecatedNote': {
      const item = note(l10n.t('Deprecated endpoint'), 'info', l10n.t('lists all kinds'));
      item.tooltip = l10n.t(
        'The setting "List Source" asks the endpoint for all kinds, which the service calls deprecated. "byKind" is preferred.',
      );
      return item;
    }
    case 'unreadable': {
      const item = note(l10n.t('Unreadable item'), 'warning', l10n.t('has no id'), commandIds.openJobJson, node);
      item.contextValue = 'unreadable';
      return item;
    }
    case 'failure':
      return failureItem(store.list(node.key), facts, node);
    case 'notice':
      return noticeItem(store.list(node.key), node);
    case 'empty':
      return isUnfiltered(store.filter)
        ? note(l10n.t('No jobs'), 'dash')
        : note(l10n.t('No job matches the filter'), 'filter', l10n.t('Clear filter'), commandIds.clearFilter);
  }
}

function note(label: string, icon: string, description = '', command?: CommandId, node?: TreeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = description;
  if (command !== undefined) item.command = { command, title: label, arguments: node === undefined ? [] : [node] };
  return item;
}

function failureItem(list: ListState, { locale }: RowFacts, node: TreeNode): vscode.TreeItem {
  const { l10n } = vscode;
  const { failure } = list;
  if (failure === undefined) return note(l10n.t('Retry'), 'refresh', '', commandIds.loadMore, node);
  const { sentence, nextStep } = failureText(failure.failure);
  const since = new Intl.DateTimeFormat(locale.language, { timeStyle: 'short' }).format(failure.sinceMs);
  const label =
    failure.during === 'refreshing' && list.loaded
      ? l10n.t('Could not refresh since {0} · Retry', since)
      : l10n.t('Could not load · Retry');
  const item = note(label, 'warning', sentence, commandIds.loadMore, node);
  item.tooltip = nextStep === undefined ? sentence : `${sentence}\n${nextStep}`;
  return item;
}

function noticeItem(list: ListState, node: TreeNode): vscode.TreeItem {
  const { l10n } = vscode;
  const stuck = list.notice === 'stuck';
  const item = stuck
    ? note(l10n.t('The list ends here · Reload'), 'warning', '', commandIds.loadMore, node)
    : note(l10n.t('The list moved while it was read · Reload'), 'info', '', commandIds.loadMore, node);
  item.tooltip = stuck
    ? l10n.t('The service says that there are more jobs but sends none that are new.')
    : l10n.t(
        'Jobs came, left or changed while the list was loading. No job that stayed is missing; others may be out of date.',
      );
  return item;
}
