import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Failure, failureCodes } from '../../../src/base/failure.ts';
import type { CommandId } from '../../../src/platform/editor/ids.ts';
import { registerCommand, runCommand, runQuietly } from '../../../src/platform/editor/runCommand.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import type { Log } from '../../../src/base/log.ts';
import { heardMessages } from './heardMessages.ts';

describe('The error handling of commands', () => {
  let lines: string[];
  let log: Log;
  beforeEach(() => {
    lines = [];
    const write = (line: string): void => void lines.push(line);
    log = { debug: write, info: write, warn: write, error: write };
  });
  const fail = (error: unknown) => () => {
    throw error;
  };

  it('returns the result of the command', async () => {
    assert.equal(await runCommand(log, async () => 7), 7);
  });

  it('is silent after a cancellation', async () => {
    for (const error of [new vscode.CancellationError(), new Failure('cancelled')]) {
      assert.deepEqual(await heardMessages(() => runCommand(log, fail(error))), []);
    }
    assert.deepEqual(lines, []);
  });

  it('reports every failure in a sentence with a next step, and its details in the log', async () => {
    for (const code of failureCodes.filter((each) => each !== 'cancelled')) {
      const failure = new Failure(code, { cause: 'EXAMPLE' });
      const [message, ...others] = await heardMessages(() => runCommand(log, fail(failure)));
      assert.match(message?.text ?? '', /^[A-Z].+\.$/, code);
      assert(
        message && message.buttons.length > 0 && message.buttons.length <= 3,
        `${code}: ${String(message?.buttons)}`,
      );
      assert.deepEqual(others, []);
      assert(lines.at(-1)?.startsWith(code));
    }
  });

  it('does nothing to the selected row in place of one that the list has lost, and reports it', async () => {
    const id = 'transcriptionJobs.test.lostRow';
    const ran: unknown[] = [];
    const command = registerCommand(log, id as CommandId, (...given) => void ran.push(given));
    try {
      const call = (...given: readonly unknown[]) =>
        heardMessages(async () => vscode.commands.executeCommand(id, ...given));
      const lost = [{ text: 'The list was just refreshed. Try again.', buttons: [] }];
      for (const given of [
        [undefined, undefined],
        [undefined, null],
        [undefined, [undefined]],
        [{ type: 'sampleNote' }, [{ type: 'sampleNote' }, undefined]],
      ]) {
        assert.deepEqual(
          (await call(...given)).map(({ text, buttons }) => ({ text, buttons })),
          lost,
        );
      }
      assert.deepEqual(ran, []);
      const file = vscode.Uri.file('/a.transcription.json');
      const row = { type: 'sampleNote' };
      for (const given of [
        [],
        [undefined],
        [row],
        [row, undefined],
        [row, [row]],
        [undefined, { groupId: 1 }],
        [file, 2],
      ]) {
        assert.deepEqual(await call(...given), []);
        assert.equal(ran.length, 1, JSON.stringify(given));
        ran.length = 0;
      }
    } finally {
      command.dispose();
    }
  });

  it('retries on request', async () => {
    let runs = 0;
    const body = (): string => {
      runs++;
      if (runs === 1) throw new Failure('offline');
      return 'done';
    };
    await heardMessages(async () => runCommand(log, body), 'Retry');
    assert.equal(runs, 2);
  });

  it('apologizes for an unexpected error without showing its text', async () => {
    const [message] = await heardMessages(() => runCommand(log, fail(new TypeError('key=sesame at /home/me/x.ts'))));
    assert.deepEqual(message, {
      text: 'Sorry, something went wrong in Transcription Jobs. See the log for details.',
      buttons: ['Show Log'],
    });
    assert.match(lines.join(), /TypeError/);
  });

  it('shows a sentence that was written for the user, and runs its button', async () => {
    let ran = 0;
    const error = new UserError('The list is broken.', [{ title: 'Open', run: () => ran++ }]);
    const [message] = await heardMessages(() => runCommand(log, fail(error)), 'Open');
    assert.deepEqual(message, { text: 'The list is broken.', buttons: ['Open'] });
    assert.equal(ran, 1);
  });

  it('is quiet in the background', async () => {
    assert.deepEqual(await heardMessages(() => runQuietly(log, fail(new Failure('offline')))), []);
    assert.deepEqual(lines, ['offline']);
  });
});
