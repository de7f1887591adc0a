import * as vscode from 'vscode';
import { formatNumber, type Locale } from '../../../base/format.ts';
import {
  writeExport,
  exportFormats,
  type ExportFormat,
  type ExportBatch,
  type ExportOutcome,
} from '../../../jobs/node/export/exporter.ts';
import { bulkLimit } from '../../../jobs/node/list/jobPager.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import type { Clock } from '../../../base/clock.ts';
import { openTarget } from '../../../jobs/editor/workspaceTarget.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import type { KeyMask } from '../../../platform/http/keyMask.ts';
import type { Log } from '../../../base/log.ts';
import type { WholeJobSource } from '../../../jobs/node/store/wholeJobs.ts';
import { pickOne } from '../../../platform/editor/quickPick.ts';
import { basename } from 'node:path';
import { isFailure } from '../../../base/failure.ts';
import { failureText } from '../../../base/failureText.ts';
import { isSystemError } from '../../../jobs/node/export/fileTarget.ts';
import { showMessage, type NextStep, UserError } from '../../../platform/editor/messages.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';

/** Dependencies of {@link exportInto}. */
export interface ExportDeps {
  readonly log: Log;
  readonly clock: Clock;
  /** Provides the complete items of rows. */
  readonly jobs: Pick<WholeJobSource, 'readWhole'>;
  /** Masks keys that the service repeats in its items. */
  readonly keyMask: () => KeyMask;
  /** Returns the service of the current connection. @throws Failure `noConnection` or `noKey` */
  readonly source: () => ListReader;
  readonly locale: Locale;
}

/**
 * Prompts for format and file, and writes the file. @throws Failure without a connection, UserError if the file cannot
 * be written
 */
export async function exportInto(
  what: Exportable,
  { log, clock, jobs, keyMask, source, locale }: ExportDeps,
): Promise<void> {
  const pages = source();
  const format = await askFormat(what);
  if (format === undefined) return;
  const uri = await askTarget(what, format, clock.now());
  if (uri === undefined) return;
  const target = await openTarget(uri).catch((error: unknown) => {
    throw asUserError(error, uri);
  });
  const outcome = await withCancel(vscode.l10n.t('Exporting jobs: {0}', what.text), (signal, report) =>
    writeExport(what.batches(pages, bulkLimit, signal), format, target, {
      keyMask: keyMask(),
      readWhole: (job) => jobs.readWhole(job, signal),
      onProgress: (written) => report(vscode.l10n.t('{0} jobs', formatNumber(written, locale))),
    }),
  );
  if (outcome.type === 'partial' && outcome.why === 'failed') log.error(`export: ${String(outcome.error)}`);
  // Not awaited: the notification may stay open long after the command has finished.
  void reportExport(outcome, uri, locale, what.filter);
}

/** The data to export. */
export interface Exportable {
  /** Description for the user. */
  readonly text: string;
  /** The filter that was applied, as text. */
  readonly filter?: string;
  /** Part of the suggested file name. */
  readonly slug: string;
  /** Iterating may throw Failure. */
  readonly batches: (
    source: ListReader,
    limit: number,
    signal: AbortSignal,
  ) => AsyncIterable<ExportBatch> | Iterable<ExportBatch>;
}

/** Prompts for the format; undefined if the user cancels. */
async function askFormat(what: Exportable): Promise<ExportFormat | undefined> {
  const answer = await pickOne<ExportFormat>({
    title: vscode.l10n.t('Export Jobs: {0}', what.text),
    placeholder: vscode.l10n.t('File format'),
    choices: exportFormats.map((format) => {
      const { label, detail } = formatTexts(format);
      return { label, detail, value: format };
    }),
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value : undefined;
}

/** Prompts for the target file; undefined if the user cancels. */
async function askTarget(what: Exportable, format: ExportFormat, nowMs: number): Promise<vscode.Uri | undefined> {
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

function formatTexts(format: ExportFormat): {
  readonly label: string;
  readonly extension: string;
  readonly detail: string;
} {
  const { l10n } = vscode;
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

/** Turns a file system error into a {@link UserError}; returns any other error unchanged. */
export function asUserError(error: unknown, uri: vscode.Uri): unknown {
  if (!isSystemError(error)) return error;
  return new UserError(vscode.l10n.t("{0} can't be written. {1}", basename(uri.path), systemText(error.code)));
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
  if (isFailure(error)) return failureText(error).sentence;
  if (isSystemError(error)) return systemText(error.code);
  return error instanceof UserError ? error.message : vscode.l10n.t('See the log for details.');
}

function systemText(code: string): string {
  const { l10n } = vscode;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('The disk is full.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'NoPermissions':
      return l10n.t("You don't have permission to write there.");
    case 'ENOENT':
    case 'ENOTDIR':
    case 'FileNotFound':
      return l10n.t("This folder doesn't exist.");
    case 'EISDIR':
    case 'FileIsADirectory':
      return l10n.t('A folder with this name already exists.');
    default:
      return l10n.t('The file system says: {0}', code);
  }
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
