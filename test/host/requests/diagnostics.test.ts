import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  closeEditors,
  codeOf,
  diagnosticsOf,
  isBuiltIn,
  openRequest,
  rangeOf,
  replaceText,
  writeRequest,
} from './requestFiles.ts';

const url = '"audio_url": "https://media.example.com/a.mp3"';
const ours = (diagnostics: readonly vscode.Diagnostic[]) => diagnostics.filter((each) => !isBuiltIn(each));

describe('Diagnostics of request files', () => {
  afterEach(closeEditors);

  it('name the rule, mark the exact range, and link to related ranges and to an explanation', async () => {
    const document = await openRequest(`{${url}, "language_config": {"languages": ["en"], "code_switching": true}}`);
    const [diagnostic] = await diagnosticsOf(document.uri, (all) => all.length === 1);
    assert.ok(diagnostic);
    assert.equal(codeOf(diagnostic), 'languages/single-ignores-code-switching');
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Warning);
    assert.ok(diagnostic.range.isEqual(rangeOf(document, 'true')));
    const [related] = diagnostic.relatedInformation ?? [];
    assert.ok(related?.location.range.isEqual(rangeOf(document, '["en"]')));
    assert.ok(typeof diagnostic.code === 'object');
    const help = await vscode.workspace.openTextDocument(diagnostic.code.target);
    assert.match(help.getText(), /^# Language\n/u);
  });

  it('follow typing', async () => {
    const document = await openRequest(`{${url}, "diarization_config": {"min_speakers": 4, "max_speakers": 2}}`);
    const before = await diagnosticsOf(document.uri, (all) => all.length === 2);
    assert.deepEqual(before.map(codeOf).sort(), ['diarization/contradiction', 'switches/config-without-switch']);
    await replaceText(
      document,
      `{${url}, "diarization": true, "diarization_config": {"min_speakers": 1, "max_speakers": 2}}`,
    );
    await diagnosticsOf(document.uri, (all) => all.length === 0);
  });

  it('leave syntax and duplicate names to the JSON service, and report only types, as errors with a fix', async () => {
    const document = await openRequest(
      `{${url}, "diarization": "yes", "subtitles": true, "subtitles": true, "custom_vocabulary_config": {"vocabulary": [{}]}}`,
    );
    const all = await diagnosticsOf(document.uri, (found) => found.some(isBuiltIn) && ours(found).length > 0);
    assert.deepEqual(ours(all).map(codeOf).sort(), ['schema/type', 'switches/config-without-switch']);
    assert.equal(all.length - 2, 3, all.map(({ message }) => message).join('\n'));
    const places = all.map(({ range, message }) => `${range.start.character} ${message}`);
    assert.equal(new Set(places).size, places.length);
  });

  it('cover the valid part while the text is broken', async () => {
    const document = await openRequest('{"language_config": {"languages": ["en", "en"]}, "custom_voc');
    const found = await diagnosticsOf(document.uri, (all) => ours(all).length > 0);
    assert.deepEqual(ours(found).map(codeOf), ['languages/duplicate']);
  });

  it('disappear when the file is closed, and never cover other JSON files', async () => {
    // Opened as users do: the editor keeps documents that extensions open for minutes.
    const uri = await writeRequest('{}');
    await vscode.commands.executeCommand('vscode.open', uri);
    await diagnosticsOf(uri, (all) => all.map(codeOf).includes('audio-url/missing'));
    await closeEditors();
    await diagnosticsOf(uri, (all) => all.length === 0);

    const other = await vscode.workspace.openTextDocument({ language: 'json', content: '{}' });
    await vscode.window.showTextDocument(other);
    const request = await openRequest('{}');
    await diagnosticsOf(request.uri, (all) => all.length > 0);
    assert.deepEqual(vscode.languages.getDiagnostics(other.uri), []);
  });

  it('have the severity in the setting, and an unknown rule does not disable the others', async () => {
    const settings = vscode.workspace.getConfiguration('transcriptionJobs');
    const document = await openRequest(
      `{${url}, "flavour": 1, "diarization": true, "diarization_config": {"max_speakers": 1}}`,
    );
    await diagnosticsOf(document.uri, (all) => all.length === 2);
    const levels = { 'fields/unknown': 'off', 'diarization/one-speaker': 'warning', 'no/such-rule': 'off' };
    await settings.update('rules', levels, vscode.ConfigurationTarget.Workspace);
    try {
      const [only] = await diagnosticsOf(document.uri, (all) => all.length === 1);
      assert.ok(only);
      assert.equal(codeOf(only), 'diarization/one-speaker');
      assert.equal(only.severity, vscode.DiagnosticSeverity.Warning);
    } finally {
      await settings.update('rules', undefined, vscode.ConfigurationTarget.Workspace);
    }
    await diagnosticsOf(document.uri, (all) => all.length === 2);
  });

  it('survive files of all kinds', async () => {
    const texts = ['', 'not JSON', '[1, 2]', '{"a": [', '\uFEFF{}\r\n', `// note\n{${url}}`, '['.repeat(5000)];
    for (const text of texts) {
      const document = await openRequest(text);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
      );
      assert.ok(lenses.length >= 3, JSON.stringify(text.slice(0, 20)));
    }
  });

  it('are found in a megabyte within seconds, and soon after a key was pressed', async () => {
    const vocabulary = Array.from({ length: 10_000 }, (_, index) => ({
      value: `a term of some length, number ${index}`,
      pronunciations: [`as it sounds ${index}`],
      intensity: index === 9000 ? 0.9 : 0.5,
    }));
    const body = {
      audio_url: 'https://media.example.com/a',
      custom_vocabulary: true,
      custom_vocabulary_config: { vocabulary },
    };
    const document = await openRequest(JSON.stringify(body));
    const [found] = await diagnosticsOf(document.uri, (all) => ours(all).length === 1);
    assert.ok(found);
    assert.ok(found.range.isEqual(rangeOf(document, '0.9')));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, found.range, '0.6');
    await vscode.workspace.applyEdit(edit);
    await diagnosticsOf(document.uri, (all) => ours(all).length === 0);
  });

  it('change no files', async () => {
    const uri = await writeRequest('{}');
    await vscode.window.showTextDocument(uri);
    await diagnosticsOf(uri, (all) => all.length > 0);
    assert.equal(
      vscode.workspace.textDocuments.some(({ isDirty }) => isDirty),
      false,
    );
  });
});
