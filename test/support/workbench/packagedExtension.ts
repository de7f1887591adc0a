import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import type { EditorOptions } from '../editor/startEditor.ts';
import { UserError } from '../editor/userError.ts';
import { packExtension, type SmallExtension } from '../extensions/packExtension.ts';

/** The package of this run, or another one that TEST_VSIX names. */
export function packagedExtension(): string {
  const vsix = process.env['TEST_VSIX'] ?? join(repositoryRoot, 'out/transcription-jobs.vsix');
  if (!existsSync(vsix)) throw new UserError(`${vsix} is missing; "npm run test:ui" makes it.`);
  return vsix;
}

/**
 * The same, with others beside it, for an editor to start with in a folder of its own below `folder`: as this run has installed it in
 * the folder that TEST_EXTENSIONS names, else from the package.
 */
export async function testedExtensions(
  besides: readonly SmallExtension[],
  folder: string,
): Promise<Required<Pick<EditorOptions, 'extensionVsix' | 'extensionsDir'>>> {
  const installed = process.env['TEST_EXTENSIONS'];
  const extensionsDir = join(folder, 'extensions');
  if (installed !== undefined) cpSync(installed, extensionsDir, { recursive: true });
  const packages = await Promise.all(besides.map((each) => packExtension(folder, each)));
  return { extensionsDir, extensionVsix: installed === undefined ? [packagedExtension(), ...packages] : packages };
}
