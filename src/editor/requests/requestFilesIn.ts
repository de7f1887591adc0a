import * as vscode from 'vscode';
import { hasRequestName, requestGlob } from './isRequestFile.ts';

/** More files than anybody writes; a bound for folders that are none of ours. */
const fileLimit = 10_000;

/** The request files among some files and below some folders, in the order of their names; those of the workspace when none are given. */
export async function requestFilesIn(uris?: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  if (!uris) return sorted(await vscode.workspace.findFiles(requestGlob, undefined, fileLimit));
  const found = await Promise.all(
    uris.map(async (uri) =>
      (await isFolder(uri))
        ? vscode.workspace.findFiles(new vscode.RelativePattern(uri, requestGlob), undefined, fileLimit)
        : // Among several that are selected there may be others, and the watcher that clears problems sees none of those.
          [uri].filter(hasRequestName),
    ),
  );
  return sorted(new Map(found.flat().map((uri) => [uri.toString(), uri])).values());
}

function sorted(uris: Iterable<vscode.Uri>): readonly vscode.Uri[] {
  return [...uris].sort((a, b) => a.path.localeCompare(b.path));
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return false;
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}
