import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeAction, CodeLens } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { LanguageClient } from '../command/languageClient.ts';
import { recordFinding, type RecordedRequest, type Recording } from './recordedRequest.ts';

interface Span {
  readonly begin: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

interface ReportedFile {
  readonly name: string;
  readonly effect: readonly { readonly text: string }[];
  readonly findings: readonly (Span & {
    readonly code: string;
    readonly severity: string;
    readonly message: string;
    readonly fixes: readonly {
      readonly title: string;
      readonly edits: readonly (Span & { readonly text: string })[];
    }[];
  })[];
}

const severities = ['error', 'warning', 'info', 'hint'];
const maxBytes = 256 * 1024 * 1024;

/** Records the command's output for the requests in a folder. @param besides a folder for the fixed files, which is created */
export function recordCommand(script: string, folder: string, besides: string): Recording {
  const run = (cwd: string, ...args: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], {
      cwd,
      encoding: 'utf8',
      maxBuffer: maxBytes,
      // In the desktop editor, the current program is Electron, which runs as Node with this variable.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    if (status === 2) throw new Error(stderr);
    return stdout;
  };
  cpSync(folder, besides, { recursive: true });
  run(besides, 'fix', '.');
  const { files } = JSON.parse(run(folder, 'check', '--format', 'json', '.')) as {
    readonly files: readonly ReportedFile[];
  };
  return Object.fromEntries(
    files.map((file) => {
      const text = readFileSync(join(folder, file.name), 'utf8');
      return [file.name, recordReport(file, text, readFileSync(join(besides, file.name), 'utf8'))];
    }),
  );
}

function recordReport({ name, findings, effect }: ReportedFile, text: string, safe: string): RecordedRequest {
  const document = TextDocument.create(name, 'json', 1, text);
  const rangeOf = ({ begin, end }: Span) => ({
    start: { line: begin.line - 1, character: begin.column - 1 },
    end: { line: end.line - 1, character: end.column - 1 },
  });
  return {
    findings: findings.map((each) => {
      const { start, end } = rangeOf(each);
      const place = `${start.line}:${start.character}-${end.line}:${end.character}`;
      return recordFinding(each.code, severities.indexOf(each.severity) + 1, place, each.message);
    }),
    fixes: findings
      .flatMap(({ fixes }) => fixes)
      .map(({ title, edits }) => {
        const changes = edits.map((edit) => ({ range: rangeOf(edit), newText: edit.text }));
        return unixLines(`${title}\n${TextDocument.applyEdits(document, changes)}`);
      })
      .sort(),
    safe: unixLines(safe),
    effect: effect.map((each) => each.text),
  };
}

/** Records the language server's output for some requests. */
export async function recordServer(script: string, requests: ReadonlyMap<string, string>): Promise<Recording> {
  const client = await LanguageClient.start(script);
  const recording: Record<string, RecordedRequest> = {};
  for (const [name, text] of requests) recording[name] = await recordServed(client, `file:///requests/${name}`, text);
  await client.stop();
  return recording;
}

async function recordServed(client: LanguageClient, uri: string, text: string): Promise<RecordedRequest> {
  const document = TextDocument.create(uri, 'json', 1, text);
  const { diagnostics } = await client.open(uri, text);
  const range = { start: { line: 0, character: 0 }, end: document.positionAt(text.length) };
  const actions = async (only: string): Promise<readonly CodeAction[]> =>
    client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [], only: [only] },
    });
  const after = ({ edit }: CodeAction): string =>
    unixLines(TextDocument.applyEdits(document, [...(edit?.changes?.[uri] ?? [])]));
  const lenses: readonly CodeLens[] = await client.connection.sendRequest('textDocument/codeLens', {
    textDocument: { uri },
  });
  const single = (await actions('quickfix')).filter(({ edit }) => edit);
  const [save] = await actions('source.fixAll');
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  return {
    findings: diagnostics.map(({ code, severity, range: { start, end }, message }) => {
      const place = `${start.line}:${start.character}-${end.line}:${end.character}`;
      return recordFinding(String(code), Number(severity), place, message as string);
    }),
    fixes: single.map((action) => `${action.title}\n${after(action)}`).sort(),
    safe: save ? after(save) : unixLines(text),
    effect: lenses.map(({ command }) => command?.title ?? ''),
  };
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
