import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFiles, commandManifest, commandReadme } from '../../../media/package/commandPackage.ts';
import { npm } from '../editor/npm.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { stageFiles } from './stageFiles.ts';

/** Packs the command's npm package from the build; the same files make the same bytes. @returns the path of the tarball in `folder` */
export async function packCommand(folder: string, root = repositoryRoot): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const sources = Object.entries(commandFiles).map(([name, source]): [string, string] => [name, join(root, source)]);
  const stage = stageFiles(Object.fromEntries(sources), ['cli.js']);
  try {
    const write = (name: string, text: string): void => {
      writeFileSync(join(stage.path, name), text);
      chmodSync(join(stage.path, name), 0o644);
    };
    write('package.json', commandManifest(version));
    write('README.md', commandReadme(readFileSync(join(root, 'docs/other-editors.md'), 'utf8')));
    mkdirSync(folder, { recursive: true });
    // npm gives all entries the same time.
    await npm(['pack', '--pack-destination', folder], 'pack the command', { cwd: stage.path });
    return join(folder, `transcription-requests-${version}.tgz`);
  } finally {
    stage.remove();
  }
}
