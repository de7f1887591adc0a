import * as vscode from 'vscode';
import { isFailure } from '../../../base/failure.ts';
import { formatNumber, type Locale } from '../../../base/format.ts';
import {
  writeExport,
  exportFormats,
  type ExportFormat,
  type Exportable,
  type ExportOutcome,
  type ShownTable,
} from '../../../jobs/node/export/exporter.ts';
import { bulkLimit } from '../../../jobs/node/list/jobPager.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import { asUserError, describeSystemError, openTarget } from '../../../jobs/editor/workspaceTarget.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import { pickOne } from '../../../platform/editor/quickPick.ts';
import { basename } from 'node:path';
import { isSystemError } from '../../../jobs/node/export/fileTarget.ts';
import { showMessage, type NextStep } from '../../../platform/editor/messages.ts';
import { errorSentence } from '../../../platform/editor/showError.ts';
import type { Services } from '../../../services.ts';

/**
 * Prompts for format and file, and writes the file. @throws Failure without a connection, UserError if the file cannot
 * be written
 */
export async function exportInto(what: Exportable, { log, clock, jobs, service }: Services): Promise<void> {
  const pages = service.connected();
  const format = await askFormat(what);
  if (format === undefined) return;
  const uri = await askTarget(what, format, clock.now());
  if (uri === undefined) return;
  const target = await openTarget(uri).catch((error: unknown) => {
    throw asUserError(error, uri);
  });
  const outcome = await withCancel(vscode.l10n.t('Exporting jobs: {0}', what.text), (signal, report) =>
    writeExport(what.batches(pages, bulkLimit, signal), format, target, {
      keyMask: service.keyMask,
      readWhole: (job) => jobs.readWhole(job, signal),
      onProgress: (written) => report(vscode.l10n.t('{0} jobs', formatNumber(written, locale))),
    }),
  );
  if (outcome.type === 'partial' && outcome.why === 'failed') log.error(`export: ${String(outcome.error)}`);
  // Not awaited: the notification may stay open long after the command has finished.
  void reportExport(outcome, uri, locale, what.filter);
}

/** Prompts for the format; undefined if the user cancels. */
async function askFormat(what: Exportable): Promise<ExportFormat | ShownTable | undefined> {
  const answer = await pickOne<ExportFormat | ShownTable>({
    title: vscode.l10n.t('Export Jobs: {0}', what.text),
    placeholder: vscode.l10n.t('File format'),
    choices: [...exportFormats, ...(what.table === undefined ? [] : [what.table])].map((format) => {
      const { label, detail } = formatTexts(format);
      return { label, detail, value: format };
    }),
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value : undefined;
}

/** Prompts for the target file; undefined if the user cancels. */
async function askTarget(
  what: Exportable,
  format: ExportFormat | ShownTable,
  nowMs: number,
): Promise<vscode.Uri | undefined> {
  const { label, extension } = formatTexts(format);
  const name = `jobs-${what.slug}-${new Date(nowMs).toISOString().slice(0, 10)}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Jobs'),
    saveLabel: vscode.l10n.t('Export'),
    filters: { [label]: [extension] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}

function formatTexts(format: ExportFormat | ShownTable): {
  readonly label: string;
  readonly extension: string;
  readonly detail: string;
} {
  const { l10n } = vscode;
  if (typeof format === 'object') {
    return {
      label: l10n.t('CSV, columns as shown'),
      extension: 'csv',
      detail: l10n.t('The columns of the table, in their order; texts of over 200 characters are shortened'),
    };
  }
  switch (format) {
    case 'json':
      return {
        label: 'JSON',
        extension: 'json',
        detail: l10n.t('One array; every item exactly as the service sent it'),
      };
    case 'ndjson':
      return {
        label: 'NDJSON',
        extension: 'ndjson',
        detail: l10n.t('One item per line, as the service sent it'),
      };
    case 'csv':
      return {
        label: 'CSV',
        extension: 'csv',
        detail: l10n.t('One row per job, a column per metadata key; safe to open in a spreadsheet'),
      };
    case 'csvWithParameters':
      return {
        label: l10n.t('CSV with session parameters'),
        extension: 'csv',
        detail: l10n.t('The same, plus the parameters of live sessions as JSON'),
      };
  }
}

/** Reports the outcome of an export and the location of the file. @param filter that was applied, as text */
export async function reportExport(
  outcome: ExportOutcome,
  uri: vscode.Uri,
  locale: Locale,
  filter?: string,
): Promise<void> {
  const { l10n } = vscode;
  const filtered = filter === undefined ? [] : [l10n.t('Filter: {0}.', filter)];
  const jobs = outcome.written === 1 ? l10n.t('1 job') : l10n.t('{0} jobs', formatNumber(outcome.written, locale));
  if (outcome.type !== 'partial') {
    const sentence = l10n.t('Exported {0} to {1}.', jobs, basename(uri.path));
    const doubt =
      outcome.type === 'unproved' && outcome.tooLarge === 0 && outcome.withoutResult === undefined
        ? [l10n.t("The service doesn't show whether these are all that match.")]
        : [];
    return showMessage('information', [sentence, ...filtered, ...doubt, ...leftOut(outcome, locale)].join(' '), [
      open(uri),
    ]);
  }
  const { partial, why } = outcome;
  const sentence = whyText(outcome);
  const severity = why === 'cancelled' ? 'information' : 'error';
  if (partial === undefined) return showMessage(severity, `${sentence} ${l10n.t('Nothing was exported.')}`);
  const where = l10n.t('The file is incomplete: {0}, in {1}.', jobs, basename(partial));
  return showMessage(severity, [sentence, where, ...filtered].join(' '), [
    open(uri.with({ path: vscode.Uri.file(partial).path })),
  ]);
}

function whyText(outcome: ExportOutcome & { readonly type: 'partial' }): string {
  const { l10n } = vscode;
  switch (outcome.why) {
    case 'cancelled':
      return l10n.t('The export was canceled.');
    case 'ended':
      return l10n.t("The service says that there are more jobs but didn't send them.");
    case 'failed':
      return l10n.t('The export failed. {0}', errorText(outcome.error));
  }
}

function errorText(error: unknown): string {
  const isOfFile = isSystemError(error) && !isFailure(error);
  return isOfFile ? describeSystemError(error.code) : errorSentence(error);
}

/** Maximum number of jobs without results whose names are shown. Of further ones, only the number is shown. */
const maxNamed = 5;

function leftOut(
  { contradicting, unreadable, tooLarge, withoutResult = [] }: ExportOutcome,
  locale: Locale,
): readonly string[] {
  const { l10n } = vscode;
  const named = withoutResult.slice(0, maxNamed).map(shortenId).join(', ');
  const more = withoutResult.length - maxNamed;
  return [
    ...(contradicting === 0
      ? []
      : [l10n.t("Left out because they don't match the request: {0}.", formatNumber(contradicting, locale))]),
    ...(unreadable === 0
      ? []
      : [l10n.t('Left out because they have no ID: {0}. JSON keeps them.', formatNumber(unreadable, locale))]),
    ...(tooLarge === 0
      ? []
      : [l10n.t('Left out because they are larger than 32 MB: {0}.', formatNumber(tooLarge, locale))]),
    ...(withoutResult.length === 0
      ? []
      : [
          l10n.t(
            'Written without their results, which the service no longer sends: {0}.',
            more > 0 ? l10n.t('{0} and {1} more', named, formatNumber(more, locale)) : named,
          ),
        ]),
  ];
}

function open(uri: vscode.Uri): NextStep {
  return { title: vscode.l10n.t('Open'), run: () => vscode.commands.executeCommand('vscode.open', uri) };
}
