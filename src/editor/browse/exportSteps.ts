import * as vscode from 'vscode';
import { isJobKind, jobKinds } from '../../domain/jobs/job.ts';
import { isUnfiltered } from '../../domain/filter/jobFilter.ts';
import type { TreeNode } from '../../domain/jobs/jobTree.ts';
import { kindText, listKeyText } from '../../domain/jobs/jobRow.ts';
import { isAskable, type ListKey } from '../../domain/jobs/listKey.ts';
import { exportFormats, type ExportFormat, exportBatches, type ExportBatch } from '../../service/export/exporter.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { PageSource } from '../../service/ports.ts';
import { pickOne } from '../pickStep.ts';

/** What is to be exported. */
export interface Exportable {
  /** In words. */
  readonly text: string;
  /** For the name of the file. */
  readonly slug: string;
  /** Throws Failure while it is read. */
  readonly batches: (
    source: PageSource,
    limit: number,
    signal: AbortSignal,
  ) => AsyncIterable<ExportBatch> | Iterable<ExportBatch>;
}

/** What a node of the view stands for; all jobs within the filter when it is none that can be exported. */
export async function exportableOf(node: TreeNode | undefined, store: JobStore): Promise<Exportable> {
  if (node?.type === 'group') return ofList(node.key, store);
  if (node?.type === 'kind' && isJobKind(node.kind)) return ofList({ kind: node.kind, status: undefined }, store);
  if (node?.type === 'kind') {
    const entries = store.lists(node.kind).flatMap(({ jobs }) => jobs.entries);
    return { text: kindText(node.kind), slug: slugOf(node.kind), batches: () => [{ entries }] };
  }
  const questions = await Promise.all(jobKinds.map((kind) => store.questionOf({ kind, status: undefined })));
  return {
    text: isUnfiltered(store.filter) ? vscode.l10n.t('all jobs') : vscode.l10n.t('all matching jobs'),
    slug: 'all',
    batches: (source, limit, signal) => exportBatches(source, questions, limit, signal),
  };
}

async function ofList(key: ListKey, store: JobStore): Promise<Exportable> {
  const named = { text: listKeyText(key), slug: slugOf([key.kind, key.status].filter(Boolean).join('-')) };
  // A list made of what was seen cannot be asked for: what is loaded is all there is of it.
  if (!isAskable(key)) return { ...named, batches: () => [{ entries: store.list(key).jobs.entries }] };
  const question = await store.questionOf(key);
  return { ...named, batches: (source, limit, signal) => exportBatches(source, [question], limit, signal) };
}

/** Asks for the format; undefined when the user goes away. */
export async function askFormat(what: Exportable): Promise<ExportFormat | undefined> {
  const answer = await pickOne<ExportFormat>({
    title: vscode.l10n.t('Export Jobs: {0}', what.text),
    placeholder: vscode.l10n.t('Format of the file'),
    choices: exportFormats.map((format) => ({ ...formatTexts(format), value: format })),
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value : undefined;
}

/** Asks where to write; undefined when the user goes away. */
export async function askTarget(
  what: Exportable,
  format: ExportFormat,
  nowMs: number,
): Promise<vscode.Uri | undefined> {
  const name = `jobs-${what.slug}-${new Date(nowMs).toISOString().slice(0, 10)}.${format}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Jobs'),
    saveLabel: vscode.l10n.t('Export'),
    filters: { [formatTexts(format).label]: [format] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}

function formatTexts(format: ExportFormat): { readonly label: string; readonly detail: string } {
  const { l10n } = vscode;
  switch (format) {
    case 'json':
      return { label: 'JSON', detail: l10n.t('One array; every item exactly as the service sent it') };
    case 'ndjson':
      return {
        label: 'NDJSON',
        detail: l10n.t('One item per line, as the service sent it'),
      };
    case 'csv':
      return {
        label: 'CSV',
        detail: l10n.t('One row per job, metadata as JSON; safe to open in a spreadsheet'),
      };
  }
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
}
