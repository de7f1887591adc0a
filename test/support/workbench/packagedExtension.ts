import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import type { EditorOptions } from '../editor/startEditor.ts';
import { UserError } from '../editor/userError.ts';
import { packExtension, type SmallExtension } from '../extensions/packExtension.ts';

/** The VSIX of this run, or the one that TEST_VSIX names. */
export function packagedExtension(): string {
  const vsix = process.env['TEST_VSIX'] ?? join(repositoryRoot, 'out/transcription-jobs.vsix');
  if (!existsSync(vsix)) throw new UserError(`${vsix} is missing; "npm run test:ui" makes it.`);
  return vsix;
}

/**
 * Options that start an editor with the product and other extensions, in an extensions folder below `folder`: the
 * product is copied from the folder that TEST_EXTENSIONS names, as installed by this run, or else comes from the VSIX.
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
