import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { StreamMessageWriter } from 'vscode-languageserver-protocol/node';
import { MessageGate } from '../../../src/server/messageGate.ts';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';
import { RawServer } from '../../support/command/rawServer.ts';

const notInitialized = -32002;
const invalidRequest = -32600;
const invalidParams = -32602;
const methodNotFound = -32601;
const parseError = -32700;
const cancelled = -32800;

const uri = 'file:///requests/a.transcription.json';
const textDocument = { uri };
const position = { line: 0, character: 0 };
const range = { start: position, end: position };

describe('The lifecycle of the language server', () => {
  let command: InstalledCommand;
  let server: RawServer;
  before(async () => {
    command = await installCommand();
  });
  after(() => command.remove());
  beforeEach(() => {
    server = new RawServer(command.script);
  });
  afterEach(() => server.hangUp());

  it('rejects requests and ignores notifications before it is initialized', async () => {
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text: '{' } });
    for (const [method, params] of [
      ['textDocument/hover', { textDocument, position }],
      ['shutdown', undefined],
      ['unknown', {}],
    ] as const) {
      assert.equal((await server.request(method, params)).error?.code, notInitialized, method);
    }
    await server.initialize();
    assert.equal((await server.request('textDocument/hover', { textDocument, position })).result, null);
    assert.equal(await server.stop(), 0);
    assert.ok(!server.received.some(({ method }) => method === 'textDocument/publishDiagnostics'));
  });

  it('is initialized once, also after an invalid attempt', async () => {
    for (const params of [undefined, null, [], {}, { capabilities: 1 }]) {
      assert.equal((await server.request('initialize', params)).error?.code, invalidParams, JSON.stringify(params));
    }
    await server.initialize();
    assert.equal((await server.request('initialize', { capabilities: {} })).error?.code, invalidRequest);
    assert.equal(await server.stop(), 0);
  });

  it('rejects everything but exit after shutdown', async () => {
    await server.initialize();
    assert.deepEqual((await server.request('shutdown')).result, null);
    for (const method of ['textDocument/hover', 'initialize', 'shutdown', 'unknown']) {
      assert.equal((await server.request(method, { textDocument, position })).error?.code, invalidRequest, method);
    }
    const before = server.received.length;
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text: '{' } });
    await server.request('textDocument/hover', {});
    assert.deepEqual(
      server.received.slice(before).filter(({ method }) => method === 'textDocument/publishDiagnostics'),
      [],
    );
    server.notify('exit');
    assert.equal(await server.exited, 0);
  });

  it('publishes nothing after shutdown that was to be checked before', async () => {
    await server.initialize();
    await server.open(uri, '{}');
    server.received.length = 0;
    server.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: '{' }] });
    await server.request('shutdown');
    // The check would follow 150 ms after the change.
    const endMs = performance.now() + 500;
    while (performance.now() < endMs) await server.request('unknown');
    server.notify('exit');
    assert.equal(await server.exited, 0);
    assert.ok(!server.received.some(({ method }) => method === 'textDocument/publishDiagnostics'));
  });

  it('exits with 1 without shutdown: before and after it is initialized, and when its input ends', async () => {
    server.notify('exit');
    assert.equal(await server.exited, 1);
    const other = new RawServer(command.script);
    await other.initialize();
    other.notify('exit');
    assert.equal(await other.exited, 1);
    const left = new RawServer(command.script);
    await left.initialize();
    left.hangUp();
    assert.equal(await left.exited, 1);
    const finished = new RawServer(command.script);
    await finished.initialize();
    await finished.request('shutdown');
    finished.hangUp();
    assert.equal(await finished.exited, 0);
  });

  it('ends when the process of its editor has ended, although its input stays open, however it was named', async () => {
    const editor = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(editor, 'spawn');
    const named = new RawServer(command.script, [`--clientProcessId=${editor.pid}`]);
    await named.initialize({ processId: null });
    await server.initialize({ processId: editor.pid });
    editor.stdin.end();
    assert.deepEqual(await Promise.all([server.exited, named.exited]), [1, 1]);
  });

  it('watches only processes that can be watched: the library would end the server because of others', async () => {
    const ended = spawn(process.execPath, ['-e', '0']);
    await once(ended, 'exit');
    const gate = new MessageGate(new StreamMessageWriter(new PassThrough()), () => {});
    const watched = (processId: unknown): unknown => {
      let passed: unknown;
      const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { processId, capabilities: {} } };
      void gate.handleMessage(message, (each) => {
        passed = (each as { readonly params?: { readonly processId: unknown } }).params?.processId;
      });
      return passed;
    };
    for (const processId of [null, 'abc', -1, 0, 1.5, 1e99, [], {}]) {
      assert.equal(watched(processId), null, JSON.stringify(processId));
    }
    assert.deepEqual([process.pid, ended.pid].map(watched), [process.pid, ended.pid]);
  });
});

describe('Messages that are invalid', () => {
  let command: InstalledCommand;
  let server: RawServer;
  before(async () => {
    command = await installCommand();
    server = new RawServer(command.script);
    await server.initialize();
  });
  after(async () => {
    assert.equal(await server.stop(), 0);
    command.remove();
  });

  let opened = 0;
  /** Asserts that the server still finds what is wrong in a document. */
  async function works(): Promise<void> {
    assert.deepEqual(await server.open(`file:///requests/${++opened}.transcription.json`, '{'), ['json/syntax']);
  }

  it('are answered if their content is not JSON', async () => {
    for (const content of [
      '',
      '{',
      'null x',
      '\u0000',
      '{"jsonrpc":"2.0","id":1,"method":',
      Buffer.from([0xff, 0xfe, 0x7b]),
    ]) {
      server.received.length = 0;
      server.frame(content);
      const { error } = await server.next(({ id }) => id === null);
      assert.equal(error?.code, parseError, String(content));
    }
    await works();
  });

  it('are answered if their content is no message', async () => {
    const contents = [
      null,
      1,
      'text',
      true,
      [],
      [{ jsonrpc: '2.0', id: 1, method: 'shutdown' }],
      {},
      { jsonrpc: '2.0' },
    ];
    const messages = [
      { jsonrpc: '2.0', id: {}, method: 'shutdown' },
      { jsonrpc: '2.0', id: null, method: 'shutdown' },
      { jsonrpc: '2.0', id: true, method: 'shutdown' },
      { jsonrpc: '2.0', id: 1, method: 5 },
      { jsonrpc: 2, id: 1, method: 'shutdown' },
    ];
    for (const content of [...contents, ...messages]) {
      server.received.length = 0;
      server.frame(JSON.stringify(content));
      const { error } = await server.next(({ id }) => id === null);
      assert.equal(error?.code, invalidRequest, JSON.stringify(content));
    }
    await works();
  });

  it('are ignored if they are responses to nothing', async () => {
    for (const response of [
      { id: 999, result: null },
      { id: null, error: { code: 1, message: 'x' } },
      { id: 'x', error: 'no' },
      { id: -1, result: {}, error: {} },
    ]) {
      server.send(response);
    }
    await works();
  });

  it('are answered if their method is unknown, and ignored if they are notifications', async () => {
    const long = 'x'.repeat(100_000);
    for (const method of ['unknown', '', '$/unknown', '__proto__', 'constructor', 'textDocument/rename', long]) {
      assert.equal((await server.request(method, {})).error?.code, methodNotFound);
      server.notify(method, {});
    }
    await works();
  });

  it('are answered if their parameters have wrong types', async () => {
    const wrong: readonly unknown[] = [undefined, null, 1, 'text', true, [], [{}], {}, { textDocument: null }];
    const wrongOf: Readonly<Record<string, readonly unknown[]>> = {
      'textDocument/hover': [
        { textDocument },
        { textDocument: { uri: 5 }, position },
        { textDocument: uri, position },
        { textDocument, position: { line: 'a', character: 0 } },
        { textDocument, position: { line: -1, character: 0 } },
        { textDocument, position: { line: 0.5, character: 0 } },
        { textDocument, position: { line: 0, character: 1e300 } },
        { textDocument, position: [0, 0] },
      ],
      'textDocument/completion': [{ textDocument, position: null }],
      'textDocument/codeLens': [{ textDocument: [] }],
      'textDocument/diagnostic': [{ textDocument: {} }],
      'textDocument/codeAction': [
        { textDocument, range },
        { textDocument, range, context: {} },
        { textDocument, range, context: { diagnostics: 5 } },
        { textDocument, range, context: { diagnostics: [null] } },
        { textDocument, range, context: { diagnostics: [], only: 'quickfix' } },
        { textDocument, range, context: { diagnostics: [], only: [1] } },
        { textDocument, range: { start: position }, context: { diagnostics: [] } },
      ],
      'codeAction/resolve': [{ title: 5 }],
      'workspace/executeCommand': [
        { command: 5 },
        { command: 'x', arguments: 'y' },
        { command: 'rm', arguments: ['-rf'] },
      ],
    };
    for (const [method, more] of Object.entries(wrongOf)) {
      for (const params of [...wrong, ...more]) {
        const { error } = await server.request(method, params);
        assert.equal(error?.code, invalidParams, `${method} ${JSON.stringify(params)}: ${JSON.stringify(error)}`);
      }
    }
    await works();
  });

  it('are ignored if they are notifications with parameters of wrong types', async () => {
    await server.open(uri, '{}');
    const wrong: readonly unknown[] = [
      undefined,
      null,
      1,
      'text',
      [],
      {},
      { textDocument: null, event: 5, settings: 5 },
    ];
    const change = (contentChanges: unknown, version: unknown = 2) => ({
      textDocument: { uri, version },
      contentChanges,
    });
    const wrongOf: Readonly<Record<string, readonly unknown[]>> = {
      'textDocument/didOpen': [
        { textDocument: { uri: 5, languageId: 'json', version: 1, text: '' } },
        { textDocument: { uri, languageId: 'json', version: 1, text: 5 } },
        { textDocument: { uri, languageId: 'json', version: 'x', text: '' } },
        { textDocument: { uri } },
      ],
      'textDocument/didChange': [
        change(null),
        change('text'),
        change([null]),
        change([{}]),
        change([{ text: 5 }]),
        change([{ text: 'x' }], null),
        change([{ text: 'x' }], 'two'),
        change([{ text: 'x', range: 5 }]),
        change([{ text: 'x', range: { start: position, end: { line: null, character: 0 } } }]),
        change([{ text: 'x' }, { text: 'y', range: { start: { line: -1, character: 0 }, end: position } }]),
      ],
      'textDocument/didClose': [{ textDocument: { uri: 5 } }],
      'textDocument/didSave': [{ textDocument: 5 }],
      'workspace/didChangeConfiguration': [],
      'workspace/didChangeWatchedFiles': [{ changes: 5 }],
      'workspace/didChangeWorkspaceFolders': [
        { event: { added: [{}], removed: [] } },
        { event: { added: 5, removed: 5 } },
      ],
      initialized: [],
      '$/setTrace': [{ value: 5 }],
      '$/cancelRequest': [{ id: {} }, { id: null }, { id: 'x' }],
      '$/progress': [{ token: {} }],
      'window/workDoneProgress/cancel': [{ token: null }],
    };
    for (const [method, more] of Object.entries(wrongOf)) {
      for (const params of [...wrong, ...more]) server.notify(method, params);
    }
    // None of them has changed the document.
    server.received.length = 0;
    server.notify('textDocument/didChange', change([{ text: '[', range }], 3));
    await server.findings(uri, (codes) => codes.includes('json/syntax'));
    server.notify('textDocument/didClose', { textDocument });
    await works();
  });

  it('do not stop a request from being cancelled while it waits', async () => {
    const text = JSON.stringify({
      audio_url: 'https://media.example.com/a.mp3',
      x: Array.from({ length: 20_000 }, () => ({ a: 1 })),
    });
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text } });
    const ids = Array.from({ length: 20 }, (_, index) => `waiting-${index}`);
    for (const id of ids) server.send({ id, method: 'textDocument/hover', params: { textDocument, position } });
    for (const id of ids) server.notify('$/cancelRequest', { id });
    const answers = [];
    for (const id of ids) answers.push((await server.next((message) => message.id === id)).error?.code);
    assert.ok(answers.includes(cancelled), answers.join());
    server.notify('textDocument/didClose', { textDocument });
    await works();
  });
});
