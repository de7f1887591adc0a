import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openTarget } from '../../../src/jobs/editor/workspaceTarget.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { MemoryFiles } from './memoryFiles.ts';

const text = async (uri: vscode.Uri): Promise<string> =>
  Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();

describe('An export to a file system other than the disk', () => {
  const scheme = 'transcription-test-files';
  const uri = vscode.Uri.from({ scheme, path: '/jobs.json' });
  let files: vscode.Disposable;

  before(() => {
    files = vscode.workspace.registerFileSystemProvider(scheme, new MemoryFiles());
  });
  after(() => void files.dispose());

  it('appears when it is complete, and not before', async () => {
    const target = await openTarget(uri);
    await target.write('[1,');
    await target.write('"é"]');
    await assert.rejects(text(uri));
    await target.commit();
    assert.equal(await text(uri), '[1,"é"]');
  });

  it('is stored as partial when it is abandoned, next to earlier ones', async () => {
    for (const [name, content] of [
      ['/jobs.json.partial', 'first'],
      ['/jobs.json.2.partial', 'second'],
    ] as const) {
      const target = await openTarget(uri);
      await target.write(content);
      assert.equal(await target.abandon(), name);
      assert.equal(await text(uri.with({ path: name })), content);
    }
    assert.equal(await text(uri.with({ path: '/jobs.json.partial' })), 'first');
  });

  it('leaves nothing when nothing was written', async () => {
    const other = uri.with({ path: '/empty.json' });
    assert.equal(await (await openTarget(other)).abandon(), undefined);
    await assert.rejects(text(other.with({ path: '/empty.json.partial' })));
  });

  it('is rejected if it does not fit into memory', async () => {
    const target = await openTarget(uri);
    const megabytes = 'x'.repeat(16 * 1024 * 1024);
    for (let part = 0; part < 4; part++) await target.write(megabytes);
    await assert.rejects(target.write('y'), UserError);
  });
});
