import * as vscode from 'vscode';
import { formatDuration } from '../../../base/duration.ts';
import { formatNumber } from '../../../base/format.ts';
import { plainLabel } from '../../../platform/editor/quickPick.ts';
import { locale } from '../../../platform/editor/locale.ts';
import type { ObservedFilter } from '../../../jobs/common/filterProbe.ts';
import { failureText } from '../../../base/failureText.ts';
import type { ListEndpoint } from '../../../jobs/common/listParams.ts';
import type {
  ConnectionCheck,
  FilterObservation,
  ListObservation,
  PagingObservation,
  QueryStyle,
} from '../../../jobs/node/connectionCheck.ts';

interface ReportItem extends vscode.QuickPickItem {
  readonly remedy?: QueryStyle;
}

/**
 * Shows the results of a connection check, one item per list and filter, and offers the query style that the service honours.
 * @returns the style that the user chose to set.
 */
export async function showConnectionReport(name: string, check: ConnectionCheck): Promise<QueryStyle | undefined> {
  const { l10n } = vscode;
  const remedies = check.filters.flatMap(({ remedy }): readonly ReportItem[] =>
    remedy === undefined ? [] : [{ ...remedyTexts(remedy), iconPath: new vscode.ThemeIcon('wand'), remedy }],
  );
  const items: readonly ReportItem[] = [
    ...remedies,
    { label: l10n.t('Lists'), kind: vscode.QuickPickItemKind.Separator },
    ...check.lists.map(listItem),
    ...(check.paging === undefined ? [] : pagingItems(check.paging)),
    { label: l10n.t('Filters'), kind: vscode.QuickPickItemKind.Separator },
    ...check.filters.map(filterItem),
    ...(check.filters.length === 0 ? [{ label: l10n.t('No jobs to test the filters with.') }] : []),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Connection test: {0}', name),
    placeHolder:
      remedies.length === 0
        ? l10n.t('Connected.')
        : l10n.t('Connected. Select a row with a wand to apply that format.'),
  });
  return chosen?.remedy;
}

function listItem(list: ListObservation): ReportItem {
  const { l10n } = vscode;
  switch (list.type) {
    case 'answered':
      return {
        iconPath: new vscode.ThemeIcon('pass'),
        label: l10n.t('{0}: answered', listName(list.endpoint)),
        description: list.hasMore ? l10n.t('{0}+ jobs', list.jobs) : l10n.t('jobs: {0}', list.jobs),
      };
    case 'failed':
      return {
        iconPath: new vscode.ThemeIcon('error'),
        label: l10n.t('{0}: failed', listName(list.endpoint)),
        detail: plainLabel(failureText(list.failure).sentence),
      };
  }
}

/** Items for the observed paging, order and timestamps of lists. */
function pagingItems(paging: PagingObservation): readonly ReportItem[] {
  const { l10n } = vscode;
  const { given, isClamped, clockOffsetMs, largestItemBytes, beforeIncludes, afterIncludes } = paging;
  const seen = (label: string, description: string): ReportItem => ({
    iconPath: new vscode.ThemeIcon('info'),
    label,
    description,
  });
  return [
    seen(
      l10n.t('Jobs per request'),
      isClamped
        ? l10n.t('no more than {0}', formatNumber(given, locale))
        : l10n.t('as many as requested: {0}', formatNumber(given, locale)),
    ),
    seen(l10n.t('Order'), orderText(paging)),
    seen(l10n.t('Clock'), clockText(clockOffsetMs)),
    seen(l10n.t('Largest job'), l10n.t('{0} bytes', formatNumber(largestItemBytes, locale))),
    seen(
      l10n.t('Bounds of a range'),
      [boundText('before_date', beforeIncludes), boundText('after_date', afterIncludes)].join(' · '),
    ),
  ];
}

/** In milliseconds. A service reports its time in whole seconds, and its response takes time to arrive. */
const inStepMs = 5000;

function clockText(offsetMs: number | undefined): string {
  const { l10n } = vscode;
  if (offsetMs === undefined) return l10n.t("The service doesn't send its time.");
  const size = Math.abs(offsetMs);
  if (size < inStepMs) return l10n.t('same as this computer');
  const span = formatDuration(Math.round(size / 1000) * 1000, locale);
  return offsetMs > 0 ? l10n.t('{0} ahead of this computer', span) : l10n.t('{0} behind this computer', span);
}

function orderText({ order }: PagingObservation): string {
  const { l10n } = vscode;
  switch (order) {
    case 'newest':
      return l10n.t('newest first');
    case 'oldest':
      return l10n.t('oldest first');
    case 'mixed':
      return l10n.t('not by creation time');
    case 'unseen':
      return l10n.t('not enough jobs to tell');
  }
}

function boundText(name: string, includes: boolean | undefined): string {
  const { l10n } = vscode;
  if (includes === undefined) return l10n.t('{0}: not tested', name);
  return includes ? l10n.t('{0}: included', name) : l10n.t('{0}: excluded', name);
}

function filterItem({ filter, verdict, remedy }: FilterObservation): ReportItem {
  const { l10n } = vscode;
  const name = filterName(filter);
  switch (verdict) {
    case 'obeyed':
      return { iconPath: new vscode.ThemeIcon('pass'), label: l10n.t('{0}: works', name) };
    case 'ignored':
      return {
        iconPath: new vscode.ThemeIcon('warning'),
        label: l10n.t('{0}: ignored by the service', name),
        detail: `${l10n.t("Jobs that don't match were returned.")} ${outlook(remedy)}`,
      };
    case 'misread':
      return {
        iconPath: new vscode.ThemeIcon('warning'),
        label: l10n.t('{0}: not understood', name),
        detail: `${l10n.t('Jobs that match were not returned.')} ${outlook(remedy)}`,
      };
    case 'refused':
      return {
        iconPath: new vscode.ThemeIcon('error'),
        label: l10n.t('{0}: refused', name),
        detail: `${l10n.t('The service answered with an error.')} ${outlook(remedy)}`,
      };
    case 'unclear':
      return {
        iconPath: new vscode.ThemeIcon('question'),
        label: l10n.t('{0}: not enough jobs to tell', name),
      };
  }
}

function outlook(remedy: QueryStyle | undefined): string {
  return remedy === undefined
    ? vscode.l10n.t('The service understands none of the formats.')
    : vscode.l10n.t('The service understands a different format.');
}

function remedyTexts({ arrayFormat, metadataFormat }: QueryStyle): { readonly label: string; readonly detail: string } {
  const { l10n } = vscode;
  const written = { repeat: 'status=a&status=b', comma: 'status=a,b', brackets: 'status[]=a&status[]=b' };
  const metadata = { json: 'custom_metadata={"key":"value"}', brackets: 'custom_metadata[key]=value' };
  return {
    label:
      arrayFormat === undefined
        ? l10n.t('Write metadata as {0}', metadata[metadataFormat ?? 'json'])
        : l10n.t('Write several statuses as {0}', written[arrayFormat]),
    detail: l10n.t('It works. Select this row to use it for the connection.'),
  };
}

function listName(endpoint: ListEndpoint): string {
  switch (endpoint) {
    case 'pre-recorded':
      return vscode.l10n.t('Pre-recorded jobs');
    case 'live':
      return vscode.l10n.t('Live jobs');
    case 'combined':
      return vscode.l10n.t('Jobs of all kinds (deprecated list)');
  }
}

function filterName(filter: ObservedFilter): string {
  switch (filter) {
    case 'status':
      return vscode.l10n.t('Several statuses');
    case 'date':
      return vscode.l10n.t('A day');
    case 'range':
      return vscode.l10n.t('A range of time');
    case 'metadata':
      return vscode.l10n.t('Metadata');
  }
}
