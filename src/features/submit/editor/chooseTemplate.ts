import { posix } from 'node:path';
import * as vscode from 'vscode';
import { isRequestFile } from '../../../language/editor/requestFileType.ts';
import { requestGlob } from '../../../language/requestLanguage.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { pickOne, plainLabel } from '../../../platform/editor/quickPick.ts';

/**
 * Returns the open request files: visible ones first, then by tab, last tab first. Closed tabs do not count, although their documents may
 * live on.
 */
function openRequests(): readonly vscode.Uri[] {
  const inSight = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const requests = new Set(vscode.workspace.textDocuments.filter(isRequestFile).map(({ uri }) => uri.toString()));
  const shown = new Map([...inSight, ...tabs.toReversed()].map((uri) => [uri.toString(), uri]));
  return [...shown.values()].filter((uri) => requests.has(uri.toString()));
}

/** Max number of request files that are offered. */
const maxFiles = 500;

/**
 * Lets the user select the request file that is sent for each URL of a list: one of the workspace, or a new one.
 * @returns undefined if the user cancels
 */
export async function chooseTemplate(list: vscode.Uri): Promise<vscode.Uri | 'new' | undefined> {
  const { l10n } = vscode;
  const open = openRequests();
  const found = await vscode.workspace.findFiles(requestGlob, undefined, maxFiles);
  const others = found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files = new Map([...open, ...others].map((uri) => [uri.toString(), uri]));
  const answer = await pickOne<vscode.Uri | 'new'>({
    title: l10n.t('Submit "{0}"', posix.basename(list.path)),
    placeholder: l10n.t('Which request file applies to each URL?'),
    choices: [
      ...[...files.values()].map((uri, index) => {
        const folder = posix.dirname(vscode.workspace.asRelativePath(uri));
        return {
          label: `$(file) ${plainLabel(posix.basename(uri.path))}`,
          description: plainLabel(
            [...(folder === '.' ? [] : [folder]), ...(index < open.length ? [l10n.t('open in an editor')] : [])].join(
              ' · ',
            ),
          ),
          value: uri,
        };
      }),
      { label: `$(add) ${l10n.t('New Request File…')}`, value: 'new' },
    ],
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value : undefined;
}

/**
 * Creates a request file.
 * @returns a function that returns its URI, which changes when it is saved, or undefined once it is closed; undefined if the user cancels
 */
export async function createTemplate(): Promise<(() => vscode.Uri | undefined) | undefined> {
  const before = vscode.window.activeTextEditor?.document;
  await vscode.commands.executeCommand(commandIds.newRequest);
  const created = vscode.window.activeTextEditor?.document;
  if (created === undefined || created === before || !isRequestFile(created)) return undefined;
  const { path } = created.uri;
  return () => openRequests().find((uri) => uri.path === path);
}
