import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { packageVsix } from './packageVsix.ts';
import { packCommand } from './packCommand.ts';

/** Name of the list of hashes, in the form that `sha256sum --check` reads. */
export const sumsName = 'SHA256SUMS';

/**
 * Packs all parts of a release from the build: the extension, the command, and the bill of materials of each, with the hashes of these
 * four.
 * @param folder is recreated
 * @returns their paths, the list of hashes last
 */
export async function packRelease(folder: string, root = repositoryRoot): Promise<readonly string[]> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const copy = (from: string, name: string): string => {
    copyFileSync(join(root, from), join(folder, name));
    return join(folder, name);
  };
  const files = [
    await packageVsix(root, join(folder, `transcription-jobs-${version}.vsix`)),
    await packCommand(folder, root),
    copy('dist/sbom.cdx.json', `transcription-jobs-${version}.sbom.cdx.json`),
    copy('dist/cli.sbom.cdx.json', `transcription-requests-${version}.sbom.cdx.json`),
  ];
  const sums = files.map(
    (file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}`,
  );
  writeFileSync(join(folder, sumsName), `${sums.join('\n')}\n`);
  return [...files, join(folder, sumsName)];
}
