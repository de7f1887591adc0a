import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { projectSources } from '../../support/sources/projectSources.ts';

/** A way by which text reaches a person, a terminal, a file or a model, and the files that may use it. */
interface Sink {
  readonly name: string;
  readonly use: RegExp;
  /** The files that use it, each with what makes its text safe: the gate, or the reason why none is needed. */
  readonly users: Readonly<Record<string, Gate>>;
}

/** `gate`: the file itself passes its text through the gate. Otherwise a reason. */
type Gate = 'gate' | { readonly because: string };

const ownWords = { because: 'it shows our own words only' };
const passesOn = { because: 'it passes on what another file gives, which is in this list' };

const sinks: readonly Sink[] = [
  { name: 'the log', use: /\bcreateOutputChannel\(/, users: { 'src/platform/editor/log.ts': 'gate' } },
  {
    name: 'notifications and dialogs',
    use: /\bshow(?:Information|Warning|Error)Message\(/,
    users: { 'src/platform/editor/messages.ts': 'gate' },
  },
  {
    name: 'the terminal',
    use: /\bconsole\.|\bprocess\.std(?:out|err)\b|\b(?:out|complaints)\.write\(|\bcreateTerminal\(|\.sendText\(/,
    users: {
      'src/cli/cli.ts': passesOn,
      'src/cli/runCli.ts': 'gate',
      'src/server/requestServer.ts': {
        because: 'its output is the protocol, and checkRequest hands every message to the gate',
      },
    },
  },
  {
    name: 'terminals of tasks',
    use: /\bvscode\.Pseudoterminal\b/,
    users: { 'src/features/requests/editor/checkTasks.ts': 'gate' },
  },
  {
    name: 'the status bar',
    use: /\b(?:setStatusBarMessage|createStatusBarItem)\(/,
    users: { 'src/platform/editor/messages.ts': 'gate', 'src/features/watch/editor/unseenFailures.ts': ownWords },
  },
  {
    name: 'lenses',
    use: /\bnew vscode\.CodeLens\(/,
    users: {
      'src/features/requests/editor/effectLens.ts': 'gate',
      'src/features/submit/editor/submittedJobsLens.ts': ownWords,
    },
  },
  {
    name: 'documents without a name',
    use: /\bopenTextDocument\(\{/,
    users: {
      'src/jobs/editor/showQuarantined.ts': 'gate',
      'src/features/details/editor/saveTranscript.ts': 'gate',
      'src/features/submit/editor/confirmSubmission.ts': 'gate',
      'src/features/submit/editor/showSubmissions.ts': 'gate',
    },
  },
  {
    name: 'progress',
    use: /\bwithProgress\(/,
    users: { 'src/features/tree/editor/loadCommands.ts': ownWords, 'src/platform/editor/progress.ts': 'gate' },
  },
  {
    name: 'titles of pages',
    use: /\bcreateWebviewPanel\(|\bpanel\.title =/,
    users: {
      'src/features/board/editor/boardPanel.ts': { because: 'boardTitle hands it to the gate' },
      'src/features/board/editor/boardPanels.ts': ownWords,
      'src/features/details/editor/comparisonPanel.ts': ownWords,
      'src/features/details/editor/jobPanel.ts': { because: 'buildJobRow hands labels to the gate' },
      'src/features/details/editor/jobPanels.ts': ownWords,
      'src/features/submit/editor/batchPanel.ts': 'gate',
      'src/features/submit/editor/batchPanels.ts': ownWords,
    },
  },
  { name: 'findings in text and SARIF', use: /sarif-2\.1\.0/, users: { 'src/cli/sarifReport.ts': 'gate' } },
  {
    name: 'CSV',
    use: /\\r\\n`/,
    users: { 'src/jobs/common/csv.ts': { because: 'formatCsvCell is the gate of cells' } },
  },
  { name: 'models', use: /\bLanguageModelTextPart\(/, users: { 'src/features/agents/editor/agentTools.ts': 'gate' } },
  {
    name: 'Markdown',
    use: /\bnew vscode\.MarkdownString\(/,
    users: {
      'src/features/submit/editor/agentSubmission.ts': 'gate',
    },
  },
  {
    name: 'documents',
    use: /\bprovideTextDocumentContent\b|\bregisterFileSystemProvider\(|\breadFile\(uri: vscode\.Uri\)/,
    users: {
      'src/features/details/editor/jobDetails.ts': { because: 'rawDocuments writes the text' },
      'src/features/details/editor/rawDocuments.ts': 'gate',
      'src/language/editor/diagnostics.ts': ownWords,
      'src/features/requests/editor/registerRequestFiles.ts': { because: "the preview is the user's own file" },
    },
  },
  {
    name: 'problems',
    use: /\bnew vscode\.Diagnostic\(/,
    users: {
      'src/language/editor/diagnostics.ts': { because: 'checkRequest hands every message to the gate' },
      'src/features/submit/editor/serviceComplaints.ts': 'gate',
    },
  },
  {
    name: 'rows',
    use: /\bnew vscode\.TreeItem\(/,
    users: {
      'src/features/attention/editor/attentionItems.ts': 'gate',
      'src/features/tree/editor/jobTreeItems.ts': { because: 'buildJobRow and describeKind hand labels to the gate' },
      'src/features/views/editor/viewItems.ts': { because: 'viewName and describeKind hand labels to the gate' },
    },
  },
  {
    name: 'lists to pick from',
    use: /\b(?:createQuickPick|showQuickPick)\b/,
    users: {
      'src/platform/editor/quickPick.ts': 'gate',
      'src/features/browse/editor/findJob.ts': { because: 'findRows hands every row to plainLabel' },
      'src/features/connect/editor/connectionReport.ts': 'gate',
      'src/features/connect/editor/pickConnection.ts': 'gate',
      'src/features/requests/editor/newRequest.ts': ownWords,
    },
  },
  {
    name: 'questions',
    use: /\b(?:createInputBox|showInputBox)\(/,
    users: {
      'src/platform/editor/inputBox.ts': 'gate',
      'src/features/details/editor/editErrorLabel.ts': ownWords,
      'src/features/details/editor/speakerNaming.ts': ownWords,
    },
  },
];

/** Whether a file uses a function of the gate, or one that passes notifications and labels through it. */
function usesGate(text: string): boolean {
  return /from '[./]*(?:base)?\/outsideText\.ts'|\bplain(?:Message|Label)\b/.test(text);
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
      ([path, text]) => path !== 'src/base/outsideText.ts' && /\\p\{C[cf]\}|\\u202[a-e]|\\u001b/i.test(text),
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
    assert(!past("import { oneLine } from '../base/outsideText.ts';\nconsole.log(oneLine(name))"));
  });
});
