import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { choosePlan, proposeForBatch, planOfSetting } from '../../../src/features/deliver/editor/deliveryPlans.ts';
import { lastPlanKey } from '../../../src/features/deliver/common/delivery.ts';
import type { SettingValues } from '../../../src/settingShapes.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { acceptPick, acceptRow, typeInto, withPicks } from '../browse/withPicks.ts';

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

describe('The questions about saving results', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const memory = new Map<string, unknown>();
  const services = fakeServices({
    settings: { get: () => nothing, getOfUser: () => nothing } as never,
    workspaceState: { get: (key) => memory.get(key), update: async (key, value) => void memory.set(key, value) },
  });
  beforeEach(() => memory.clear());

  it('take the name of a new folder of the workspace, and no place outside it', async () => {
    if (root === undefined) return;
    await withPicks(async (next) => {
      const choosing = choosePlan(services, '2 jobs');
      acceptPick(await next());
      const pick = await next();
      const first = (text: string): string => {
        typeInto(pick, text);
        return pick.items[0]?.label ?? '';
      };
      for (const bad of ['..', 'a/../../b', '/tmp', '~/out', String.raw`C:\out`, 'a//b'])
        assert.match(first(bad), /^\$\(error\) Type a path below/, bad);
      assert.equal(first('transcripts'), '$(folder) transcripts', 'the one that is offered');
      assert.equal(first('out/french '), '$(new-folder) out/french');
      acceptRow(pick, 0);
      const plan = await choosing;
      assert.ok(typeof plan === 'object');
      assert.deepEqual([plan.folder, plan.root], [vscode.Uri.joinPath(root, 'out/french').toString(), root.toString()]);
    });
  });

  it('explain each format, and the answer names translations', async () => {
    if (root === undefined) return;
    await withPicks(async (next) => {
      const choosing = choosePlan(services, '2 jobs');
      const pick = await next();
      assert.match(pick.items.find(({ label }) => label === 'SubRip')?.detail ?? '', /^\.srt: /);
      acceptPick(pick);
      acceptRow(await next(), 0);
      await choosing;
    });
    memory.set('savesResultsOfBatches', true);
    assert.equal(proposeForBatch(services).text, 'Markdown, SubRip, with translations, in transcripts');
    for (const folder of ['no address:/', 'file:////out', 'out', '']) {
      memory.set(lastPlanKey, { folder, formats: ['text'], languages: ['original'], name: '{title}' });
      assert.equal(proposeForBatch(services).text, 'Markdown, SubRip, with translations, in transcripts', folder);
    }
    for (const folder of ['file:///out', 'vscode-vfs://github/out', 'memfs:/out', 'file://server/share/out']) {
      memory.set(lastPlanKey, { folder, formats: ['text'], languages: ['original'], name: '{title}' });
      assert.match(proposeForBatch(services).text ?? '', /^Text in .*out$/, folder);
    }
  });
});
