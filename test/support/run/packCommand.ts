import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../editor/npm.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { readSharedManifest, stageCommand } from './stageCommand.ts';

/** Packs the command's npm package from the build; the same files make the same bytes. @returns the path of the tarball in `folder` */
export async function packCommand(folder: string, root = repositoryRoot): Promise<string> {
  const stage = stageCommand(root);
  try {
    mkdirSync(folder, { recursive: true });
    // npm gives all entries the same time.
    await npm(['pack', '--pack-destination', folder], 'pack the command', { cwd: stage.path });
    return join(folder, `transcription-requests-${readSharedManifest(root).version}.tgz`);
  } finally {
    stage.remove();
  }
}
