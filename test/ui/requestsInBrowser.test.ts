import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { extensionId } from '../../src/jobs/common/jobLink.ts';
import { fewParityRequests, parityRequests, writeRequests } from '../support/parity/parityRequests.ts';
import { differences, recordFinding, type Recording } from '../support/parity/recordedRequest.ts';
import { recordInEditor } from '../support/parity/recordInEditor.ts';
import { recordCommand } from '../support/parity/recordOutside.ts';
import { repositoryRoot } from '../support/editor/repositoryRoot.ts';
import type { SmallExtension } from '../support/extensions/packExtension.ts';
import { until } from '../support/until.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

/**
 * Records what the editor knows of the requests in `parity`. It runs in the same host as the extension, because only that host knows
 * the lenses whose commands have arguments.
 */
const recorder: SmallExtension = {
  name: 'recorder',
  manifest: {
    type: 'commonjs',
    main: undefined,
    browser: './extension.js',
    contributes: { commands: [{ command: 'recorder.record', title: 'Record Requests' }] },
  },
  code: `
const vscode = require('vscode');
${recordFinding.toString()}
${recordInEditor.toString()}
exports.activate = () => {
  vscode.commands.registerCommand('recorder.record', async () => {
    const { uri } = vscode.workspace.workspaceFolders[0];
    const recording = await recordInEditor(vscode, vscode.Uri.joinPath(uri, 'parity'));
    const text = new TextEncoder().encode(JSON.stringify(recording));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(uri, 'recording.part'), text);
    await vscode.workspace.fs.rename(vscode.Uri.joinPath(uri, 'recording.part'), vscode.Uri.joinPath(uri, 'recording.json'));
  });
};`,
};

// The extension runs in the worker of the browser, where there is no Node, although the window is connected to a machine.
const session = useWorkbench(import.meta.filename, {
  besides: [recorder],
  userSettings: {
    'extensions.webWorker': true,
    'remote.extensionKind': { [extensionId]: ['web'], 'bench.recorder': ['web'] },
  },
});

test('the jobs view says that it needs the desktop editor, and why', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  await workbench.welcome.filter({ hasText: 'Jobs require the desktop editor' }).waitFor();
  await workbench.runCommand('Transcription: Connect to a Service…');
  await workbench.notifications.withText('This requires the desktop editor').first().waitFor();
});

test('a request is made from a template, checked, explained and previewed without Node', async () => {
  const { workbench, folder } = session();
  const { page } = workbench;
  writeFileSync(
    join(folder, 'odd.transcription.json'),
    '{\n  "audio_url": "https://media.example.com/a.mp3",\n  "diarisation": true,\n  "language_config": { "languages": ["en", "fr", "en"] }\n}\n',
  );
  const editor = await workbench.openFile('odd.transcription.json');
  await workbench.problems({ errors: 0, warnings: 2 });
  await editor.area.locator('.codelens-decoration a', { hasText: 'Languages: en, fr' }).waitFor();
  await workbench.runCommand('Transcription: Preview Request');
  // The preview leaves the focus in the file.
  await page.getByRole('tab', { name: /^odd\.transcription\.json\.http/u }).click();
  await page
    .locator('.editor-group-container.active .monaco-editor[data-uri*="odd.transcription.json.http"]')
    .waitFor();
  assert.match(await workbench.textEditor.text(), /^POST <no connection>\/v2\/pre-recorded\n/u);
  await page.keyboard.press('Control+W');

  await workbench.runAndPick('Transcription: New Request File…', 'Meeting');
  await workbench.textEditor.shown('meeting.transcription.json');
  assert.match(await workbench.textEditor.text(), /"diarization": true/u);
  await workbench.runCommand('Transcription: Check Request Files');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const saved = names.filter((name) => name.endsWith('.transcription.json')).length;
  // The new file is not saved yet.
  await workbench.notifications
    .withText(`${saved + 1} request files checked`)
    .first()
    .waitFor();
});

test('the extension in the browser and the command say the same of all fixtures and random requests', async () => {
  const { workbench, folder } = session();
  const requests = parityRequests(repositoryRoot, fewParityRequests);
  writeRequests(join(folder, 'parity'), requests);
  const command = recordCommand(join(repositoryRoot, 'dist/cli.js'), join(folder, 'parity'), join(folder, 'fixed'));
  rmSync(join(folder, 'fixed'), { recursive: true });
  await workbench.runCommand('Record Requests');
  const file = join(folder, 'recording.json');
  await until('the requests are recorded', () => Promise.resolve(existsSync(file)));
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  assert.equal(Object.keys(recorded).length, requests.size);
  assert.deepEqual(differences(command, recorded).slice(0, 3), []);
});
