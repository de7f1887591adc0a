import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Range } from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';
import { RawServer } from '../../support/command/rawServer.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

const audio = '"audio_url": "https://media.example.com/a.mp3"';
const fine = `{ ${audio} }`;
const misspelt = `{ ${audio}, "diarisation": true }`;
const everywhere = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

describe('Documents of the language server', () => {
  let command: InstalledCommand;
  let server: RawServer;
  let opened = 0;
  before(async () => {
    command = await installCommand();
    server = new RawServer(command.script);
    await server.initialize();
  });
  after(async () => {
    assert.equal(await server.stop(), 0);
    command.remove();
  });

  const freshUri = (): string => `file:///requests/${++opened}.transcription.json`;
  const change = (uri: string, version: number, ...contentChanges: readonly object[]): void => {
    server.received.length = 0;
    server.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
  };

  it('are read again when they are opened again, with the same version or a lower one, closed or not', async () => {
    const uri = freshUri();
    assert.deepEqual(await server.open(uri, misspelt, 1), ['fields/misspelt']);
    assert.deepEqual(await server.open(uri, fine, 1), []);
    assert.deepEqual(await server.open(uri, misspelt, 0), ['fields/misspelt']);
    server.notify('textDocument/didClose', { textDocument: { uri } });
    await server.findings(uri, (codes) => codes.length === 0);
    assert.deepEqual(await server.open(uri, misspelt, 0), ['fields/misspelt']);
  });

  it('are read again when they change, whatever their version', async () => {
    const uri = freshUri();
    await server.open(uri, fine, 5);
    for (const version of [5, 5, 0, -3, 2 ** 31 - 1]) {
      change(uri, version, { text: misspelt });
      assert.deepEqual(await server.findings(uri), ['fields/misspelt'], String(version));
      change(uri, version, { text: fine });
      assert.deepEqual(await server.findings(uri), [], String(version));
    }
    // There and back between two checks.
    server.received.length = 0;
    for (const text of [misspelt, fine, misspelt, fine]) {
      server.notify('textDocument/didChange', { textDocument: { uri, version: 9 }, contentChanges: [{ text }] });
    }
    assert.deepEqual(await server.findings(uri), []);
  });

  it('are changed by ranges outside of them as if these ended at their edges', async () => {
    const uri = freshUri();
    const texts = ['', '\n', '{\n}\n', `{\r\n  ${audio}\r\n}`, 'é😀\r\u2028x'];
    const line = fc.oneof(fc.nat({ max: 5 }), fc.constantFrom(1000, 2 ** 31 - 1));
    const position = fc.record({ line, character: line });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.array(
          fc.record({
            range: fc.record({ start: position, end: position }),
            text: fc.constantFrom('', '\n', 'a\nb', '\r', '"'),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (text, changes) => {
          await server.open(uri, text);
          change(uri, 2, ...changes);
          const edited = changes.reduce(applyInside, text);
          // The end of the last finding on an unfinished object is the end of the text.
          const marked = `${edited}\n{"audio_url":`;
          const end = TextDocument.create(uri, 'json', 1, edited).positionAt(edited.length);
          server.notify('textDocument/didChange', {
            textDocument: { uri, version: 3 },
            contentChanges: [{ range: { start: end, end }, text: '\n{"audio_url":' }],
          });
          const other = freshUri();
          const [mine, theirs] = [
            (await server.request('textDocument/diagnostic', { textDocument: { uri } })).result,
            await server
              .open(other, marked)
              .then(() => server.request('textDocument/diagnostic', { textDocument: { uri: other } }))
              .then(({ result }) => result),
          ];
          assert.deepEqual(mine, theirs);
        },
      ),
      // Fewer: each opens two documents in a server.
      { numRuns: Math.min(propertyRuns, 1000) },
    );
  });

  it('may have URIs of every scheme and form', async () => {
    const uris = [
      'untitled:a.transcription.json',
      'git:/requests/a.transcription.json',
      'vscode-notebook-cell:/x.transcription.json',
      'https://example.com/a.transcription.json',
      'file://server/share/a.transcription.json',
      'file:///c%3A/requests/a.transcription.json',
      'file:///C:/requests/a.transcription.json',
      'file:///%00.transcription.json',
      'file:///%zz.transcription.json',
      'file:///%2F.transcription.json',
      'file:.transcription.json',
      'file:///../../etc/.transcription.json',
      '.transcription.json',
      ':::.transcription.json',
      `file:///${'x'.repeat(100_000)}.transcription.json`,
      `file:///${'x/'.repeat(5000)}a.transcription.json`,
      'file:///\u202e😀\ud800.transcription.json',
      'file:///__proto__/a.transcription.json',
      'javascript:alert(1).transcription.json',
    ];
    for (const uri of uris) {
      server.received.length = 0;
      server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text: misspelt } });
      const { result, error } = await server.request('textDocument/codeAction', {
        textDocument: { uri },
        range: everywhere,
        context: { diagnostics: [] },
      });
      assert.equal(error, undefined, uri);
      assert.ok(Array.isArray(result) && result.length > 0, uri);
      server.notify('textDocument/didClose', { textDocument: { uri } });
    }
  });

  it('are left alone if they are not open', async () => {
    const uri = freshUri();
    change(uri, 2, { text: '{' });
    server.notify('textDocument/didClose', { textDocument: { uri } });
    server.notify('textDocument/didSave', { textDocument: { uri } });
    for (const [method, more] of Object.entries({
      'textDocument/hover': { position: everywhere.start },
      'textDocument/completion': { position: everywhere.start },
      'textDocument/codeLens': {},
      'textDocument/codeAction': { range: everywhere, context: { diagnostics: [] } },
    })) {
      const { result, error } = await server.request(method, { textDocument: { uri }, ...more });
      assert.deepEqual([result, error], [null, undefined], method);
    }
    assert.ok(!server.received.some(({ params }) => JSON.stringify(params)?.includes(uri)));
  });

  it('answer queries at any place of any text', async () => {
    const texts = [
      '',
      ' ',
      '\ufeff{}',
      '\u0000',
      '[',
      '}',
      '"',
      '{"a":',
      'null',
      '{"audio_url":"\\ud800"}',
      '['.repeat(20_000),
      `{"a":"${'\\u0041'.repeat(20_000)}"}`,
      '{"__proto__":{"diarization":1},"constructor":1}',
      `{ ${audio}, "custom_vocabulary_config": { "vocabulary": [null, 1, {}, [], "\${1:x}"] } }`,
    ];
    for (const text of texts) {
      const uri = freshUri();
      await server.open(uri, text);
      for (const position of [
        { line: 0, character: 0 },
        { line: 0, character: Math.floor(text.length / 2) },
        { line: 0, character: text.length },
        { line: 2 ** 31 - 1, character: 2 ** 31 - 1 },
      ]) {
        for (const method of ['textDocument/hover', 'textDocument/completion']) {
          const { error } = await server.request(method, { textDocument: { uri }, position });
          assert.equal(error, undefined, `${method} in ${text.slice(0, 40)}`);
        }
        const { error } = await server.request('textDocument/codeAction', {
          textDocument: { uri },
          range: { start: position, end: everywhere.start },
          context: { diagnostics: [], only: ['', 'source', 'quickfix', 'refactor.rewrite', 'x'] },
        });
        assert.equal(error, undefined, text.slice(0, 40));
      }
      assert.equal((await server.request('textDocument/codeLens', { textDocument: { uri } })).error, undefined);
    }
  });

  it('may have 10 MB, with edits', async () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, index) => `    { "value": "term ${index}", "pronunciations": ["a", "b"], "x": "${'y'.repeat(40)}" }`,
    );
    const text = `{\n  ${audio},\n  "custom_vocabulary": true,\n  "custom_vocabulary_config": {\n  "vocabulary": [\n${rows.join(',\n')}\n  ] }\n}\n`;
    assert.ok(text.length > 10_000_000);
    const uri = freshUri();
    await server.open(uri, text);
    const position = { line: 50_000, character: 20 };
    for (let index = 0; index < 2; index++) {
      change(uri, index + 2, { range: { start: position, end: position }, text: 'x' });
      assert.equal((await server.request('textDocument/hover', { textDocument: { uri }, position })).error, undefined);
      const { error } = await server.request('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: position, end: position },
        context: { diagnostics: [] },
      });
      assert.equal(error, undefined);
    }
    server.notify('textDocument/didClose', { textDocument: { uri } });
    assert.deepEqual(await server.open(freshUri(), misspelt), ['fields/misspelt']);
  });
});

/** Applies a change as the protocol says, with positions moved inside, by a document made for each change. */
function applyInside(
  text: string,
  { range, text: inserted }: { readonly range: Range; readonly text: string },
): string {
  const document = TextDocument.create('', 'json', 1, text);
  const [from = 0, to = 0] = [document.offsetAt(range.start), document.offsetAt(range.end)].sort((a, b) => a - b);
  return text.slice(0, from) + inserted + text.slice(to);
}
