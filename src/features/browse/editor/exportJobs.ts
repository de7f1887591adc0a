import { exportInto } from './exportInto.ts';
import * as vscode from 'vscode';
import { exportBatches, type Exportable } from '../../../jobs/node/export/exporter.ts';
import { asTreeNode } from '../../tree/common/commandArguments.ts';
import { describeFilter } from '../../../jobs/common/describeFilter.ts';
import { isUnfiltered } from '../../../jobs/common/jobFilter.ts';
import type { TreeNode } from '../../tree/common/jobTree.ts';
import { describeListKey } from '../../../jobs/common/jobRow.ts';
import { isQueryable, type ListKey } from '../../../jobs/common/listKey.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import { locale } from '../../../platform/editor/locale.ts';
import type { Services } from '../../../services.ts';

/** Exports the jobs of a list, of a kind, or all jobs to a file. @param row undefined for all jobs */
export async function exportJobs(services: Services, row: unknown): Promise<void> {
  const { jobs, service } = services;
  service.connected();
  const { filter } = jobs;
  const what = await exportableOf(asTreeNode(row), jobs);
  await exportInto(isUnfiltered(filter) ? what : within(describeFilter(filter, locale), what), services);
}

/** Returns the export for a tree item: all jobs within the filter if the item is neither a list nor a kind. */
async function exportableOf(node: TreeNode | undefined, store: JobStore): Promise<Exportable> {
  if (node?.type === 'group') return ofList(node.key, store);
  if (node?.type === 'kind') {
    const key = { kind: node.kind, status: undefined };
    if (isQueryable(key)) return ofList(key, store);
    const entries = store.lists(node.kind).flatMap(({ jobs }) => jobs.entries);
    return { text: describeListKey(key), slug: slugOf(node.kind ?? ''), batches: () => [{ entries }] };
  }
  const queries = store.queries();
  return {
    text: isUnfiltered(store.filter) ? vscode.l10n.t('all jobs') : vscode.l10n.t('all matching jobs'),
    slug: 'all',
    batches: (source, limit, signal) => exportBatches(source, queries, limit, signal),
  };
}

async function ofList(key: ListKey, store: JobStore): Promise<Exportable> {
  const named = {
    text: describeListKey(key),
    slug: slugOf([key.kind ?? (key.status === undefined ? 'all' : ''), key.status].filter(Boolean).join('-')),
  };
  // A list built from observed jobs cannot be requested from the service, so only the loaded entries are exported.
  if (!isQueryable(key)) return { ...named, batches: () => [{ entries: store.list(key).jobs.entries }] };
  const query = store.queryOf(key);
  return { ...named, batches: (source, limit, signal) => exportBatches(source, [query], limit, signal) };
}

function within(filter: string, what: Exportable): Exportable {
  return { ...what, text: `${what.text} (${filter})`, filter };
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
}
