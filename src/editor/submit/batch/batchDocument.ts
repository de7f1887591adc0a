import * as vscode from 'vscode';
import { attempt, record, text, Undecodable } from '../../../domain/decode/decoder.ts';
import { formatMoment } from '../../../domain/format.ts';
import { parseJson } from '../../../domain/json/json.ts';
import { batchSummary, type BatchSummary } from '../../../domain/submission/batchSummary.ts';
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
  if (batch === undefined) return { text: vscode.l10n.t('This batch is not kept any more.'), links: [] };
  const { source } = batch.plan;
  const files = source.type === 'files' ? source.files : [];
  const untried = files.filter((file) => !batch.items.has(digest(file)) && !batch.skipped.has(digest(file)));
  return batchSummary(batch, untried, locale);
}

/** The links of a summary as document links. */
export function documentLinks(document: vscode.TextDocument, { links }: BatchSummary): vscode.DocumentLink[] {
  const jobUri = (id: string): vscode.Uri => {
    const query = JSON.stringify([namedBy(document.uri)?.connection, id]);
    return vscode.Uri.from({ scheme: 'command', path: openSubmittedJobCommand, query });
  };
  return links.map(({ target, ...stretch }) => {
    const leadsTo = target.type === 'file' ? vscode.Uri.parse(target.uri) : jobUri(target.id);
    return new vscode.DocumentLink(toRange(document, stretch), leadsTo);
  });
}

/** The batch that a URI names; undefined for any other URI. */
function namedBy(
  uri: vscode.Uri,
): { readonly connection: string; readonly baseUrl: string; readonly id: string } | undefined {
  const named = attempt(name, parseJson(uri.query));
  return named instanceof Undecodable ? undefined : named;
}
