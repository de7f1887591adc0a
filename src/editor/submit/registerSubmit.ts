import * as vscode from 'vscode';
import { severalLines } from '../../domain/outsideText.ts';
import { commandIds, batchScheme, openSubmittedJobCommand } from '../ids.ts';
import { registerCommand, runCommand } from '../runCommand.ts';
import type { SubmitDeps, Submissions } from './submitContext.ts';

/** In characters: the thousand requests of the largest batch take a tenth. */
const longestSummary = 2_000_000;

/** The commands about submissions, and what they share for others who submit. */
export interface Submitting extends vscode.Disposable {
  /** Made when it is first wanted. */
  room(): Promise<Submissions>;
}

/** Registers the commands about submissions. What they need is loaded when the first of them runs. */
export function registerSubmit(needs: SubmitDeps): Submitting {
  const { log } = needs;
  const summaryChanged = new vscode.EventEmitter<vscode.Uri>();
  let opening: Promise<Submissions> | undefined;
  const room = async (): Promise<Submissions> => (opening ??= open(needs, summaryChanged));
  const summary = async (uri: vscode.Uri) => {
    const { summaryAt } = await import('./batch/batchDocument.ts');
    return summaryAt(await room(), uri);
  };
  const registered = vscode.Disposable.from(
    summaryChanged,
    {
      dispose: () => {
        // One that could not be made has nothing to close.
        void opening?.then(
          ({ complaints }) => complaints.dispose(),
          () => undefined,
        );
      },
    },
    registerCommand(log, commandIds.submitRequest, async (...given) => {
      const { submitUris } = await import('./submitCommands.ts');
      await submitUris(await room(), given);
    }),
    registerCommand(log, commandIds.submitBatch, async (...given) => {
      const { submitUrlList } = await import('./submitCommands.ts');
      await submitUrlList(await room(), given);
    }),
    registerCommand(log, commandIds.copyRequestCurl, async (...given) => {
      const { copyRequestCurl } = await import('./submitCommands.ts');
      await copyRequestCurl(await room(), given);
    }),
    registerCommand(log, commandIds.showSubmissions, async () => {
      const { showSubmissions } = await import('./showSubmissions.ts');
      await showSubmissions(await room());
    }),
    vscode.workspace.registerTextDocumentContentProvider(batchScheme, {
      onDidChange: summaryChanged.event,
      provideTextDocumentContent: async (uri) => severalLines((await summary(uri)).text, longestSummary),
    }),
    vscode.languages.registerDocumentLinkProvider(
      { scheme: batchScheme },
      {
        provideDocumentLinks: async (document) => {
          const { documentLinks } = await import('./batch/batchDocument.ts');
          return documentLinks(document, await summary(document.uri));
        },
      },
    ),
    vscode.commands.registerCommand(openSubmittedJobCommand, (connection: unknown, id: unknown) =>
      runCommand(log, () =>
        typeof connection === 'string' && typeof id === 'string'
          ? needs.openJob({ connection, kind: 'pre-recorded', id })
          : undefined,
      ),
    ),
  );
  return { room, dispose: () => void registered.dispose() };
}

async function open(needs: SubmitDeps, summaryChanged: vscode.EventEmitter<vscode.Uri>): Promise<Submissions> {
  const { openSubmitRoom } = await import('./openSubmitContext.ts');
  return openSubmitRoom(needs, summaryChanged);
}
