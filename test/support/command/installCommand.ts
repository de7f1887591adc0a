import { join } from 'node:path';
import { npm } from '../editor/npm.ts';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { packCommand } from '../run/packCommand.ts';

/** The command as users install it. */
export interface InstalledCommand {
  /** The folder that it was installed in, which was empty before. */
  readonly folder: string;
  /** The script that the command runs. */
  readonly script: string;
  readonly remove: () => void;
}

/** Packs the command from the build and installs its tarball without the network, because it has no other dependencies. */
export async function installCommand(): Promise<InstalledCommand> {
  const { path: folder, remove } = temporaryFolder();
  const tarball = await packCommand(join(folder, 'packed'));
  await npm(['install', '--offline', tarball], 'install the command', { cwd: folder });
  return { folder, script: join(folder, 'node_modules/transcription-requests/dist/cli.js'), remove };
}
