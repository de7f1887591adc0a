import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';

/** Creates a writable copy of the example workspace, removed when this process ends. */
export function copyExampleWorkspace(): string {
  const folder = join(temporaryFolder().path, 'requests');
  cpSync(join(repositoryRoot, 'test/fixtures/workspace'), folder, { recursive: true });
  return folder;
}
