import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type {
  CodeAction,
  Command,
  CompletionItem,
  Diagnostic,
  Hover,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { readClientSupport } from '../../../src/server/clientSupport.ts';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';
import { presentEditor } from '../../support/command/languageClient.ts';
import { RawServer, type RawMessage } from '../../support/command/rawServer.ts';

const uri = 'file:///requests/a.transcription.json';
const textDocument = { uri };
const audio = '"audio_url": "https://media.example.com/a.mp3"';
const repeated = `{ ${audio}, "language_config": { "languages": ["en", "fr", "en", "fr"] }, "diarisation": true }`;
const everywhere = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };

describe('Clients of the language server', () => {
  let command: InstalledCommand;
  before(async () => {
    command = await installCommand();
    mkdirSync(join(command.folder, '.vscode'));
  });
  after(() => command.remove());

  /** Runs a server for a client with capabilities. */
  async function withClient(
    capabilities: object,
    use: (server: RawServer, announced: Readonly<Record<string, unknown>>) => Promise<void>,
    { options = [], cwd, ...given }: { options?: readonly string[]; cwd?: string; [name: string]: unknown } = {},
  ): Promise<void> {
    const server = new RawServer(command.script, options, cwd);
    const announced = await server.initialize({ capabilities, ...given });
    await use(server, announced);
    assert.equal(await server.stop(), 0);
  }

  async function resultOf<T>(server: RawServer, method: string, params: object): Promise<T> {
    const { result, error } = await server.request(method, { textDocument, ...params });
    assert.equal(error, undefined);
    return result as T;
  }

  const applied = (text: string, edits: readonly TextEdit[] = []): string =>
    TextDocument.applyEdits(TextDocument.create(uri, 'json', 1, text), [...edits]);

  const isRequest =
    (wanted: string) =>
    ({ method, id }: RawMessage): boolean =>
      method === wanted && id !== undefined;

  it('count as the oldest where capabilities are missing or have wrong types', () => {
    const nothing = readClientSupport(undefined);
    assert.ok(Object.values(nothing).every((each) => !each));
    for (const wrong of [
      null,
      5,
      [],
      { textDocument: 5, workspace: null, general: [] },
      { general: { positionEncodings: {} } },
    ]) {
      assert.deepEqual(readClientSupport(wrong), nothing, JSON.stringify(wrong));
    }
    const words = {
      textDocument: {
        hover: { contentFormat: 'markdown' },
        completion: { completionItem: { snippetSupport: 'true' } },
      },
    };
    assert.deepEqual(readClientSupport(words), nothing);
  });

  it('get snippets, and documentation in Markdown, only if they support them', async () => {
    const complete = async (server: RawServer, marked: string): Promise<readonly CompletionItem[]> => {
      await server.open(uri, marked.replace('|', ''));
      return resultOf(server, 'textDocument/completion', { position: { line: 0, character: marked.indexOf('|') } });
    };
    const texts = [
      `{ "diar|" }`,
      `{ ${audio}, | }`,
      '{ "custom_vocabulary_config": { "vocabulary": [|] } }',
      '|',
      '{ "subtitles_config": | }',
    ];
    await withClient(presentEditor, async (server) => {
      const items = await complete(server, texts[0] ?? '');
      assert.ok(
        items.some(({ insertTextFormat, textEdit }) => insertTextFormat === 2 && /\$/u.test(textEdit?.newText ?? '')),
      );
      assert.ok(
        items.some(({ documentation }) => typeof documentation === 'object' && documentation.kind === 'markdown'),
      );
    });
    await withClient({}, async (server) => {
      for (const text of texts) {
        const items = await complete(server, text);
        assert.ok(items.length > 0, text);
        for (const item of items) {
          assert.notEqual(item.insertTextFormat, 2);
          assert.equal(item.labelDetails, undefined);
          assert.ok(item.documentation === undefined || typeof item.documentation === 'string');
          assert.doesNotMatch(
            JSON.stringify([item.documentation, item.textEdit?.newText, item.insertText]),
            /\$\{?\d|`|\*\*/u,
          );
        }
      }
      // Each is a value or members, with the defaults of its placeholders.
      const [languages] = (await complete(server, `{ ${audio}, "language|" }`)).filter(
        ({ label }) => label === 'language_config',
      );
      const text = `{ ${audio}, "language" }`;
      assert.doesNotThrow(() => JSON.parse(applied(text, languages?.textEdit ? [languages.textEdit as TextEdit] : [])));
      const [objects] = await complete(server, '|');
      assert.ok(JSON.parse(applied('', objects?.textEdit ? [objects.textEdit as TextEdit] : [])));
    });
  });

  it('get hovers in Markdown only if they support it', async () => {
    const text = `{ ${audio} }`;
    const position = { line: 0, character: text.indexOf('url') };
    const hover = async (server: RawServer) => {
      await server.open(uri, text);
      return (await resultOf<Hover>(server, 'textDocument/hover', { position })).contents as {
        kind: string;
        value: string;
      };
    };
    let markdown = '';
    await withClient(presentEditor, async (server) => {
      const { kind, value } = await hover(server);
      assert.equal(kind, 'markdown');
      markdown = value;
    });
    assert.match(markdown, /[\\`]/u);
    await withClient({}, async (server) => {
      const { kind, value } = await hover(server);
      assert.equal(kind, 'plaintext');
      assert.doesNotMatch(value, /[\\`*#]/u);
      assert.equal(value.replaceAll(/\W/gu, ''), markdown.replaceAll(/\W/gu, ''));
    });
  });

  it('get the edits of all actions at once if they cannot resolve', async () => {
    const literals = { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } };
    const actionsOf = async (server: RawServer): Promise<readonly CodeAction[]> => {
      await server.open(uri, repeated);
      return resultOf(server, 'textDocument/codeAction', { range: everywhere, context: { diagnostics: [] } });
    };
    const partly = [
      {},
      { resolveSupport: { properties: ['command'] }, dataSupport: true },
      { resolveSupport: { properties: ['edit'] } },
    ];
    for (const more of partly) {
      await withClient({ textDocument: { codeAction: { ...literals, ...more } } }, async (server, announced) => {
        assert.equal((announced['codeActionProvider'] as { resolveProvider: boolean }).resolveProvider, false);
        const actions = await actionsOf(server);
        const all = actions.find(({ title }) => title.startsWith('Fix all that'));
        assert.equal(
          applied(repeated, all?.edit?.changes?.[uri]),
          `{ ${audio}, "language_config": { "languages": ["en", "fr"] }, "diarization": true }`,
        );
        assert.ok(actions.length > 3);
        assert.ok(
          actions.every(({ edit, data, isPreferred }) => edit && data === undefined && isPreferred === undefined),
        );
      });
    }
    await withClient(presentEditor, async (server) => {
      assert.ok((await actionsOf(server)).some(({ edit, data }) => !edit && data !== undefined));
    });
  });

  it('get commands that apply edits if they know no actions, and nothing if they cannot apply edits either', async () => {
    const context = { diagnostics: [] };
    await withClient({ workspace: { applyEdit: true } }, async (server) => {
      await server.open(uri, repeated);
      const commands = await resultOf<readonly Command[]>(server, 'textDocument/codeAction', {
        range: everywhere,
        context,
      });
      assert.ok(commands.every((each) => typeof each.command === 'string' && !('kind' in each)));
      const all = commands.find(({ title }) => title.startsWith('Fix all that'));
      server.send({
        id: 'run',
        method: 'workspace/executeCommand',
        params: { command: all?.command, arguments: all?.arguments },
      });
      const { id, params } = await server.next(isRequest('workspace/applyEdit'));
      const { edit } = params as { readonly edit: WorkspaceEdit };
      assert.match(applied(repeated, edit.changes?.[uri]), /\["en", "fr"\] \}, "diarization"/u);
      server.send({ id, result: { applied: true } });
      assert.equal((await server.next((message) => message.id === 'run')).error, undefined);
    });
    await withClient({}, async (server) => {
      await server.open(uri, repeated);
      assert.deepEqual(await resultOf(server, 'textDocument/codeAction', { range: everywhere, context }), []);
    });
  });

  it('get edits of versions if they support them, and no fix on save where nothing is to be fixed', async () => {
    const capabilities = { ...presentEditor, workspace: { workspaceEdit: { documentChanges: true } } };
    await withClient(capabilities, async (server) => {
      await server.open(uri, repeated, 7);
      const fixes = async (): Promise<readonly CodeAction[]> =>
        resultOf(server, 'textDocument/codeAction', {
          range: everywhere,
          context: { diagnostics: [], only: ['source.fixAll'] },
        });
      const [save] = await fixes();
      assert.equal(save?.edit?.changes, undefined);
      const [change] = save?.edit?.documentChanges ?? [];
      assert.ok(change && 'textDocument' in change);
      assert.deepEqual(change.textDocument, { uri, version: 7 });
      const text = applied(repeated, change.edits as TextEdit[]);
      server.notify('textDocument/didChange', { textDocument: { uri, version: 8 }, contentChanges: [{ text }] });
      assert.deepEqual(await fixes(), []);
    });
  });

  it('get versions and related places of findings only if they support them', async () => {
    const published = async (server: RawServer): Promise<{ version?: number; diagnostics: readonly Diagnostic[] }> => {
      await server.open(uri, repeated, 3);
      const { params } = await server.next(({ method }) => method === 'textDocument/publishDiagnostics');
      return params as { version?: number; diagnostics: readonly Diagnostic[] };
    };
    await withClient(presentEditor, async (server) => {
      const { version, diagnostics } = await published(server);
      assert.equal(version, 3);
      assert.ok(diagnostics.some(({ relatedInformation }) => (relatedInformation ?? []).length > 0));
    });
    await withClient({}, async (server) => {
      const { version, diagnostics } = await published(server);
      assert.equal(version, undefined);
      assert.ok(diagnostics.length > 0 && diagnostics.every((each) => !('relatedInformation' in each)));
    });
  });

  it('query findings if they can be asked to do so again, and get them pushed otherwise', async () => {
    const capabilities = {
      textDocument: { diagnostic: {}, publishDiagnostics: {} },
      workspace: { diagnostics: { refreshSupport: true } },
    };
    await withClient(capabilities, async (server, announced) => {
      assert.deepEqual(announced['diagnosticProvider'], { interFileDependencies: false, workspaceDiagnostics: false });
      server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text: repeated } });
      const query = async () => {
        const { kind, items } = await resultOf<{ kind: string; items: readonly Diagnostic[] }>(
          server,
          'textDocument/diagnostic',
          {},
        );
        assert.equal(kind, 'full');
        return items.map(({ code }) => code);
      };
      assert.deepEqual(new Set(await query()), new Set(['fields/misspelt', 'languages/duplicate']));
      const rules = { 'languages/duplicate': 'off' };
      server.notify('workspace/didChangeConfiguration', { settings: { transcriptionJobs: { rules } } });
      const { id } = await server.next(isRequest('workspace/diagnostic/refresh'));
      server.send({ id, result: null });
      assert.deepEqual(await query(), ['fields/misspelt']);
      server.notify('textDocument/didClose', { textDocument });
      assert.deepEqual(await query(), []);
      assert.ok(!server.received.some(({ method }) => method === 'textDocument/publishDiagnostics'));
    });
    await withClient({ textDocument: { diagnostic: {}, publishDiagnostics: {} } }, async (server, announced) => {
      assert.equal(announced['diagnosticProvider'], undefined);
      assert.ok((await server.open(uri, repeated)).length > 0);
    });
  });

  it('are registered for nothing that they do not support', async () => {
    await withClient({}, async (server) => {
      await server.open(uri, '{');
      await server.request('textDocument/codeLens', { textDocument });
      assert.ok(!server.received.some(isRequest('client/registerCapability')));
      assert.ok(!server.received.some(isRequest('workspace/configuration')));
    });
  });

  it('get positions in UTF-16, whatever they prefer', async () => {
    const text = `{ "😀": "é", "diarisation": true, ${audio} }`;
    for (const positionEncodings of [['utf-8', 'utf-16'], ['utf-8'], ['utf-32'], []]) {
      await withClient({ ...presentEditor, general: { positionEncodings } }, async (server, announced) => {
        assert.equal(announced['positionEncoding'], 'utf-16');
        await server.open(uri, text);
        const { params } = await server.next(({ method }) => method === 'textDocument/publishDiagnostics');
        const found = (params as { readonly diagnostics: readonly Diagnostic[] }).diagnostics.find(
          ({ code }) => code === 'fields/misspelt',
        );
        assert.equal(found?.range.start.character, text.indexOf('"diarisation"'));
      });
    }
    await withClient({}, async (_server, announced) => assert.ok(!('positionEncoding' in announced)));
  });

  describe('with rule levels', () => {
    const misspelt = `{ ${audio}, "diarisation": true }`;
    const off = { 'fields/misspelt': 'off' };
    const dynamic = {
      ...presentEditor,
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true } },
    };
    const inFolder = (name: string): string => pathToFileURL(join(command.folder, name)).href;

    it('keep those of the initialization options when they send settings without any', async () => {
      await withClient(
        presentEditor,
        async (server) => {
          assert.deepEqual(await server.open(uri, misspelt), []);
          for (const settings of [null, {}, { transcriptionJobs: null }, { transcriptionJobs: {} }, 'no', [], 5]) {
            server.received.length = 0;
            server.notify('workspace/didChangeConfiguration', { settings });
            assert.deepEqual(await server.findings(uri), [], JSON.stringify(settings));
          }
          server.received.length = 0;
          const rules = { 'fields/misspelt': 'hint' };
          server.notify('workspace/didChangeConfiguration', { settings: { transcriptionJobs: { rules } } });
          assert.deepEqual(await server.findings(uri), ['fields/misspelt']);
        },
        { initializationOptions: { rules: off } },
      );
    });

    it('are asked for their settings if they can be, at the beginning and after each change', async () => {
      const capabilities = {
        ...presentEditor,
        workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
      };
      await withClient(capabilities, async (server) => {
        const answer = async (result: unknown): Promise<void> => {
          const { id, params } = await server.next(isRequest('workspace/configuration'));
          assert.deepEqual(params, { items: [{ section: 'transcriptionJobs' }] });
          server.received.length = 0;
          server.send({ id, result });
        };
        await server.next(isRequest('client/registerCapability'));
        server.notify('textDocument/didOpen', {
          textDocument: { uri, languageId: 'json', version: 1, text: misspelt },
        });
        await answer([{ rules: off }]);
        await server.findings(uri, (codes) => codes.length === 0);
        for (const garbage of [null, [], [null], [5], [{ rules: 5 }], 'x', {}]) {
          server.notify('workspace/didChangeConfiguration', { settings: null });
          await answer(garbage);
          await server.findings(uri, ([code]) => code === 'fields/misspelt');
        }
        // The answer to the last query counts, also if it comes first.
        for (let query = 0; query < 2; query++) server.notify('workspace/didChangeConfiguration', { settings: null });
        const last = await server.next(
          (message) =>
            isRequest('workspace/configuration')(message) &&
            server.received.filter(isRequest('workspace/configuration'))[1] === message,
        );
        const first = await server.next(isRequest('workspace/configuration'));
        server.received.length = 0;
        server.send({ id: last.id, result: [{ rules: off }] });
        server.send({ id: first.id, result: [{ rules: { 'fields/misspelt': 'hint' } }] });
        await server.findings(uri, (codes) => codes.length === 0);
        assert.deepEqual(await server.open('file:///requests/c.transcription.json', misspelt), []);
        server.notify('workspace/didChangeConfiguration', { settings: null });
        const { id } = await server.next(isRequest('workspace/configuration'));
        server.received.length = 0;
        server.send({ id, error: { code: -32603, message: 'no' } });
        assert.deepEqual(await server.open('file:///requests/b.transcription.json', '{'), ['json/syntax']);
      });
    });

    it('may send any garbage', async () => {
      const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`rule/${index}`, index]));
      for (const rules of [5, 'off', [], null, { '': 'off' }, { 'fields/misspelt': {} }, { __proto__: 1 }, many]) {
        await withClient(
          { workspace: { workspaceFolders: true } },
          async (server) => {
            server.notify('workspace/didChangeConfiguration', { settings: { transcriptionJobs: { rules } } });
            assert.deepEqual(await server.open(uri, misspelt), ['fields/misspelt']);
            assert.ok(server.received.length < 100);
          },
          { initializationOptions: { rules }, workspaceFolders: rules, locale: rules, rootUri: rules, trace: rules },
        );
      }
    });

    it('see a rules file that is missing, half written and whole again, without a restart', async () => {
      const file = join(command.folder, 'rules.json');
      await withClient(
        dynamic,
        async (server) => {
          const { id, params } = await server.next(isRequest('client/registerCapability'));
          server.send({ id, result: null });
          assert.match(JSON.stringify(params), /"pattern":"rules\.json"/u);
          const recheck = async (): Promise<readonly unknown[]> => {
            server.received.length = 0;
            server.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: inFolder('rules.json'), type: 2 }] });
            return server.findings(inFolder('sub/a.transcription.json'));
          };
          assert.deepEqual(await server.open(inFolder('sub/a.transcription.json'), misspelt), ['fields/misspelt']);
          const shown = server.received.filter(({ method }) => method === 'window/showMessage');
          assert.match(JSON.stringify(shown), /rules\.json/u);
          assert.equal(shown.length, 1);
          writeFileSync(file, JSON.stringify(off));
          assert.deepEqual(await recheck(), []);
          for (const half of ['{ "fields/miss', '', '[]', '{ "fields/misspelt": 7 }', '\u0000']) {
            writeFileSync(file, half);
            assert.deepEqual(await recheck(), [], half);
            assert.ok(server.received.some(({ method }) => method === 'window/showMessage'));
          }
          rmSync(file);
          assert.deepEqual(await recheck(), []);
          mkdirSync(file);
          assert.deepEqual(await recheck(), []);
          rmSync(file, { recursive: true });
          writeFileSync(file, JSON.stringify({ 'fields/misspelt': 'hint' }));
          assert.deepEqual(await recheck(), ['fields/misspelt']);
          rmSync(file);
        },
        { options: ['--rules', 'rules.json'], cwd: command.folder },
      );
    });

    it('see a new rules file when they open or save, if they cannot watch files', async () => {
      const file = join(command.folder, 'rules.json');
      await withClient(
        {},
        async (server) => {
          const a = inFolder('a.transcription.json');
          assert.deepEqual(await server.open(a, misspelt), ['fields/misspelt']);
          writeFileSync(file, JSON.stringify(off));
          assert.deepEqual(await server.open(inFolder('b.transcription.json'), misspelt), []);
          writeFileSync(file, JSON.stringify({ 'fields/misspelt': 'hint' }));
          server.notify('textDocument/didSave', { textDocument: { uri: inFolder('b.transcription.json') } });
          server.received.length = 0;
          const change = { textDocument: { uri: a, version: 2 }, contentChanges: [{ text: `${misspelt} ` }] };
          server.notify('textDocument/didChange', change);
          assert.deepEqual(await server.findings(a), ['fields/misspelt']);
          rmSync(file);
        },
        { options: ['--rules', 'rules.json'], cwd: command.folder },
      );
    });

    it('use those of the folder that a file is in, also after folders have changed', async () => {
      for (const [name, level] of Object.entries({ one: 'off', two: 'hint' })) {
        mkdirSync(join(command.folder, name, '.vscode'), { recursive: true });
        writeFileSync(
          join(command.folder, name, '.vscode/settings.json'),
          JSON.stringify({ 'transcriptionJobs.rules': { 'fields/misspelt': level } }),
        );
      }
      const capabilities = { ...presentEditor, workspace: { workspaceFolders: true } };
      const folders = ['one', 'two'].map((name) => ({ uri: inFolder(name), name }));
      await withClient(
        capabilities,
        async (server) => {
          assert.deepEqual(await server.open(inFolder('one/deep/a.transcription.json'), misspelt), []);
          const two = inFolder('two/a.transcription.json');
          assert.deepEqual(await server.open(two.replace('file:///', 'file://localhost/'), misspelt), [
            'fields/misspelt',
          ]);
          server.notify('workspace/didChangeWorkspaceFolders', {
            event: { added: folders.slice(1), removed: folders.slice(0, 1) },
          });
          assert.deepEqual(await server.open(two, misspelt), ['fields/misspelt']);
        },
        { workspaceFolders: folders.slice(0, 1) },
      );
    });
  });
});
