import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../support/editor/repositoryRoot.ts';
import { runTool } from '../support/editor/runTool.ts';
import { UserError } from '../support/editor/userError.ts';

/** What is built from, and what is packaged with it. */
const sources = [
  'src',
  'media',
  'l10n',
  'package.json',
  'package.nls.json',
  'package.nls.fr.json',
  'esbuild.mjs',
  'tsconfig.json',
  '.vscodeignore',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];

/** What is measured: the package as it ships. */
export interface Measured {
  /** Folder with `dist`, as in the package. */
  readonly builtRoot: string;
  readonly vsix: string;
}

/** Builds and packages a copy of the sources, so that nothing that is built for other ends is in the way, or goes. */
export async function buildMeasured(folder: string): Promise<Measured> {
  const builtRoot = join(folder, 'measured');
  mkdirSync(builtRoot);
  for (const source of sources) cpSync(join(repositoryRoot, source), join(builtRoot, source), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(builtRoot, 'node_modules'), 'junction');
  const vsix = join(folder, 'measured.vsix');
  const flags = ['--no-dependencies', '--no-rewrite-relative-links', '--allow-missing-repository', '--out', vsix];
  await tool(builtRoot, 'esbuild.mjs', ['--production']);
  await tool(builtRoot, join(repositoryRoot, 'node_modules/@vscode/vsce/vsce'), ['package', ...flags]);
  return { builtRoot, vsix };
}

async function tool(cwd: string, script: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runTool(process.execPath, [script, ...args], { cwd });
  if (code !== 0) throw new UserError(`Could not build what is to be measured: ${stdout}${stderr}`);
}
