import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editErrorLabel } from '../../../src/features/details/editor/editErrorLabel.ts';
import type { Settings } from '../../../src/settings.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { openSettings, resetSettings, setFolder, setUser } from '../connections/userSettings.ts';

describe('The label of an error code', () => {
  const { showInputBox } = vscode.window;
  let settings: Settings;
  beforeEach(() => (settings = openSettings()));
  afterEach(async () => {
    Object.assign(vscode.window, { showInputBox });
    settings.dispose();
    await resetSettings();
  });
  const label = async (code: number, typed: string): Promise<void> => {
    Object.assign(vscode.window, { showInputBox: () => Promise.resolve(typed) });
    await editErrorLabel(settings, code);
  };
  const written = () => vscode.workspace.getConfiguration('transcriptionJobs').inspect('errorLabels');

  it("is added to the user's own labels, valid or not, and to none of the folder's", async () => {
    await setUser('errorLabels', { 1001: 'No audio', 1002: 7 });
    await setFolder('errorLabels', { 2001: 'Too loud' });
    await label(3001, ' Too long ');
    assert.deepEqual(written()?.globalValue, { 1001: 'No audio', 1002: 7, 3001: 'Too long' });
    await label(1001, '');
    assert.deepEqual(written()?.globalValue, { 1002: 7, 3001: 'Too long' });
    assert.deepEqual(written()?.workspaceValue, { 2001: 'Too loud' });
  });

  it('is changed in the scope that takes effect', async () => {
    await setUser('errorLabels', { 2001: 'Loud' });
    await setFolder('errorLabels', { 2001: 'Too loud' });
    await label(2001, 'Far too loud');
    assert.equal(settings.get('errorLabels').get('2001'), 'Far too loud');
    assert.deepEqual(written()?.globalValue, { 2001: 'Loud' });
  });

  it('does not overwrite a malformed setting', async () => {
    await setUser('errorLabels', ['No audio']);
    await assert.rejects(label(3001, 'Too long'), UserError);
    assert.deepEqual(written()?.globalValue, ['No audio']);
  });
});
