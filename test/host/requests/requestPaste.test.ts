import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import type { OpenRequests } from '../../../src/language/editor/openRequests.ts';
import { RequestPaste } from '../../../src/features/requests/editor/requestPaste.ts';
import { closeEditors, openRequest } from './requestFiles.ts';
import { schemaErrors } from 'request-validator:';
import { createRequestLanguage } from '../../../src/language/requestLanguage.ts';

describe('A drop into a request file', () => {
  // Only the members of the open requests that a paste uses.
  const documents = {
    read: (document: vscode.TextDocument) => parseRequest(document.getText()),
  } as unknown as OpenRequests;
  const language = createRequestLanguage({ schema: schemaErrors, now: Date.now, knowledge: () => undefined });
  const provider = new RequestPaste(language, documents);
  const { showInformationMessage } = vscode.window;
  let shown: string[] = [];

  beforeEach(() => {
    shown = [];
    Object.assign(vscode.window, {
      showInformationMessage: (text: string) => {
        shown.push(text);
        return Promise.resolve(undefined);
      },
    });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showInformationMessage });
    await closeEditors();
  });

  /** Drops data after a text in a request, and applies the offered edit. @returns the text, and the offer */
  async function drop(text: string, piece: string, type: string, dropped: string) {
    const document = await openRequest(text);
    const data = new vscode.DataTransfer();
    data.set(type, new vscode.DataTransferItem(dropped));
    const position = document.positionAt(text.indexOf(piece) + piece.length);
    const offered = await provider.provideDocumentDropEdits(document, position, data);
    if (offered === undefined) return { text: document.getText(), offered };
    const edit = offered.additionalEdit ?? new vscode.WorkspaceEdit();
    const { insertText } = offered;
    edit.insert(document.uri, position, typeof insertText === 'string' ? insertText : insertText.value);
    assert.ok(await vscode.workspace.applyEdit(edit));
    return { text: document.getText(), offered };
  }

  it('inserts the address of audio, as a browser provides it', async () => {
    const { text } = await drop('{"audio_url": ""}', '": "', 'text/uri-list', 'https://media.example.com/a.mp3\r\n');
    assert.deepEqual(JSON.parse(text), { audio_url: 'https://media.example.com/a.mp3' });
    assert.deepEqual(shown, []);
  });

  it('inserts the first of several addresses, and offers the list', async () => {
    const addresses = 'https://media.example.com/a.mp3\nhttps://media.example.com/b.mp3';
    const { text } = await drop('{"audio_url": ""}', '": "', 'text/plain', addresses);
    assert.deepEqual(JSON.parse(text), { audio_url: 'https://media.example.com/a.mp3' });
    assert.match(shown.join(), /^2 URLs were pasted/);
  });

  it('replaces the empty term with rows of a spreadsheet, indented once', async () => {
    const before = '{\n\t"custom_vocabulary_config": {\n\t\t"vocabulary": [\n\t\t\t""\n\t\t]\n\t}\n}';
    const { text } = await drop(before, '\t\t\t"', 'text/plain', 'Nguyen\nKubernetes\n');
    assert.equal(text, before.replace('""', '"Nguyen",\n\t\t\t"Kubernetes"'));
  });

  it('replaces the whole text with a request', async () => {
    const body = '{"audio_url": "https://media.example.com/a.mp3"}';
    const { text } = await drop('{}', '{', 'text/plain', body);
    assert.equal(text, `${body}\n`);
  });

  it('is left to the editor if it replaces the whole selection', async () => {
    const document = await openRequest('{"audio_url": "https://media.example.com/old.mp3"}');
    const data = new vscode.DataTransfer();
    data.set('text/plain', new vscode.DataTransferItem('{"audio_url": "https://media.example.com/a.mp3"}'));
    const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
    assert.deepEqual(await provider.provideDocumentPasteEdits(document, [all], data), []);
  });

  it('rejects a file of this machine with a reason and a next step', async () => {
    const before = '{"audio_url": ""}';
    const { text, offered } = await drop(before, '": "', 'text/uri-list', 'file:///home/me/talk.mp3');
    assert.ok(offered);
    assert.equal(text, before);
    assert.match(shown.join(), /can't see files on this computer/);
  });

  it('is left to the editor if the text is not recognised', async () => {
    const { offered } = await drop('{"audio_url": ""}', '": "', 'text/plain', 'just words');
    assert.equal(offered, undefined);
    assert.deepEqual(shown, []);
  });
});
