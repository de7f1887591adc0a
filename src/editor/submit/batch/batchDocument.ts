import * as vscode from 'vscode';
import { attempt, record, text, Undecodable } from '../../../domain/decode/decoder.ts';
import { formatMoment } from '../../../domain/format.ts';
import { parseJson } from '../../../domain/json/json.ts';
import { batchSummary, type BatchSummary } from '../../../domain/submission/batchSummary.ts';
import { namedItems } from '../../../domain/submission/batch.ts';
import { echoedFile } from '../../../domain/submission/resubmission.ts';
import type { JournalOwner } from '../../../domain/submission/submission.ts';
import { digest } from '../../../service/ports.ts';
import { toRange } from '../../requests/diagnostics.ts';
import { locale } from '../../settings.ts';
import { batchScheme, openSubmittedJobCommand } from '../../ids.ts';
import type { BatchStore } from '../../../service/journal/batchStore.ts';

const name = record({ connection: text, baseUrl: text, id: text });

/** Opens the summary of a batch. */
export async function showBatchSummary(connection: JournalOwner, id: string): Promise<void> {
  await vscode.window.showTextDocument(summaryUri(connection, id), { preview: false });
}

/** The URI of a batch's summary. */
export function summaryUri({ name: connection, baseUrl }: JournalOwner, id: string): vscode.Uri {
  const at = new Date(Number(id.slice(0, 15)));
  const title = formatMoment(at.getTime(), locale).replaceAll(/[/:\\]/g, '.');
  return vscode.Uri.from({
    scheme: batchScheme,
    path: `/${vscode.l10n.t('Batch {0}', title)}.txt`,
    query: JSON.stringify({ connection, baseUrl, id }),
  });
}

/** The summary that a URI names, read from the batch's ledger. */
export async function summaryAt(batches: BatchStore, uri: vscode.Uri): Promise<BatchSummary> {
  const named = namedBy(uri);
  if (named === undefined) return { text: '', links: [] };
  const owner = { name: named.connection, baseUrl: named.baseUrl };
  const batch = await batches.read(await batches.find(owner, named.id));
  if (batch === undefined) return { text: vscode.l10n.t('This batch is no longer stored.'), links: [] };
  const untried = namedItems(batch.plan.source, digest)
    .filter(({ item }) => !batch.items.has(item) && !batch.skipped.has(item))
    .map(({ file }) => file ?? echoedFile);
  return batchSummary(batch, untried, locale);
}

/** The links of a summary as document links. */
export function documentLinks(document: vscode.TextDocument, { links }: BatchSummary): vscode.DocumentLink[] {
  const jobUri = (id: string): vscode.Uri => {
    const query = JSON.stringify([namedBy(document.uri)?.connection, id]);
    return vscode.Uri.from({ scheme: 'command', path: openSubmittedJobCommand, query });
  };
  return links.flatMap(({ target, ...stretch }) => {
    const leadsTo = target.type === 'file' ? fileUri(target.uri) : jobUri(target.id);
    return leadsTo === undefined ? [] : [new vscode.DocumentLink(toRange(document, stretch), leadsTo)];
  });
}

/** The file that a ledger names; undefined for anything that is opened otherwise, such as a command. */
function fileUri(written: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(written, true);
    // Editors in a browser have a file system for web pages.
    if (['http', 'https'].includes(uri.scheme)) return undefined;
    const isFile = uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
    return isFile ? uri : undefined;
  } catch {
    return undefined;
  }
}

/** The batch that a URI names; undefined for any other URI. */
function namedBy(
  uri: vscode.Uri,
): { readonly connection: string; readonly baseUrl: string; readonly id: string } | undefined {
  const named = attempt(name, parseJson(uri.query));
  return named instanceof Undecodable ? undefined : named;
}
