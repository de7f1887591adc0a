import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Failure } from '../../../src/base/failure.ts';
import { withCancel } from '../../../src/platform/editor/progress.ts';
import { StepBox } from '../../../src/platform/editor/inputBox.ts';
import { runCommand } from '../../../src/platform/editor/runCommand.ts';
import { showMessage } from '../../../src/platform/editor/messages.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { until } from '../../support/until.ts';
import { heardMessages } from '../connections/heardMessages.ts';

/** Text that the editor turns into a link, copied from `linkedText.ts` in its sources. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const hostile = "See [the report](command:workbench.action.quit 'now') and [more](https://example.com/a)";

describe('Texts from outside', () => {
  it('are no links in messages and errors', async () => {
    assert.match(hostile, link);
    const rejected = new Failure('rejected', { status: 422, serviceMessage: hostile, fieldErrors: [hostile] });
    const heard = await heardMessages(async () => {
      await showMessage('information', hostile);
      await runCommand(new KeptLog(), () => {
        throw rejected;
      });
    });
    assert.equal(heard.length, 2);
    for (const { text } of heard) {
      assert.match(text, /the report/);
      assert.doesNotMatch(text, link);
    }
  });

  it('are no links in progress', async () => {
    const shown: (string | undefined)[] = [];
    const { withProgress } = vscode.window;
    const keep: typeof withProgress = (options, task) => {
      shown.push(options.title);
      const progress = { report: ({ message }: { readonly message?: string }) => void shown.push(message) };
      return task(progress, new vscode.CancellationTokenSource().token);
    };
    Object.assign(vscode.window, { withProgress: keep });
    try {
      await withCancel(hostile, async (_signal, report) => {
        report(hostile);
        await until('the progress is shown', () => shown.length > 0);
        report(hostile);
      });
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
    assert.equal(shown.length, 3);
    for (const text of shown) assert.doesNotMatch(text ?? '', link);
  });

  it('are no links in input boxes', async () => {
    const { createInputBox } = vscode.window;
    const made: vscode.InputBox[] = [];
    const keep = (): vscode.InputBox => {
      const box = createInputBox();
      made.push(box);
      return box;
    };
    Object.assign(vscode.window, { createInputBox: keep });
    try {
      const box = new StepBox('Test', 1);
      const answered = box.ask({
        number: 1,
        canGoBack: false,
        prompt: hostile,
        placeholder: '',
        typed: '',
        secret: false,
        problem: hostile,
        check: () => ({ type: 'bad', problem: hostile }),
      });
      const [input] = made;
      for (const text of [input?.prompt, input?.validationMessage]) {
        assert.match(JSON.stringify(text), /the report/);
        assert.doesNotMatch(JSON.stringify(text), link);
      }
      box.dispose();
      void answered;
    } finally {
      Object.assign(vscode.window, { createInputBox });
    }
  });
});
