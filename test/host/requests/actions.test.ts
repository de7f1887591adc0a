import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../../support/until.ts';
import { closeEditors, diagnosticsOf, isBuiltIn, openRequest, rangeOf } from './requestFiles.ts';

const url = '"audio_url": "https://media.example.com/a.mp3"';

async function actionsAt(
  document: vscode.TextDocument,
  piece: string,
  kind?: vscode.CodeActionKind,
): Promise<readonly vscode.CodeAction[]> {
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    rangeOf(document, piece),
    kind?.value,
    100,
  );
}

async function take(actions: readonly vscode.CodeAction[], title: string): Promise<void> {
  const action = actions.find((each) => each.title === title);
  assert.ok(action?.edit, `${title} is not among ${actions.map((each) => each.title).join(', ')}`);
  assert.ok(await vscode.workspace.applyEdit(action.edit));
}

describe('Code actions of request files', () => {
  afterEach(closeEditors);

  it("fix a finding with one edit, which keeps the file's formatting", async () => {
    const document = await openRequest(`{\r\n\t${url},\r\n\t"diarization_config" :{"min_speakers":2}\r\n}`);
    await diagnosticsOf(document.uri, (all) => all.length === 1);
    const actions = await actionsAt(document, '"diarization_config"');
    await take(actions, 'Turn diarization on');
    assert.equal(
      document.getText(),
      `{\r\n\t${url},\r\n\t"diarization" :true,\r\n\t"diarization_config" :{"min_speakers":2}\r\n}`,
    );
    await diagnosticsOf(document.uri, (all) => all.length === 0);
  });

  it('select what a fix leaves to be filled in', async () => {
    const fills = [
      ['"translation"', 'Add "target_languages": ["en"] as an example', '{ "target_languages": ["en"] }', 'en'],
      ['"custom_vocabulary"', 'Add custom_vocabulary_config', '{ "vocabulary": [] }', ''],
    ] as const;
    for (const [on, title, added, selected] of fills) {
      const text = `{\n\t${url},\n\t${on}: true\n}`;
      const document = await openRequest(text);
      await diagnosticsOf(document.uri, (all) => all.length === 1);
      const { activeTextEditor: editor } = vscode.window;
      assert.ok(editor);
      editor.selection = new vscode.Selection(rangeOf(document, on).start, rangeOf(document, on).start);
      const name = `${on.slice(0, -1)}_config"`;
      assert.equal((await actionsAt(document, on))[0]?.title, title);
      await until('the fix is applied', async () => {
        // Has no effect while the editor has not yet asked for the fixes.
        await vscode.commands.executeCommand('editor.action.codeAction', { kind: 'quickfix', apply: 'first' });
        return document.getText().includes(name);
      });
      assert.equal(document.getText(), text.replace('true', `true,\n\t${name}: ${added}`));
      const opening = document.getText().indexOf('[') + (selected === '' ? 1 : 2);
      assert.equal(document.offsetAt(editor.selection.start), opening);
      assert.equal(document.getText(editor.selection), selected);
      await closeEditors();
    }
  });

  it('fix all of a kind, and all fixable findings', async () => {
    const text = `{${url}, "custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": [{"value": "a", "intensity": 0.9}, {"value": "b", "intensity": 0.1}, "c", "c"]}}`;
    const document = await openRequest(text);
    await take(
      await actionsAt(document, '0.9', vscode.CodeActionKind.QuickFix),
      'Fix all vocabulary/intensity-range problems',
    );
    assert.equal(document.getText(), text.replace('0.9', '0.6').replace('0.1', '0.4'));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), text);
    await take(
      await actionsAt(document, '0.9', vscode.CodeActionKind.QuickFix),
      'Fix all that can be fixed in this request',
    );
    assert.equal(document.getText(), text.replace('0.9', '0.6').replace('0.1', '0.4').replace(', "c", "c"', ', "c"'));
  });

  it('leave contradictory requests to their author', async () => {
    const config = '"subtitles": false, "subtitles_config": {"formats": ["srt"]}';
    const text = `{${url}, "diarization": true, ${config}, "language_config": {"languages": ["en", "en", "en"]}}`;
    const document = await openRequest(text);
    const offered = await actionsAt(document, '"subtitles_config"', vscode.CodeActionKind.QuickFix);
    const turnOn = offered.find(({ title }) => title === 'Turn subtitles on');
    assert.ok(turnOn && turnOn.isPreferred !== true);
    await take(offered, 'Fix all that can be fixed in this request');
    assert.equal(document.getText(), text.replace('["en", "en", "en"]', '["en"]'));
  });

  it('fix on save only what is safe', async () => {
    const settings = vscode.workspace.getConfiguration('editor');
    await settings.update(
      'codeActionsOnSave',
      { 'source.fixAll.transcriptionJobs': 'explicit' },
      vscode.ConfigurationTarget.Workspace,
    );
    try {
      const document = await openRequest(
        `{${url}, "diarization": null, "language_config": {"languages": ["en"], "code_switching": true}}`,
      );
      // The editor skips code actions on save when its window is too busy, so save again as a person would.
      let blanks = '';
      while (blanks.length < 10 && document.getText().includes('code_switching')) {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 1), ' ');
        await vscode.workspace.applyEdit(edit);
        blanks += ' ';
        await vscode.commands.executeCommand('workbench.action.files.save');
      }
      assert.equal(document.getText(), `{${blanks}${url}, "language_config": {"languages": ["en"]}}`);
      assert.equal(document.isDirty, false);
    } finally {
      await settings.update('codeActionsOnSave', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('convert terms to objects and back', async () => {
    const text = `{${url}, "custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["one", "two"]}}`;
    const document = await openRequest(text);
    const kind = vscode.CodeActionKind.RefactorRewrite;
    await take(await actionsAt(document, 'one', kind), 'Convert to a term with pronunciations');
    assert.equal(document.getText(), text.replace('"one"', '{ "value": "one" }'));
    await take(await actionsAt(document, 'two', kind), 'Convert all plain terms to terms with pronunciations');
    assert.equal(document.getText(), text.replace('"one", "two"', '{ "value": "one" }, { "value": "two" }'));
    await take(await actionsAt(document, 'two', kind), 'Convert all terms without pronunciations to plain terms');
    assert.equal(document.getText(), text);
  });

  it('offer nothing in broken text', async () => {
    const document = await openRequest('{"language_config": {"languages": ["en", "en"]}, ');
    await diagnosticsOf(document.uri, (all) => all.some((each) => !isBuiltIn(each)));
    assert.deepEqual(await actionsAt(document, '"en"]', vscode.CodeActionKind.QuickFix), []);
  });
});
