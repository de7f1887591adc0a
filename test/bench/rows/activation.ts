import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installExtensions } from '../../support/editor/installExtensions.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { openWorkbench } from '../../support/workbench/openWorkbench.ts';
import { until } from '../../support/until.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { median } from '../median.ts';
import { timed } from '../timed.ts';
import { packExtension } from '../../support/extensions/packExtension.ts';
import type { Row } from '../outcome.ts';
import { eachWindow } from '../workbench/eachWindow.ts';

const ours = `${manifest.publisher}.${manifest.name}`;
const empty = 'bench.empty';

/** What the driver writes down for a window: milliseconds by extension, or what went wrong. */
interface Activations {
  readonly [id: string]: unknown;
  readonly read?: readonly string[];
  readonly error?: string;
}

/**
 * Activates the two in turn once the editor has come to rest, another one first in each window, and writes down how long each
 * took. The first window, whose times do not count, also notes which of our files are read by then.
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
  const ids = ['${empty}', '${ours}'];
  if (windows % 2 === 0) ids.reverse();
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

/** Activates the extension in the real host, in a fresh process each time. */
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
    // The fewer others start, the more alike are the windows.
    builtinExtensions: ['theme-defaults'],
    env: { BENCH_ACTIVATIONS: file },
  });
  // The first window also reads everything from the disk for the first time.
  const windows = 1 + (quick ? 7 : 11);
  await eachWindow(session, windows, (_, window) =>
    until(`window ${window} has activated both`, () => lines(file).length === window + 1),
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
      measured: 'activate() in the real host, a fresh process each time, against an empty extension',
      value: median(of(ours)) / median(of(empty)),
      unit: '×',
      atMost: 2,
      facts: [timed('Transcription Jobs', of(ours)), timed('empty extension', of(empty))],
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

/** The editor opens a JSON file of its own at each start, which would activate ours before the driver does. */
function leaveOutEvents(extension: string): void {
  const path = join(extension, 'package.json');
  const installed = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...installed, activationEvents: [] }));
}

function lines(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
