import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Hover,
  Range,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';
import { LanguageClient } from '../../support/command/languageClient.ts';

describe('The language server', () => {
  let command: InstalledCommand;
  let client: LanguageClient;
  let root = '';
  let opened = 0;
  before(async () => {
    command = await installCommand();
    root = pathToFileURL(command.folder).href;
    mkdirSync(join(command.folder, '.vscode'));
    client = await LanguageClient.start(command.script, {
      locale: 'fr',
      workspaceFolders: [{ uri: root, name: 'requests' }],
    });
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    command.remove();
  });

  const freshUri = () => `${root}/${++opened}.transcription.json`;
  const audio = '"audio_url": "https://media.example.com/a.mp3"';

  /** Opens a text in which a bar marks the position to query. */
  async function openAt(marked: string) {
    const offset = marked.indexOf('|');
    const text = marked.replace('|', '');
    const uri = freshUri();
    const { diagnostics } = await client.open(uri, text);
    const position = TextDocument.create(uri, 'json', 1, text).positionAt(offset);
    return { uri, text, position, diagnostics };
  }

  async function actionsAt(uri: string, range: Range, only?: readonly string[]): Promise<readonly CodeAction[]> {
    const context = { diagnostics: [], ...(only && { only }) };
    return client.connection.sendRequest('textDocument/codeAction', { textDocument: { uri }, range, context });
  }

  function apply(uri: string, text: string, edit: WorkspaceEdit | undefined): string {
    return TextDocument.applyEdits(TextDocument.create(uri, 'json', 1, text), [...(edit?.changes?.[uri] ?? [])]);
  }

  it('announces its capabilities, without formatting', () => {
    const { capabilities, serverInfo } = client.initialized;
    assert.equal(serverInfo?.name, 'transcription-requests');
    assert.deepEqual(Object.keys(capabilities).sort(), [
      'codeActionProvider',
      'codeLensProvider',
      'completionProvider',
      'executeCommandProvider',
      'hoverProvider',
      'textDocumentSync',
    ]);
  });

  it('reports findings at their places, and follows edits', async () => {
    const { uri, text, diagnostics } = await openAt(`{\r\n  ${audio}, "diarisation": |true }`);
    assert.deepEqual(
      diagnostics.map(({ code, severity, range }) => ({ code, severity, range })),
      [
        {
          code: 'fields/misspelt',
          severity: 2,
          range: { start: { line: 1, character: 50 }, end: { line: 1, character: 63 } },
        },
      ],
    );
    const at = text.split('\r\n')[1]?.indexOf('diarisation') ?? 0;
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [
        {
          range: { start: { line: 1, character: at + 5 }, end: { line: 1, character: at + 6 } },
          text: 'z',
        },
      ],
    });
    assert.deepEqual((await client.published(uri, 2)).diagnostics, []);
  });

  it('survives a file that is nested too deeply', async () => {
    const { uri, position, diagnostics } = await openAt(`${'{"a":'.repeat(15_000)}|`);
    assert.deepEqual(
      diagnostics.map(({ code, message }) => [code, message]),
      [['json/syntax', 'Nested too deeply to be read.']],
    );
    const here = { textDocument: { uri }, position };
    assert.equal(await client.connection.sendRequest('textDocument/hover', here), null);
    assert.deepEqual(await client.connection.sendRequest('textDocument/completion', here), []);
  });

  it('reports nothing about files that are not requests', async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    await client.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: `${root}/package.json`, languageId: 'json', version: 1, text: '{"diarisation": 1}' },
    });
    assert.equal(await actionsAt(`${root}/package.json`, range), null);
    assert.equal(await actionsAt(`${root}/never-opened.transcription.json`, range), null);
  });

  it('offers a single fix, all of a kind, all in the file, and the safe fixes on save', async () => {
    const { uri, text, position } = await openAt(
      `{ ${audio}, "language_config": { "languages": ["en", "fr", |"en", "fr"] }, "diarisation": true }`,
    );
    const here = { start: position, end: position };
    const actions = await actionsAt(uri, here);
    assert.deepEqual(
      actions.map(({ title, isPreferred }) => [title, isPreferred]),
      [
        ['Remove "en"', true],
        ['Fix all languages/duplicate problems', undefined],
        ['Fix all that can be fixed in this request', undefined],
      ],
    );
    const [one, kind, all] = actions;
    assert.equal(apply(uri, text, one?.edit), text.replace('"fr", "en", "fr"', '"fr", "fr"'));
    const resolved = async (action: CodeAction | undefined): Promise<string> => {
      const { edit } = await client.connection.sendRequest<CodeAction>('codeAction/resolve', action);
      return apply(uri, text, edit);
    };
    const unique = text.replace('"en", "fr", "en", "fr"', '"en", "fr"');
    assert.equal(await resolved(kind), unique);
    assert.equal(await resolved(all), unique.replace('diarisation', 'diarization'));
    const [save, ...others] = await actionsAt(uri, here, ['source.fixAll']);
    assert.deepEqual([others, save?.kind], [[], 'source.fixAll.transcriptionJobs']);
    assert.equal(apply(uri, text, save?.edit), unique);
  });

  it('converts vocabulary terms', async () => {
    const { uri, text, position } = await openAt(
      `{ ${audio}, "custom_vocabulary": true, "custom_vocabulary_config": { "vocabulary": [|"Nguyen"] } }`,
    );
    const [object] = await actionsAt(uri, { start: position, end: position }, ['refactor']);
    const { edit } = await client.connection.sendRequest<CodeAction>('codeAction/resolve', object);
    assert.equal(apply(uri, text, edit), text.replace('"Nguyen"', '{ "value": "Nguyen" }'));
  });

  it('shows the effect above the text, and explains each part', async () => {
    const { uri } = await openAt(`{ ${audio}, "diarization": true }|`);
    const lenses: readonly CodeLens[] = await client.connection.sendRequest('textDocument/codeLens', {
      textDocument: { uri },
    });
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['Language: detected', 'Speakers on one channel: separated'],
    );
    const shown = new Promise<{ readonly message: string }>((resolve) => {
      client.connection.onNotification('window/showMessage', resolve);
    });
    const { command, arguments: given } = lenses[1]?.command ?? {};
    await client.connection.sendRequest('workspace/executeCommand', { command, arguments: given });
    assert.match((await shown).message, /^Speakers\n[^#*`]+\n\nWhat is checked\n/u);
  });

  it('explains fields from the schema, and names languages in the language of the editor', async () => {
    const hover = async (marked: string): Promise<string> => {
      const { uri, position } = await openAt(marked);
      const { contents }: Hover = await client.connection.sendRequest('textDocument/hover', {
        textDocument: { uri },
        position,
      });
      return JSON.stringify(contents);
    };
    assert.match(await hover('{ "audi|o_url": "" }'), /The service fetches it/u);
    assert.match(await hover('{ "language_config": { "languages": ["d|e"] } }'), /de: allemand/u);
  });

  it('completes fields, their values, and language codes', async () => {
    const complete = async (marked: string): Promise<readonly (readonly [string, string])[]> => {
      const { uri, text, position } = await openAt(marked);
      const items: readonly CompletionItem[] = await client.connection.sendRequest('textDocument/completion', {
        textDocument: { uri },
        position,
      });
      return items.map(({ label, textEdit }) => [
        label,
        TextDocument.applyEdits(TextDocument.create(uri, 'json', 1, text), [textEdit as TextEdit]),
      ]);
    };
    const fields = new Map(await complete(`{ ${audio}, "summ|" }`));
    assert.ok(fields.has('summarization') && !fields.has('audio_url'), [...fields.keys()].join());
    assert.match(fields.get('summarization') ?? '', /"summarization": /u);
    const languages = new Map(await complete('{ "language_config": { "languages": ["en", |] } }'));
    assert.equal(languages.get('"fr"'), '{ "language_config": { "languages": ["en", "fr"] } }');
    assert.ok(!languages.has('"en"'));
  });

  it('follows the rule levels of the workspace, overridden by those of the editor', async () => {
    const settings = join(command.folder, '.vscode/settings.json');
    writeFileSync(settings, '{ "transcriptionJobs.rules": { "fields/misspelt": "hint" } }');
    const text = `{ ${audio}, "diarisation": true }`;
    const other = await LanguageClient.start(command.script, { workspaceFolders: [{ uri: root, name: 'a' }] });
    const uri = `${root}/sub/a.transcription.json`;
    const severities = async (version: number) =>
      (await other.published(uri, version)).diagnostics.map(({ severity }) => severity);
    await other.open(uri, text);
    assert.deepEqual(await severities(1), [4]);
    rmSync(settings);
    const change = async (version: number) =>
      other.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
    await other.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [] });
    await change(2);
    assert.deepEqual(await severities(2), [2]);
    const rules = { 'fields/misspelt': 'off', 'fields/unknown': 5 };
    await other.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { transcriptionJobs: { rules } },
    });
    await change(3);
    assert.deepEqual(await severities(3), []);
    assert.equal(await other.stop(), 0);
  });

  it('checks a service and ignores settings if the options say so', async () => {
    writeFileSync(
      join(command.folder, '.vscode/settings.json'),
      '{ "transcriptionJobs.rules": { "service/legacy-name": "off" } }',
    );
    const other = await LanguageClient.start(command.script, {}, ['--service', 'gladia', '--no-settings']);
    const { diagnostics } = await other.open(`${root}/b.transcription.json`, `{ ${audio}, "language": "fr" }`);
    assert.deepEqual(
      diagnostics.map(({ code, severity }) => [code, severity]),
      [['service/legacy-name', 2]],
    );
    assert.equal(await other.stop(), 0);
    rmSync(join(command.folder, '.vscode/settings.json'));
  });

  it('survives invalid messages', async () => {
    const { uri, position } = await openAt(`{ ${audio}| }`);
    const nonsense: readonly (readonly [string, object])[] = [
      ['codeAction/resolve', { title: 'x', data: { uri: 3 } }],
      ['codeAction/resolve', { title: 'x', data: { uri, range: { start: position, end: position }, title: 'other' } }],
      ['workspace/executeCommand', { command: 'transcription-requests.explain', arguments: [{}] }],
      ['textDocument/hover', { textDocument: { uri }, position: { line: 1e6, character: 1e6 } }],
    ];
    for (const [method, given] of nonsense) await client.connection.sendRequest(method, given);
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: 'no' });
    const { diagnostics } = await client.open(freshUri(), '{');
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['json/syntax'],
    );
  });

  it('offers no fixes for closed files', async () => {
    const { uri } = await openAt('{ "audio_url": 1| }');
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 20 } };
    assert.equal(await actionsAt(uri, range), null);
  });
});
