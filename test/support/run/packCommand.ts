import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFiles, commandManifest, commandReadme } from '../../../media/package/commandPackage.ts';
import { npm } from '../editor/npm.ts';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';

/** Packs the command's npm package from the build. @returns the path of the tarball in `folder` */
export async function packCommand(folder: string, root = repositoryRoot): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const stage = temporaryFolder();
  try {
    for (const [name, source] of Object.entries(commandFiles)) cpSync(join(root, source), join(stage.path, name));
    writeFileSync(join(stage.path, 'package.json'), commandManifest(version));
    writeFileSync(
      join(stage.path, 'README.md'),
      commandReadme(readFileSync(join(root, 'docs/other-editors.md'), 'utf8')),
    );
    mkdirSync(folder, { recursive: true });
    await npm(['pack', '--pack-destination', folder], 'pack the command', { cwd: stage.path });
    return join(folder, `transcription-requests-${version}.tgz`);
  } finally {
    stage.remove();
  }
}
