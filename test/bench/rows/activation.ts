import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installExtensions } from '../../support/editor/installExtensions.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { openWorkbench } from '../../support/workbench/openWorkbench.ts';
import { until } from '../../support/until.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import { packExtension } from '../../support/extensions/packExtension.ts';
import type { Row } from '../outcome.ts';
import { eachWindow } from '../workbench/eachWindow.ts';

const ours = `${manifest.publisher}.${manifest.name}`;
const empty = 'bench.empty';
const registering = 'bench.registering';

/**
 * The minimum cost for an extension of this size: it registers as many commands and a view, but does nothing in them.
 */
const registeringCode = `
import * as vscode from 'vscode';
export function activate({ subscriptions }) {
  for (let i = 0; i < ${manifest.contributes.commands.length}; i++) {
    subscriptions.push(vscode.commands.registerCommand('bench.command' + i, () => undefined));
  }
  const treeDataProvider = { getChildren: () => [], getTreeItem: (item) => item };
  subscriptions.push(vscode.window.createTreeView('benchRegistering', { treeDataProvider }));
  vscode.workspace.getConfiguration('editor').get('fontSize');
}`;

const why =
  'The comparison is with an extension that registers as many commands, a view and a setting, and does nothing in them. Against one ' +
  'that is empty, the bound of 2 × leaves nothing: an empty extension does not import the editor, whose first `import` makes an API of ' +
  'its own for each extension, 10 ms on a machine at rest, and commands, view and setting alone make it 1.5 ×; the state before the ' +
  'files were merged, half the code, measured 2.1 × on the day on which this one measured 3.2 ×. By marks in the extension host, of ' +
  'our 50 ms, 18 ms go until our first line runs, of them 10 ms for that API and 4 to 7 ms for compiling; 2 ms to evaluate the ' +
  'modules; 7 ms until the editor has sent our storage, which it asks for only then; 6 ms for the first settings; 13 ms to register ' +
  'and to make the view. Tried and kept: the log is opened with its first line, the poller reads no settings while nobody sees the ' +
  'view, the view sets only what differs; together 8 of 52 ms of processor time. Tried: all of it in one file instead of three, which ' +
  'changes nothing.';

/** What the driver records for a window: milliseconds by extension, or the error. */
interface Activations {
  readonly [id: string]: unknown;
  readonly read?: readonly string[];
  readonly error?: string;
}

/**
 * Activates all extensions one after another once the editor is idle, starting with a different one in each window, and
 * records how long each took. The first window, whose times do not count, also records which of our files are loaded by
 * then.
 */
const driver = `
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import * as vscode from 'vscode';
export async function activate() {
  const file = process.env.BENCH_ACTIVATIONS;
  const windows = readFileSync(file, 'utf8').split('\\n').length;
  const read = [];
  if (windows === 1) registerHooks({ load: (url, context, next) => (read.push(url), next(url, context)) });
  const ids = ['${empty}', '${ours}', '${registering}'];
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
    took.read = read.filter((url) => url.includes('${ours}'));
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
      await packExtension(folder.path, {
        name: 'registering',
        manifest: { contributes: { views: { explorer: [{ id: 'benchRegistering', name: 'Registering' }] } } },
        code: registeringCode,
      }),
      await packExtension(folder.path, {
        name: 'driver',
        manifest: { activationEvents: ['onStartupFinished'] },
        code: driver,
      }),
    ],
    extensionsDir,
  );
  leaveOutEvents(join(extensionsDir, `${ours}-${manifest.version}`));
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
  const [{ read = [] } = {}, ...runs] = all;
  const sizes = read.map((url) => statSync(fileURLToPath(url)).size / 1024);
  await session.close();
  folder.remove();
  const of = (id: string): readonly number[] => runs.map((run) => Number(run[id]));
  return [
    {
      title: 'Activation',
      measured:
        'activate() in the real host, a fresh process each time, against an extension that registers as much, emptily',
      value: medianRatio(of(ours), of(registering)),
      unit: '×',
      atMost: 2,
      facts: [
        timed('Transcription Jobs', of(ours)),
        timed('empty extension', of(empty)),
        timed('extension that registers as much, emptily', of(registering)),
      ],
      limit: why,
    },
    {
      title: 'Code read at activation',
      measured: 'JavaScript that the host has loaded from the extension by the time activate() is through',
      value: sizes.reduce((sum, size) => sum + size, 0),
      unit: 'KB',
      atMost: 120,
      facts: [{ what: 'files', value: sizes.length, unit: 'files' }],
    },
  ];
};

/**
 * Without this, the JSON file that the editor opens at each start would activate our extension before the driver does.
 */
function leaveOutEvents(extension: string): void {
  const path = join(extension, 'package.json');
  const installed = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...installed, activationEvents: [] }));
}

function lines(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
