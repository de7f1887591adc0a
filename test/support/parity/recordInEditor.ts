import type * as vscode from 'vscode';
import { recordFinding, type Recording } from './recordedRequest.ts';

/** An edit of a text: with a text, or with a snippet. */
interface RecordedEdit {
  readonly range: vscode.Range;
  readonly newText?: string;
  readonly edit?: { readonly value?: string };
}

interface AllEntries {
  _allEntries(): readonly RecordedEdit[];
}

/**
 * Records the extension's output for the request files in a folder through the editor's own commands, in any host. A small extension is
 * built from the sources of this function and of {@link recordFinding}, its only dependency.
 */
export async function recordInEditor(editor: typeof vscode, folder: vscode.Uri): Promise<Recording> {
  const { commands, languages, workspace } = editor;
  const entries = await workspace.fs.readDirectory(folder);
  const uris = entries.map(([name]) => editor.Uri.joinPath(folder, name));
  await commands.executeCommand('transcriptionJobs.checkRequest', folder);
  const recording: Record<string, Recording[string]> = {};
  // Edits are computed when an action is selected.
  const maxResolved = 1000;
  const record = async (uri: vscode.Uri): Promise<void> => {
    // As for closed files: all findings.
    const found = languages.getDiagnostics(uri).filter(({ source }) => source === 'Transcription');
    const document = await workspace.openTextDocument(uri);
    const text = document.getText();
    const all = new editor.Range(document.positionAt(0), document.positionAt(text.length));
    const actions = (kind: string) =>
      commands.executeCommand<readonly vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        all,
        kind,
        maxResolved,
      );
    const after = ({ edit }: vscode.CodeAction): string => {
      const sorted = editsOf(edit)
        .map(({ range, newText, edit: snippet }) => ({
          from: document.offsetAt(range.start),
          to: document.offsetAt(range.end),
          added: newText ?? plainText(snippet?.value ?? ''),
        }))
        .sort((a, b) => b.from - a.from);
      let result = text;
      for (const { from, to, added } of sorted) result = result.slice(0, from) + added + result.slice(to);
      return result.replaceAll('\r\n', '\n');
    };
    // The editor's API has no function for the edits that are snippets.
    const editsOf = (edit: vscode.WorkspaceEdit | undefined): readonly RecordedEdit[] => [
      ...(edit?.get(uri) ?? []),
      ...((edit as unknown as AllEntries | undefined)?._allEntries().filter((each) => each.edit?.value !== undefined) ??
        []),
    ];
    const plainText = (snippet: string): string =>
      snippet.replace(/\$\{0:((?:[^\\}]|\\.)*)\}|\$0/u, '$1').replaceAll(/\\([\\$}])/gu, '$1');
    const lenses = await commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
      1000,
    );
    const single = (await actions('quickfix')).filter(({ title }) => !title.startsWith('Fix all '));
    const [save] = await actions('source.fixAll.transcriptionJobs');
    recording[uri.path.slice(uri.path.lastIndexOf('/') + 1)] = {
      findings: found.map(({ code, severity, range: { start, end }, message }) => {
        const name = typeof code === 'object' ? code.value : (code ?? '');
        const place = `${start.line}:${start.character}-${end.line}:${end.character}`;
        return recordFinding(String(name), severity + 1, place, message);
      }),
      fixes: single.map((action) => `${action.title}\n${after(action)}`).sort(),
      safe: save === undefined ? text.replaceAll('\r\n', '\n') : after(save),
      // Three commands come before the effect.
      effect: lenses.slice(3).map(({ command }) => command?.title ?? ''),
    };
  };
  // Several at a time: most of the time is spent waiting for the editor to forward queries.
  const atOnce = 16;
  for (let from = 0; from < uris.length; from += atOnce) await Promise.all(uris.slice(from, from + atOnce).map(record));
  return recording;
}
