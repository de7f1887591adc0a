import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../support/editor/repositoryRoot.ts';
import { build } from '../support/run/buildExtension.ts';
import { packageVsix } from '../support/run/packageVsix.ts';

/** Files that the build reads, and files that are packaged with its output. */
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
  'docs',
  'CHANGELOG.md',
];

/** The packaged extension, the subject of the measurements. */
export interface Measured {
  /** Folder that contains `dist`, as in the package. */
  readonly builtRoot: string;
  readonly vsix: string;
}

/**
 * Builds and packages a copy of the sources, so that other build output is neither used nor removed.
 * @param isProduction false: with source maps, and functions as in the sources
 */
export async function buildMeasured(folder: string, isProduction = true): Promise<Measured> {
  const builtRoot = join(folder, 'measured');
  mkdirSync(builtRoot);
  for (const source of sources) cpSync(join(repositoryRoot, source), join(builtRoot, source), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(builtRoot, 'node_modules'), 'junction');
  await build(false, builtRoot, isProduction);
  const vsix = await packageVsix(builtRoot, join(folder, 'measured.vsix'));
  return { builtRoot, vsix };
}
