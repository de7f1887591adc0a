import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import { setUser } from '../connections/userSettings.ts';
import { listTemplates, writeNewRequest } from '../../../src/features/requests/common/templates.ts';
import { closeEditors, openRequest, rangeOf, replaceText } from './requestFiles.ts';

async function lensTitles(document: vscode.TextDocument): Promise<readonly string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
    100,
  );
  return lenses.map(({ command }) => command?.title ?? '');
}

async function hoverAt(document: vscode.TextDocument, piece: string): Promise<string> {
  const position = rangeOf(document, piece).start.translate(0, 1);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    position,
  );
  return hovers
    .flatMap(({ contents }) => contents.map((each) => (each instanceof vscode.MarkdownString ? each.value : '')))
    .join('\n');
}

/** Returns the completions at the mark |, which is removed from the text. */
async function suggestedAt(marked: string): Promise<readonly vscode.CompletionItem[]> {
  const document = await openRequest(marked.replace('|', ''));
  const position = document.positionAt(marked.indexOf('|'));
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    position,
  );
  return list.items;
}

function labelOf({ label }: vscode.CompletionItem): string {
  return typeof label === 'string' ? label : label.label;
}

describe('The lens of a request file', () => {
  afterEach(closeEditors);

  it('shows the effect of the request, then the commands, and follows typing', async () => {
    const document = await openRequest(
      '{"audio_url": " ", "diarization": true, "diarization_config": {"min_speakers": 2, "max_speakers": 4}, "subtitles": true}',
    );
    assert.deepEqual(await lensTitles(document), [
      'Check',
      'Preview',
      'Submit List…',
      'Language: detected',
      'Speakers on one channel: separated, hint: 2 to 4',
      'Subtitles: on',
    ]);
    await replaceText(
      document,
      '{"audio_url": "https://media.example/a", /* as it is sent */ "hook": "https://$(bug).evil.example", "language_config": {"languages": ["$(x)\\n"]},}',
    );
    assert.deepEqual((await lensTitles(document)).slice(2), [
      'Submit',
      String.raw`Results are also sent to: \$(bug).evil.example`,
      String.raw`Language: \$(x)`,
    ]);
    await replaceText(document, '{"language_config": {"languages": ["en", "fr"], "code_switching": true}}');
    assert.ok((await lensTitles(document)).includes('Language: en, fr, re-detected per utterance'));
  });

  it('is at most two lines for each template, which fit beside a side bar', async () => {
    for (const { id, body } of listTemplates()) {
      const document = await openRequest(writeNewRequest(body).text);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        100,
      );
      const lines = [0, 1].map((line) =>
        lenses.filter(({ range }) => range.start.line === line).map(({ command }) => command?.title ?? ''),
      );
      assert.equal(lines.flat().length, lenses.length, id);
      assert.deepEqual(lines[0]?.slice(0, 3), ['Check', 'Preview', 'Submit List…']);
      for (const line of lines) assert.ok(line.join(' | ').length <= 110, `${id}: ${line.join(' | ')}`);
    }
  });

  it('opens an explanation', async () => {
    const document = await openRequest('{}');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    const command = lenses[3]?.command;
    assert.ok(command);
    const [topic] = (command.arguments ?? []) as readonly unknown[];
    const help = await vscode.workspace.openTextDocument(vscode.Uri.parse(`transcription-help:/${String(topic)}.md`));
    assert.match(help.getText(), /detected in the first utterance/u);
  });
});

describe('The schema of request files', () => {
  afterEach(closeEditors);

  it('explains fields: effect, rule, recommended value', async () => {
    const document = await openRequest(
      '{"subtitles_config": {"maximum_characters_per_row": 42, "formats": ["srt"]}, "model": "solaria-1"}',
    );
    assert.match(await hoverAt(document, '"maximum_characters_per_row"'), /42 at most/u);
    assert.match(await hoverAt(document, '"srt"'), /SubRip/u);
    assert.match(await hoverAt(document, '"model"'), /Outside the documented set/u);
  });

  it('completes fields with snippets, and values with texts', async () => {
    const fields = await suggestedAt('{|}');
    const vocabulary = fields.find((item) => labelOf(item) === 'custom_vocabulary_config');
    assert.match(
      vocabulary?.insertText instanceof vscode.SnippetString ? vocabulary.insertText.value : '',
      /"vocabulary"/u,
    );
    assert.ok(!fields.some((item) => labelOf(item) === 'callback_url'), 'what is deprecated is not offered');
    const formats = await suggestedAt('{"subtitles_config": {"formats": [|]}}');
    assert.deepEqual(
      formats
        .map(labelOf)
        .filter((label) => /srt|vtt/u.test(label))
        .sort(),
      ['"srt"', '"vtt"'],
    );
    const terms = await suggestedAt('{"custom_vocabulary_config": {"vocabulary": [|]}}');
    assert.ok(terms.some((item) => labelOf(item) === '{ value, pronunciations }'));
    const whole = await suggestedAt('|');
    assert.ok(whole.some((item) => labelOf(item) === 'Request'));
  });
});

describe('Completion in request files', () => {
  afterEach(closeEditors);

  it('offers no empty string first', async () => {
    for (const marked of [
      '{"audio_url": "|"}',
      '{"language_config": {"languages": ["|"]}}',
      '{"subtitles_config": {"style": "|"}}',
      '{"custom_vocabulary_config": {"vocabulary": ["|"]}}',
    ]) {
      const items = await suggestedAt(marked);
      const [first] = items.toSorted((a, b) => ((a.sortText ?? labelOf(a)) < (b.sortText ?? labelOf(b)) ? -1 : 1));
      assert.notEqual(first && labelOf(first), '""', marked);
      assert.ok(!items.some((item) => item.preselect === true && labelOf(item) === '""'), marked);
    }
  });

  it('offers language codes with their names', async () => {
    const items = await suggestedAt('{"language_config": {"languages": ["en", |]}}');
    const french = items.find((item) => labelOf(item) === '"fr"');
    assert.ok(french && typeof french.label === 'object');
    assert.equal(french.label.description, 'French');
    assert.ok(!items.some((item) => labelOf(item) === '"en"'));
  });

  it('offers documented fields first, and marks those that only a public service accepts', async () => {
    const items = await suggestedAt('{|}');
    const sorted = items
      .filter(({ kind }) => kind === vscode.CompletionItemKind.Property)
      .toSorted((a, b) => ((a.sortText ?? labelOf(a)) < (b.sortText ?? labelOf(b)) ? -1 : 1));
    assert.deepEqual(sorted.slice(0, 3).map(labelOf), ['audio_url', 'language_config', 'custom_vocabulary']);
    const fromOne = sorted.findIndex(({ detail }) => detail === 'Gladia only');
    assert.equal(fromOne, 12);
    assert.ok(sorted.slice(fromOne).every(({ detail }) => detail === 'Gladia only'));
  });

  it('offers no words of the document as values of metadata', async () => {
    const items = await suggestedAt(
      '{"audio_url": "https://a.example/quarterly", "custom_metadata": {"title": "qu|"}}',
    );
    assert.ok(
      items.every(({ filterText }) => filterText === '\u0000'),
      items.map(labelOf).join(', '),
    );
    assert.equal(items.length, 1);
  });

  it('offers keys of metadata that loaded jobs have', async () => {
    await setUser('connection', 'Sample');
    try {
      await vscode.extensions.getExtension(extensionId)?.activate();
      const key = { kind: 'pre-recorded', status: 'done' };
      await vscode.commands.executeCommand('transcriptionJobs.loadMore', { type: 'notice', key });
      const items = await suggestedAt('{"custom_metadata": {|}}');
      const described = items.map(({ label }) => (typeof label === 'object' ? label.description : undefined));
      assert.ok(
        described.some((each) => /^on \d+ jobs$/u.test(each ?? '')),
        described.join(', '),
      );
    } finally {
      await setUser('connection', undefined);
    }
  });

  it('names the language at the pointer', async () => {
    const document = await openRequest('{"language_config": {"languages": ["en", "jw"]}}');
    assert.match(await hoverAt(document, '"jw"'), /Javanese/u);
  });
});
