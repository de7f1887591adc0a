import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { planOfSetting } from '../../../src/features/deliver/editor/deliveryPlans.ts';
import type { SettingValues } from '../../../src/settingShapes.ts';
import { fakeServices } from '../../support/fakeServices.ts';

type Written = Partial<SettingValues['deliver']>;
const nothing = { folder: undefined, formats: undefined, languages: undefined, name: undefined };

/** The plan of a setting, and of that of the user, which may be the same. */
function planOf(value: Written, ofUser: Written = {}) {
  const settings = { get: () => ({ ...nothing, ...value }), getOfUser: () => ({ ...nothing, ...ofUser }) };
  return planOfSetting(fakeServices({ settings: settings as never }));
}

describe('The setting for saving results', () => {
  it('is off without a folder', () => {
    assert.equal(planOf({}), undefined);
    assert.equal(planOf({ folder: ' ', formats: ['srt'] }), undefined);
  });

  it('takes an absolute path from the user only', () => {
    const plan = { formats: ['markdown', 'srt'], languages: ['*'], name: '{title}', root: undefined };
    const absolute = { folder: join(homedir(), 'out') };
    const folder = vscode.Uri.file(absolute.folder).toString();
    assert.deepEqual(planOf(absolute, absolute), { ...plan, folder });
    assert.deepEqual(planOf({ folder: '~/out' }, { folder: '~/out' }), { ...plan, folder });
    for (const path of [absolute.folder, '~/out', String.raw`C:\out`, String.raw`\\server\out`])
      assert.throws(() => planOf({ folder: path }), /only used from user settings/, path);
  });

  it('takes a relative path within the workspace only', () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (root === undefined) {
      assert.throws(() => planOf({ folder: 'out' }), /no folder is open/);
      return;
    }
    assert.equal(planOf({ folder: String.raw`a\b/../c` })?.folder, vscode.Uri.joinPath(root, 'a/c').toString());
    for (const path of ['..', '../out', 'a/../../out', String.raw`a\..\..\out`])
      assert.throws(() => planOf({ folder: path }), /outside the workspace/, path);
  });
});
