import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectSources } from '../../support/sources/projectSources.ts';

/** A way out to a person, a terminal, a file or a model, and the files that may use it. */
interface Sink {
  readonly name: string;
  readonly use: RegExp;
  /** The files that use it, each with what makes its text harmless: the gate, or the reason why it needs none. */
  readonly users: Readonly<Record<string, Gate>>;
}

/** `gate`: the file itself hands what it shows to the gate. Otherwise a reason. */
type Gate = 'gate' | { readonly because: string };

const ownWords = { because: 'it shows our own words only' };
const passesOn = { because: 'it passes on what another file gives, which is in this list' };

const sinks: readonly Sink[] = [
  { name: 'the log', use: /\bcreateOutputChannel\(/, users: { 'src/editor/log.ts': 'gate' } },
  {
    name: 'notifications and dialogs',
    use: /\bshow(?:Information|Warning|Error)Message\(/,
    users: { 'src/editor/messages.ts': 'gate' },
  },
  {
    name: 'the terminal',
    use: /\bconsole\.|\bprocess\.std(?:out|err)\b|\b(?:out|complaints)\.write\(|\bcreateTerminal\(|\.sendText\(/,
    users: {
      'src/lint/lint.ts': passesOn,
      'src/lint/runLint.ts': 'gate',
    },
  },
  { name: 'findings in text and SARIF', use: /sarif-2\.1\.0/, users: { 'src/domain/request/report.ts': 'gate' } },
  {
    name: 'CSV',
    use: /\\r\\n`/,
    users: { 'src/domain/jobs/csv.ts': { because: 'formatCsvCell is the gate of cells' } },
  },
  { name: 'models', use: /\bLanguageModelTextPart\(/, users: { 'src/editor/tools/agentTools.ts': 'gate' } },
  {
    name: 'what a model asks to be confirmed',
    use: /\bnew vscode\.MarkdownString\(/,
    users: { 'src/editor/tools/agentTools.ts': 'gate' },
  },
  {
    name: 'documents',
    use: /\bprovideTextDocumentContent\b/,
    users: {
      'src/editor/details/jobDetails.ts': { because: 'rawDocuments writes the text' },
      'src/editor/details/rawDocuments.ts': 'gate',
      'src/editor/requests/diagnostics.ts': ownWords,
      'src/editor/requests/registerRequestFiles.ts': { because: "the preview is the user's own file" },
      'src/editor/submit/submitCommands.ts': 'gate',
    },
  },
  {
    name: 'problems',
    use: /\bnew vscode\.Diagnostic\(/,
    users: {
      'src/editor/requests/diagnostics.ts': { because: 'checkRequest hands every message to the gate' },
      'src/editor/submit/serviceComplaints.ts': 'gate',
    },
  },
  {
    name: 'rows',
    use: /\bnew vscode\.TreeItem\(/,
    users: { 'src/editor/jobs/jobTreeItems.ts': { because: 'buildJobRow and describeKind hand labels to the gate' } },
  },
  {
    name: 'lists to pick from',
    use: /\b(?:createQuickPick|showQuickPick)\b/,
    users: {
      'src/editor/quickPick.ts': 'gate',
      'src/editor/browse/findJob.ts': { because: 'findRows hands every row to plainLabel' },
      'src/editor/connections/connectionReport.ts': 'gate',
      'src/editor/connections/pickConnection.ts': 'gate',
      'src/editor/requests/newRequest.ts': ownWords,
    },
  },
  {
    name: 'questions',
    use: /\b(?:createInputBox|showInputBox)\(/,
    users: { 'src/editor/inputBox.ts': 'gate', 'src/editor/details/editErrorLabel.ts': ownWords },
  },
];

/** Whether a file uses a function of the gate, or one of those that hand to it what notifications and labels show. */
function usesGate(text: string): boolean {
  return /from '[./]*domain\/outsideText\.ts'|from '[./]*\/outsideText\.ts'|\bplain(?:Message|Label)\b/.test(text);
}

describe('Text from outside', () => {
  const sources = projectSources();

  for (const { name, use, users } of sinks) {
    it(`reaches ${name} through the gate`, () => {
      const used = [...sources].filter(([, text]) => use.test(text)).map(([path]) => path);
      assert.deepEqual(used.toSorted(), Object.keys(users).toSorted());
      const ungated = used.filter((path) => users[path] === 'gate' && !usesGate(sources.get(path) ?? ''));
      assert.deepEqual(ungated, []);
    });
  }

  it('is cut and cleaned in one place only', () => {
    const elsewhere = [...sources].filter(
      ([path, text]) => path !== 'src/domain/outsideText.ts' && /\\p\{C[cf]\}|\\u202[a-e]|\\u001b/i.test(text),
    );
    assert.deepEqual(
      elsewhere.map(([path]) => path),
      [],
    );
  });

  it('would be found on its way past the gate', () => {
    const past = (text: string): boolean => sinks.some(({ use }) => use.test(text)) && !usesGate(text);
    assert(past('vscode.window.showErrorMessage(error.message)'));
    assert(past("process.stdout.write('::error::')"));
    assert(!past("import { oneLine } from '../domain/outsideText.ts';\nconsole.log(oneLine(name))"));
  });
});
