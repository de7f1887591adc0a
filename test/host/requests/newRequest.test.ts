import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RequestHelp } from '../../../src/language/editor/diagnostics.ts';
import { newRequestFromJob } from '../../../src/features/requests/editor/newRequest.ts';
import { liveItem } from '../../support/builders/jobItem.ts';
import { until } from '../../support/until.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { answering } from '../submit/answers.ts';
import { closeEditors, codeOf, diagnosticsOf, replaceText } from './requestFiles.ts';

describe('New request', () => {
  afterEach(closeEditors);

  it('opens an unsaved request file with the cursor on the address', async () => {
    await vscode.commands.executeCommand('transcriptionJobs.newRequest', 'minimal');
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const { document, selection } = editor;
    assert.match(document.uri.path, /\/minimal\.transcription\.json$/u);
    assert.equal(document.isUntitled, true);
    assert.equal(document.languageId, 'json');
    assert.equal(document.getText(), '{\n    "audio_url": ""\n}\n');
    assert.deepEqual([selection.active.line, selection.active.character], [1, 18]);
    const found = await diagnosticsOf(document.uri, (all) => all.length > 0);
    assert.deepEqual(found.map(codeOf), ['audio-url/missing']);
    await replaceText(document, '{"audio_url": 3}');
    await diagnosticsOf(document.uri, (all) => all.some((each) => codeOf(each) === 'schema/type'));
  });
});

describe('New request with line ends CRLF', () => {
  const files = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('files');
  before(() => files().update('eol', '\r\n', vscode.ConfigurationTarget.Global));
  after(() => files().update('eol', undefined, vscode.ConfigurationTarget.Global));
  afterEach(closeEditors);

  it('has the cursor on the address, too', async () => {
    await vscode.commands.executeCommand('transcriptionJobs.newRequest', 'minimal');
    const { document, selection } = vscode.window.activeTextEditor ?? assert.fail();
    assert.equal(document.getText(), '{\r\n    "audio_url": ""\r\n}\r\n');
    assert.deepEqual([selection.active.line, selection.active.character], [1, 18]);
  });
});

describe('New request with other indentation', () => {
  const editor = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('editor');
  after(async () => {
    await editor().update('tabSize', undefined, vscode.ConfigurationTarget.Global);
    await editor().update('insertSpaces', undefined, vscode.ConfigurationTarget.Global);
  });
  afterEach(closeEditors);

  it('is indented with it', async () => {
    for (const [name, value, indent] of [
      ['tabSize', 3, '   '],
      ['insertSpaces', false, '\t'],
    ] as const) {
      await editor().update(name, value, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('transcriptionJobs.newRequest', 'minimal');
      const { document } = vscode.window.activeTextEditor ?? assert.fail();
      assert.equal(document.getText(), `{\n${indent}"audio_url": ""\n}\n`);
    }
  });
});

describe('New request with the settings of a job', () => {
  afterEach(closeEditors);

  it('contains the copied settings, and lists the others', async () => {
    const pages: string[] = [];
    class KeptPages extends RequestHelp {
      override showPage(name: string, markdown: string): Promise<void> {
        pages.push(`${name}\n${markdown}`);
        return Promise.resolve();
      }
    }
    const shown = await answering(
      () => newRequestFromJob(jobOf(liveItem()), new KeptPages(), undefined),
      ['Show List'],
      ({ length }) => length === 1,
    );
    const { document } = vscode.window.activeTextEditor ?? assert.fail();
    assert.match(document.uri.path, /\/live\.transcription\.json$/u);
    const request = JSON.parse(document.getText()) as Readonly<Record<string, unknown>>;
    assert.equal(request['audio_url'], '');
    assert.deepEqual(request['language_config'], { languages: ['en', 'fr'], code_switching: true });
    assert.match(shown[0]?.text ?? '', /^Settings copied: \d+\. To be filled in: 1\. No equivalent: \d+\.$/u);
    const page = await until('the list', () => pages[0]);
    assert.match(page, /^Copied settings\n## To be filled in\n\n- `audio_url`/u);
    assert.match(page, /## No equivalent in a request\n\n- `encoding`/u);
  });
});
