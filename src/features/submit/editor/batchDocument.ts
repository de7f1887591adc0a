import * as vscode from 'vscode';
import { attempt, record, text, Undecodable } from '../../../base/decode/decoder.ts';
import { formatMoment } from '../../../base/format.ts';
import { parseJson } from '../../../base/json/json.ts';
import { batchSummary, type BatchAction, type BatchSummary } from '../common/batchSummary.ts';
import { namedItems } from '../common/batch.ts';
import { echoedFile } from '../common/resubmission.ts';
import { severalLines } from '../../../base/outsideText.ts';
import type { Clock } from '../../../base/clock.ts';
import type { JournalOwner } from '../../../jobs/common/submission.ts';
import { digest } from '../../../base/digest.ts';
import { toRange } from '../../../language/editor/diagnostics.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { batchActionCommand, batchScheme, openSubmittedJobCommand } from '../../../platform/editor/ids.ts';
import type { BatchStore } from '../node/journal/batchStore.ts';

const name = record({ connection: text, baseUrl: text, id: text });

/** Opens the summary of a batch. */
export async function showBatchSummary(connection: JournalOwner, id: string): Promise<void> {
  await vscode.window.showTextDocument(summaryUri(connection, id), { preview: false });
}

/** Returns the URI of a batch's summary. */
export function summaryUri({ name: connection, baseUrl }: JournalOwner, id: string): vscode.Uri {
  const at = new Date(Number(id.slice(0, 15)));
  const title = formatMoment(at.getTime(), locale).replaceAll(/[/:\\]/g, '.');
  return vscode.Uri.from({
    scheme: batchScheme,
    path: `/${vscode.l10n.t('Batch {0}', title)}.txt`,
    query: JSON.stringify({ connection, baseUrl, id }),
  });
}

/** Reads the summary that a URI names from the batch's ledger. */
export async function summaryAt(batches: BatchStore, uri: vscode.Uri): Promise<BatchSummary> {
  const named = namedBy(uri);
  if (named === undefined) return { text: '', links: [] };
  const owner = { name: named.connection, baseUrl: named.baseUrl };
  const batch = await batches.read(await batches.find(owner, named.id));
  if (batch === undefined) return { text: vscode.l10n.t('This batch is no longer stored.'), links: [] };
  const untried = namedItems(batch.plan.source, digest)
    .filter(({ item }) => !batch.items.has(item) && !batch.skipped.has(item))
    .map(({ file = echoedFile, label }) => ({ file, label }));
  return batchSummary(batch, untried, locale);
}

/** In characters: about ten times the length for the largest batch, of a thousand requests. */
const maxSummaryLength = 2_000_000;

/** Summaries as read-only files, which the editor opens again after a reload. */
export class BatchFiles {
  readonly #batches: BatchStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #changed: (uri: vscode.Uri) => void;
  /** Summaries that were shown in this window, and when they last changed. */
  readonly #shown = new Map<string, { readonly uri: vscode.Uri; readonly mtime: number }>();

  /** @param changed called with each shown summary whose content has changed */
  constructor(batches: BatchStore, clock: Pick<Clock, 'now'>, changed: (uri: vscode.Uri) => void) {
    this.#batches = batches;
    this.#clock = clock;
    this.#changed = changed;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { byteLength: size } = await this.readFile(uri);
    const { mtime } = this.#note(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    this.#note(uri);
    return Buffer.from(severalLines((await summaryAt(this.#batches, uri)).text, maxSummaryLength));
  }

  /** Reports that a batch has changed. The name of its connection may have changed since. */
  touch(id: string): void {
    for (const [key, { uri, mtime }] of this.#shown) {
      if (namedBy(uri)?.id !== id) continue;
      this.#shown.set(key, { uri, mtime: Math.max(this.#clock.now(), mtime + 1) });
      this.#changed(uri);
    }
  }

  #note(uri: vscode.Uri): { readonly mtime: number } {
    const known = this.#shown.get(uri.toString()) ?? { uri, mtime: this.#clock.now() };
    this.#shown.set(uri.toString(), known);
    return known;
  }
}

/** Returns the links of a summary as document links. */
export function documentLinks(document: vscode.TextDocument, { links }: BatchSummary): vscode.DocumentLink[] {
  const jobUri = (id: string): vscode.Uri => {
    const query = JSON.stringify([namedBy(document.uri)?.connection, id]);
    return vscode.Uri.from({ scheme: 'command', path: openSubmittedJobCommand, query });
  };
  const actionUri = (action: BatchAction): vscode.Uri => {
    const query = JSON.stringify([{ ...namedBy(document.uri), action }]);
    return vscode.Uri.from({ scheme: 'command', path: batchActionCommand, query });
  };
  const leadTo = (target: BatchSummary['links'][number]['target']): vscode.Uri | undefined => {
    switch (target.type) {
      case 'file':
        return fileUri(target.uri);
      case 'job':
        return jobUri(target.id);
      case 'action':
        return actionUri(target.action);
    }
  };
  return links.flatMap(({ target, ...stretch }) => {
    const leadsTo = leadTo(target);
    return leadsTo === undefined ? [] : [new vscode.DocumentLink(toRange(document, stretch), leadsTo)];
  });
}

/** Returns the URI of the file that a ledger names; undefined for URIs that open something else, such as a command. */
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

/** Returns the batch that a URI names; undefined for any other URI. */
function namedBy(
  uri: vscode.Uri,
): { readonly connection: string; readonly baseUrl: string; readonly id: string } | undefined {
  const named = attempt(name, parseJson(uri.query));
  return named instanceof Undecodable ? undefined : named;
}
