import type * as vscode from 'vscode';
import { recordFinding, type Recording } from './recordedRequest.ts';

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
  const record = async (uri: vscode.Uri): Promise<void> => {
    // As for closed files: all findings.
    const found = languages.getDiagnostics(uri).filter(({ source }) => source === 'Transcription');
    const document = await workspace.openTextDocument(uri);
    const text = document.getText();
    const all = new editor.Range(document.positionAt(0), document.positionAt(text.length));
    const actions = (kind: string) =>
      commands.executeCommand<readonly vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, all, kind);
    const after = ({ edit }: vscode.CodeAction): string => {
      const edits = edit?.get(uri) ?? [];
      const sorted = edits
        .map((each) => ({
          from: document.offsetAt(each.range.start),
          to: document.offsetAt(each.range.end),
          added: each.newText,
        }))
        .sort((a, b) => b.from - a.from);
      let result = text;
      for (const { from, to, added } of sorted) result = result.slice(0, from) + added + result.slice(to);
      return result.replaceAll('\r\n', '\n');
    };
    const lenses = await commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
      1000,
    );
    const single = (await actions('quickfix')).filter(({ edit }) => edit !== undefined);
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
