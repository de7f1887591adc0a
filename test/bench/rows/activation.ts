import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installExtensions } from '../../support/editor/installExtensions.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { openWorkbench } from '../../support/workbench/openWorkbench.ts';
import { until } from '../../support/until.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import { packExtension, type SmallExtension } from '../../support/extensions/packExtension.ts';
import type { Row } from '../outcome.ts';
import { eachWindow } from '../workbench/eachWindow.ts';

const ours = `${manifest.publisher}.${manifest.name}`;
const empty = 'bench.empty';
const registering = 'bench.registering';
const loading = 'bench.loading';

/** Returns an extension that registers as many commands, a view and a setting, and does nothing in them. */
function registeringExtension(name: string, firstLine = ''): SmallExtension {
  const code = `${firstLine}
import * as vscode from 'vscode';
export function activate({ subscriptions }) {
  for (let i = 0; i < ${manifest.contributes.commands.length}; i++) {
    subscriptions.push(vscode.commands.registerCommand('bench.${name}' + i, () => undefined));
  }
  const treeDataProvider = { getChildren: () => [], getTreeItem: (item) => item };
  subscriptions.push(vscode.window.createTreeView('bench.${name}', { treeDataProvider }));
  vscode.workspace.getConfiguration('editor').get('fontSize');
}`;
  return { name, code, manifest: { contributes: { views: { explorer: [{ id: `bench.${name}`, name }] } } } };
}

const why =
  'Not reached. The floor is the fourth extension below, which registers some 70 commands, a view and a setting, emptily, and loads our ' +
  'code without running it: our own `activate` adds a sixth to a half of it, mostly ' +
  "calls of the editor's API and the first settings. Registering includes the first `import` of the editor, which makes an " +
  'API for each extension. Loading is mostly compiling 330 KB, the price of features that are loaded with the extension instead of by ' +
  'shells; the makers of transcripts, pages, tables and the HTTP client are loaded when they are used.';

/** The driver's record of a window: milliseconds by extension, or the error. */
interface Activations {
  readonly [id: string]: unknown;
  readonly error?: string;
}

/**
 * Activates all extensions one after another once the editor is idle, starting with a different one in each window, and
 * records how long each took. The times of the first window do not count.
 */
const driver = `
import { appendFileSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
export async function activate() {
  const file = process.env.BENCH_ACTIVATIONS;
  const windows = readFileSync(file, 'utf8').split('\\n').length;
  const ids = ['${empty}', '${ours}', '${registering}', '${loading}'];
  for (let turn = 0; turn < windows % ids.length; turn++) ids.push(ids.shift());
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const took = {};
  try {
    for (const id of ids) {
      const extension = vscode.extensions.getExtension(id);
      if (extension.isActive) throw new Error(id + ' is active already');
      const startMs = performance.now();
      await extension.activate();
      took[id] = performance.now() - startMs;
    }
  } catch (error) {
    took.error = String(error.stack);
  }
  appendFileSync(file, JSON.stringify(took) + '\\n');
}`;

/** Activates the extension in the real extension host, in a new process each time. */
export const row: Row = async ({ quick, vsix }) => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'activations');
  writeFileSync(file, '');
  const extensionsDir = join(folder.path, 'extensions');
  await installExtensions(
    [
      vsix,
      await packExtension(folder.path, {
        name: 'empty',
        manifest: {},
        code: 'export function activate() {}',
      }),
      await packExtension(folder.path, registeringExtension('registering')),
      await packExtension(
        folder.path,
        registeringExtension('loading', "export { activate as unused } from './ours/extension.js';"),
      ),
      await packExtension(folder.path, {
        name: 'driver',
        manifest: { activationEvents: ['onStartupFinished'] },
        code: driver,
      }),
    ],
    extensionsDir,
  );
  const installed = join(extensionsDir, `${ours}-${manifest.version}`);
  leaveOutEvents(installed);
  cpSync(join(installed, 'dist'), join(extensionsDir, `${loading}-1.0.0`, 'ours'), { recursive: true });
  const session = await openWorkbench({
    extensionsDir,
    // With fewer built-in extensions the windows vary less.
    builtinExtensions: ['theme-defaults'],
    env: { BENCH_ACTIVATIONS: file },
  });
  // One extra window: the first one also reads everything from disk for the first time.
  const windows = 1 + (quick ? 7 : 15);
  await eachWindow(session, windows, (_, window) =>
    until(`window ${window} has activated all`, () => lines(file).length === window + 1),
  );
  const all = lines(file).map((line) => JSON.parse(line) as Activations);
  const broken = all.find(({ error }) => error !== undefined);
  if (broken !== undefined) throw new Error(`not activated: ${broken.error}`);
  const runs = all.slice(1);
  await session.close();
  folder.remove();
  const of = (id: string): readonly number[] => runs.map((run) => Number(run[id]));
  return [
    {
      title: 'Activation',
      measured: 'activate() in the real host, a fresh process each time, against an extension that is empty',
      value: medianRatio(of(ours), of(empty)),
      unit: '×',
      atMost: 3,
      facts: [
        timed('Transcription Jobs', of(ours)),
        timed('empty extension', of(empty)),
        timed('extension that registers as much, emptily', of(registering)),
        timed('the same, which also loads our code without running it', of(loading)),
      ],
      limit: why,
    },
  ];
};

/**
 * Removes the activation events. Otherwise the JSON file that the editor opens at each start would activate the extension before the driver
 * does.
 */
function leaveOutEvents(extension: string): void {
  const path = join(extension, 'package.json');
  const installed = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...installed, activationEvents: [] }));
}

function lines(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
