import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openDeliveryFolder } from '../../../src/features/deliver/editor/deliveryFolder.ts';
import { SmallDisk } from './smallDisk.ts';

const scheme = 'delivery-memory';
const plan = { folder: `${scheme}:/`, root: undefined, formats: ['srt'], languages: [], name: '{title}' } as const;
const bytes = (text: string) => new TextEncoder().encode(text);

describe('The folder of saved results, in a file system that cannot rename', () => {
  const disk = new SmallDisk();
  let registration: vscode.Disposable;
  before(() => {
    registration = vscode.workspace.registerFileSystemProvider(scheme, disk.provider);
  });
  after(() => void registration.dispose());

  const textOf = async (name: string): Promise<string> =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.parse(`${scheme}:/${name}`)));

  it('gets its files by creating them, and no file of others is replaced', async () => {
    const folder = await openDeliveryFolder(plan);
    await folder.write('.a.partial', bytes('ours'));
    assert.equal(await folder.rename('.a.partial', 'a.srt'), true);
    assert.equal(await textOf('a.srt'), 'ours');
    await folder.write('.b.partial', bytes('again'));
    assert.equal(await folder.rename('.b.partial', 'a.srt'), false);
    assert.equal(await textOf('a.srt'), 'ours');
    await folder.remove('.b.partial');
    assert.deepEqual(await folder.names(), ['a.srt']);
  });

  it('says that the disk is full, and leaves nothing under the name of a result', async () => {
    const folder = await openDeliveryFolder(plan);
    disk.isFull = true;
    await assert.rejects(folder.write('.c.partial', bytes('ours')), { code: 'ENOSPC' });
    disk.isFull = false;
    assert.deepEqual(await folder.names(), ['a.srt']);
  });
});
