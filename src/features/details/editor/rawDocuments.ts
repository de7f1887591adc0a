import * as vscode from 'vscode';
import { harmlessJson } from '../../../base/outsideText.ts';
import { jobKey, type Job, type ListEntry, escapeKeySegment } from '../../../jobs/common/job.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { isFailure } from '../../../base/failure.ts';
import { failureSentence } from '../../../base/failureText.ts';
import { maskEntry } from '../../../jobs/node/export/maskEntry.ts';
import { canonicalItem, formatItem } from '../../../platform/formatItem.ts';
import { readWholeJobs } from '../../../jobs/editor/readWholeJobs.ts';
import type { Services } from '../../../services.ts';
import { rawDocumentScheme } from '../../../platform/editor/ids.ts';

/** Maximum length, in characters, of a compared item: sorting the keys of longer ones takes too long. */
const maxCompared = 8_000_000;

/**
 * Provides items as read-only JSON documents: as received, except for layout, masked keys and the escaping of disruptive characters.
 * Updates the documents with their jobs.
 */
export class RawDocuments extends DisposableOwner {
  readonly #services: Services;
  /** Items of open documents, so that an item that is no longer loaded stays readable. */
  readonly #shown = new Map<string, ListEntry>();
  #unreadable = 0;

  /** @param changed fired when the content of a document changes */
  constructor(services: Services, changed: vscode.EventEmitter<vscode.Uri>) {
    super();
    this.#services = services;
    this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())));
    this.own(
      services.jobs.onDidChange((change) => {
        for (const { uri } of vscode.workspace.textDocuments) {
          const document = readRawDocumentUri(uri);
          if (document === undefined) continue;
          if (change.type === 'reset' || change.jobs.has(jobKey(document))) changed.fire(uri);
        }
      }),
    );
  }

  /** Opens items: several each in an editor of its own. Also opens unreadable list items, which have no id. */
  async open(entries: readonly ListEntry[]): Promise<void> {
    // The editor reuses one preview tab, so several previews would replace each other.
    const preview = entries.length === 1;
    for (const entry of entries) await this.#open(entry, preview);
  }

  async #open(entry: ListEntry, preview: boolean): Promise<void> {
    const named = entry.type === 'job' ? entry : { kind: 'unreadable', id: String(++this.#unreadable) };
    const uri = this.#uri(named, false);
    this.#shown.set(uri.toString(), entry);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview });
  }

  /** Opens the editor's diff of two jobs, with sorted keys, so that it shows only differences in content. */
  async openDiff(left: Job, right: Job, title: string): Promise<void> {
    const [before, after] = [left, right].map((job) => {
      const uri = this.#uri(job, true);
      this.#shown.set(uri.toString(), job);
      return uri;
    });
    await vscode.commands.executeCommand('vscode.diff', before, after, title);
  }

  /**
   * Returns the text of a document, with the result, which rows do not keep. An open document keeps its text if its job cannot be read.
   * @throws Error when the job is not loaded or cannot be read; the editor shows the error in place of the document
   */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const document = readRawDocumentUri(uri);
    const entry = document && (this.#loaded(document) ?? this.#shown.get(uri.toString()));
    if (document === undefined || entry === undefined) {
      throw new Error(vscode.l10n.t('This job is not loaded. Open it from the jobs view.'));
    }
    this.#shown.set(uri.toString(), entry);
    let raw: string;
    try {
      ({ raw } =
        entry.type === 'job'
          ? await this.#readWhole(entry, document)
          : await maskEntry(entry, this.#services.service.keyMask));
    } catch (error) {
      const text = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())?.getText();
      if (text) return text;
      throw error;
    }
    if (!document.canonical) return formatItem(raw, harmlessJson);
    if (raw.length > maxCompared)
      throw new Error(
        vscode.l10n.t('This job has {0} MB, too many to be compared. Open its JSON.', Math.round(raw.length / 1e6)),
      );
    return canonicalItem(raw, harmlessJson);
  }

  async #readWhole(job: Job, { connection }: RawDocument): Promise<Job> {
    const { jobs, connections, service } = this.#services;
    if (jobs.whole(job) === undefined && connections.current?.name !== connection) {
      throw new Error(
        vscode.l10n.t('This job belongs to the connection {0}. Switch to it to see the job.', connection),
      );
    }
    return readWholeJobs([job], jobs, service.keyMask).then(
      ([read]) => read ?? job,
      (error: unknown) => {
        throw isFailure(error) ? new Error(failureSentence(error)) : error;
      },
    );
  }

  #loaded({ connection, kind, id }: RawDocument): Job | undefined {
    return connection === this.#services.connections.current?.name ? this.#services.jobs.get(kind, id) : undefined;
  }

  #uri({ kind, id }: { readonly kind: string; readonly id: string }, canonical: boolean): vscode.Uri {
    return rawDocumentUri({ connection: this.#services.connections.current?.name ?? '', kind, id, canonical });
  }
}

/** Identifies the item of a document. `canonical`: formatted for comparison, with sorted keys; otherwise as received. */
export interface RawDocument {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
  readonly canonical: boolean;
}

/** Returns the URI of a document, for example `transcription-job:/Sample/live/1a2b.json`. */
export function rawDocumentUri({ connection, kind, id, canonical }: RawDocument): vscode.Uri {
  const path = `/${[connection, kind, id].map(escapeKeySegment).join('/')}.json`;
  return vscode.Uri.from({ scheme: rawDocumentScheme, path, query: canonical ? 'canonical' : '' });
}

/** Parses a URI of {@link rawDocumentUri}; undefined for any other. */
export function readRawDocumentUri({ scheme, path, query }: vscode.Uri): RawDocument | undefined {
  const parts = /^\/([^/]*)\/([^/]*)\/([^/]*)\.json$/.exec(path);
  const [connection, kind, id] = (parts?.slice(1) ?? []).map(unescapePart);
  if (scheme !== rawDocumentScheme || connection === undefined || kind === undefined || id === undefined) {
    return undefined;
  }
  return { connection, kind, id, canonical: query === 'canonical' };
}

function unescapePart(part: string): string {
  return part.replace(/%([\da-f]{2})/g, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
