import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';
import { presentEditor } from '../../support/command/languageClient.ts';
import { RawServer } from '../../support/command/rawServer.ts';

const audio = '"audio_url": "https://media.example.com/a.mp3"';
const misspelt = `{ ${audio}, "diarisation": true }`;
const uri = 'file:///requests/hostile.transcription.json';
const textDocument = { uri };
const position = { line: 0, character: 5 };
const range = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };
const many = 20_000;

/** Opens the document that the inputs use. */
function open(server: RawServer, text: string): void {
  server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text } });
}

function deep(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

/** Inputs by what is hostile in them, sent to one server, one after another. */
const inputs: Readonly<Record<string, (server: RawServer) => unknown>> = {
  'one id for two requests': (server) => {
    server.send({ id: 7, method: 'textDocument/hover', params: { textDocument, position } });
    server.send({ id: 7, method: 'textDocument/hover', params: { textDocument, position } });
  },
  'an id of a megabyte': async (server) => {
    const id = 'x'.repeat(1_000_000);
    server.send({ id, method: 'textDocument/codeLens', params: { textDocument } });
    await server.next((message) => message.id === id);
  },
  'ids that are fractions, negative or large': async (server) => {
    for (const id of [0.5, -1, 1e300, '', '__proto__']) {
      server.received.length = 0;
      server.send({ id, method: 'textDocument/codeLens', params: { textDocument } });
      await server.next((message) => message.id === id);
    }
  },
  'thousands of messages at once': (server) => {
    const content = JSON.stringify({ jsonrpc: '2.0', method: 'textDocument/didClose', params: { textDocument } });
    server.write(`Content-Length: ${content.length}\r\n\r\n${content}`.repeat(many));
  },
  'a byte order mark': (server) => server.frame('\ufeff{"jsonrpc":"2.0","method":"x"}'),
  'bytes that are not UTF-8': (server) =>
    server.frame(
      Buffer.concat([Buffer.from('{"jsonrpc":"2.0","method":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]),
    ),
  'parameters that are nested deeply': (server) => {
    server.frame(
      `{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":${deep(500_000)}}}`,
    );
    server.frame(
      `{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"transcriptionJobs":{"rules":${deep(100_000)}}}}}`,
    );
    server.frame(`{"jsonrpc":"2.0","id":1,"method":"codeAction/resolve","params":{"title":"x","data":${deep(1000)}}}`);
  },
  'a key __proto__ in everything': (server) => {
    server.frame('{"jsonrpc":"2.0","__proto__":{"method":"exit"},"method":"x","params":{"__proto__":{"a":1}}}');
    server.frame(
      '{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"__proto__":{"transcriptionJobs":5}}}}',
    );
  },
  'exit as a request': async (server) => {
    assert.equal((await server.request('exit')).error?.code, -32601);
  },
  'initialized again and again': (server) => {
    for (let index = 0; index < 20; index++) server.notify('initialized', {});
  },
  'every kind of trace': (server) => {
    for (const value of ['verbose', 'messages', 'off', 'x', '']) server.notify('$/setTrace', { value });
  },
  'responses that nobody waits for, twice': (server) => {
    for (const id of [0, 0, 1, 1, 2, 3]) server.send({ id, result: { anything: [] } });
    for (const id of [0, 1, 2, 3]) server.send({ id, error: { code: 'x', message: {} } });
  },
  'tokens of progress of every type': async (server) => {
    open(server, misspelt);
    for (const token of [null, {}, [], 5, 'x', true]) {
      const params = { textDocument, position, workDoneToken: token, partialResultToken: token };
      assert.equal((await server.request('textDocument/hover', params)).error, undefined, JSON.stringify(token));
    }
  },
  'a document that is opened a thousand times': (server) => {
    for (let index = 0; index < 1000; index++) open(server, `${misspelt}${' '.repeat(index % 7)}`);
  },
  'thousands of documents, never closed': (server) => {
    for (let index = 0; index < 3000; index++) {
      server.notify('textDocument/didOpen', {
        textDocument: { uri: `file:///many/${index}.transcription.json`, languageId: 'json', version: 1, text: '{}' },
      });
    }
  },
  'settings that change hundreds of times with these documents': (server) => {
    for (let index = 0; index < 300; index++) {
      const rules = { 'audio-url/missing': index % 2 === 0 ? 'hint' : 'info' };
      server.notify('workspace/didChangeConfiguration', { settings: { transcriptionJobs: { rules } } });
      server.notify('workspace/didChangeWatchedFiles', { changes: [] });
    }
  },
  'thousands of changes in one message': (server) => {
    open(server, misspelt);
    const contentChanges = Array.from({ length: many }, (_, index) => ({
      range: { start: { line: index, character: index }, end: { line: 0, character: 0 } },
      text: '\n',
    }));
    server.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges });
  },
  'a change in the middle of a character': async (server) => {
    open(server, `{ "a": "😀", ${audio} }`);
    const middle = { line: 0, character: 9 };
    const contentChanges = [{ range: { start: middle, end: middle }, text: '"' }];
    server.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges });
    assert.equal(
      (await server.request('textDocument/completion', { textDocument, position: middle })).error,
      undefined,
    );
  },
  'thousands of findings in the context of an action': async (server) => {
    open(
      server,
      `{ ${audio}, "language_config": { "languages": [${Array.from({ length: 2000 }, () => '"en"').join()}] } }`,
    );
    const diagnostics = Array.from({ length: many }, () => ({ range, code: 'languages/duplicate', message: 'x' }));
    const { error, result } = await server.request('textDocument/codeAction', {
      textDocument,
      range,
      context: { diagnostics },
    });
    assert.equal(error, undefined);
    assert.ok(Array.isArray(result) && result.length > 100);
  },
  'thousands of kinds of actions': async (server) => {
    open(server, misspelt);
    const only = Array.from({ length: many }, (_, index) => `kind.${index}`);
    const context = { diagnostics: [], only };
    assert.deepEqual((await server.request('textDocument/codeAction', { textDocument, range, context })).result, []);
  },
  'commands with arguments of every kind': async (server) => {
    for (const command of ['transcription-requests.change', 'transcription-requests.explain']) {
      for (const given of [
        null,
        5,
        {},
        [],
        'x',
        '__proto__',
        { uri, range, title: 'x' },
        { uri: 'x', range, title: '' },
      ]) {
        const { error } = await server.request('workspace/executeCommand', { command, arguments: [given] });
        assert.equal(error, undefined, JSON.stringify(given));
      }
    }
  },
  'a text of a megabyte in one value': async (server) => {
    open(server, `{ ${audio}, "custom_vocabulary_config": { "vocabulary": ["${'a '.repeat(500_000)}"] } }`);
    const far = { line: 0, character: 500_000 };
    for (const method of ['textDocument/hover', 'textDocument/completion']) {
      assert.equal((await server.request(method, { textDocument, position: far })).error, undefined, method);
    }
  },
  'thousands of members of one name': async (server) => {
    open(server, `{ ${Array.from({ length: many }, () => '"diarization": "x"').join()} }`);
    const { error } = await server.request('textDocument/codeAction', {
      textDocument,
      range,
      context: { diagnostics: [] },
    });
    assert.equal(error, undefined);
  },
  'text that looks like snippets and Markdown': async (server) => {
    const text = `{ "\${1:x}": "\${2|a,b|}", "$3": "\\\\$0 \`*_#", ${audio}, "custom_vocabulary_config": {  } }`;
    open(server, text);
    const inside = { line: 0, character: text.length - 4 };
    assert.equal(
      (await server.request('textDocument/completion', { textDocument, position: inside })).error,
      undefined,
    );
  },
  'folders that are no folders': (server) => {
    const added = ['', 'file:', 'file:///%00', 'x:y', 'file:///', `file:///${'a/'.repeat(5000)}`].map((each) => ({
      uri: each,
      name: '',
    }));
    server.notify('workspace/didChangeWorkspaceFolders', { event: { added, removed: added.slice(0, 2) } });
  },
  'thousands of cancellations': (server) => {
    for (let index = 0; index < many; index++) server.notify('$/cancelRequest', { id: index });
  },
};

describe('A hostile client', () => {
  let command: InstalledCommand;
  let server: RawServer;
  before(async () => {
    command = await installCommand();
    server = new RawServer(command.script);
    await server.initialize({ capabilities: { ...presentEditor, workspace: { workspaceFolders: true } } });
  });
  after(async () => {
    assert.equal(await server.stop(), 0);
    command.remove();
  });

  let opened = 0;
  for (const [title, send] of Object.entries(inputs)) {
    it(`does not end the server by ${title}`, async () => {
      server.received.length = 0;
      await send(server);
      server.notify('textDocument/didClose', { textDocument });
      const other = `file:///requests/other-${++opened}.transcription.json`;
      server.notify('textDocument/didOpen', {
        textDocument: { uri: other, languageId: 'json', version: 1, text: misspelt },
      });
      assert.deepEqual(await server.findings(other), ['fields/misspelt']);
      server.notify('textDocument/didClose', { textDocument: { uri: other } });
    });
  }
});
