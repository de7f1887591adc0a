import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { writeRequest } from './requestFiles.ts';

describe('The lint script', () => {
  const script = join(
    vscode.extensions.getExtension('transcription-jobs.transcription-jobs')?.extensionPath ?? '',
    'dist/lint.js',
  );

  function lint(...files: readonly vscode.Uri[]): { readonly status: number | null; readonly stdout: string } {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    return spawnSync(process.execPath, [script, ...files.map(({ fsPath }) => fsPath)], { encoding: 'utf8', env });
  }

  it("says what the editor says, and ends as a team's CI wants it", async () => {
    const good = await writeRequest('{"audio_url": "https://media.example.com/a.mp3"}');
    const odd = await writeRequest('{"audio_url": "https://media.example.com/a.mp3", "diarization_config": {}}');
    const wrong = await writeRequest('{\n"audio_url": 1}');
    assert.deepEqual(
      [lint(good).status, lint(good, odd).status, lint(good, odd, wrong).status, lint().status],
      [0, 0, 1, 2],
    );
    assert.match(lint(odd).stdout, /:1:50: warning: .* \[switches\/config-without-switch\]\n$/u);
    assert.match(lint(wrong).stdout, /:2:14: error: .* \[schema\/type\]\n$/u);
  });
});
