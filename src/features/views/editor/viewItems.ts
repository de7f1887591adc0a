import * as vscode from 'vscode';
import { describeFilter } from '../../../jobs/common/describeFilter.ts';
import type { SavedView } from '../common/savedView.ts';
import { failureText } from '../../../base/failureText.ts';
import { formatHours, formatNumber, type Locale, type TimeStyle } from '../../../base/format.ts';
import { jobKinds, type JobKind } from '../../../jobs/common/job.ts';
import { describeKind } from '../../../jobs/common/jobRow.ts';
import type { SavedViewNode } from '../../tree/common/jobTree.ts';
import type { ViewCount } from '../node/viewCounts.ts';
import { showViewCommand } from '../../../platform/editor/ids.ts';

type Counts = ReadonlyMap<JobKind, ViewCount> | undefined;

/** Returns the row of a saved view: its name, its number once counted, and its filter. */
export function viewItem(view: SavedView, counts: Counts, node: SavedViewNode, locale: Locale): vscode.TreeItem {
  const item = new vscode.TreeItem(view.name, vscode.TreeItemCollapsibleState.Collapsed);
  const filter = describeFilter(view.filter, locale);
  const total = counts === undefined ? '' : totalText(counts, locale);
  item.description = [total, filter].filter((part) => part !== '').join(' · ');
  item.iconPath = new vscode.ThemeIcon(view.isBadge ? 'bookmark' : 'filter');
  item.contextValue = 'view';
  item.tooltip = [
    view.name,
    filter || vscode.l10n.t('All jobs'),
    vscode.l10n.t('Select to filter; expand to count.'),
  ].join('\n');
  item.command = { command: showViewCommand, title: vscode.l10n.t('Filter by This View'), arguments: [node] };
  return item;
}

/** Returns the row of a kind below a saved view. */
export function viewCountItem(
  kind: string,
  count: ViewCount | undefined,
  node: SavedViewNode,
  locale: Locale,
  times: TimeStyle,
): vscode.TreeItem {
  const item = new vscode.TreeItem(describeKind(kind, 'list'));
  item.iconPath = new vscode.ThemeIcon(kind === 'live' ? 'broadcast' : 'file-media');
  item.description = count === undefined ? vscode.l10n.t('counting…') : countText(count, locale, times);
  item.command = { command: showViewCommand, title: vscode.l10n.t('Filter by This View'), arguments: [node] };
  return item;
}

function countText(count: ViewCount, locale: Locale, times: TimeStyle): string {
  switch (count.type) {
    case 'exact':
      return vscode.l10n.t('{0} at {1}', formatNumber(count.count, locale), formatHours(count.atMs, times, locale));
    case 'atLeast':
      return vscode.l10n.t('at least {0}', formatNumber(count.count, locale));
    case 'unreliable':
      return vscode.l10n.t("can't be counted: the service returns other jobs than requested");
    case 'failed':
      return failureText(count.failure).sentence;
  }
}

/** Formats the sum over all kinds with the wording of the least certain number; empty if one number is unknown. */
function totalText(counts: ReadonlyMap<JobKind, ViewCount>, locale: Locale): string {
  const total = sumCounts(counts);
  if (total === undefined) return '';
  const sum = formatNumber(total.count, locale);
  return total.isExact ? sum : vscode.l10n.t('at least {0}', sum);
}

/** Sums the jobs of all kinds; undefined if the number of one kind is unknown. */
export function sumCounts(counts: Counts): { readonly count: number; readonly isExact: boolean } | undefined {
  const all = jobKinds.map((kind) => counts?.get(kind));
  let count = 0;
  for (const each of all) {
    if (each?.type !== 'exact' && each?.type !== 'atLeast') return undefined;
    count += each.count;
  }
  return { count, isExact: all.every((each) => each?.type === 'exact') };
}
