import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atomicFolder } from '../support/editor/atomicFolder.ts';
import { npm } from '../support/editor/npm.ts';
import { defaultCacheDir } from '../support/editor/provisionEditor.ts';

/** The tools that the product is compared with. None of these is a dependency of the product. */
const peers = { '@gladiaio/sdk': '2.1.0', 'ajv-cli': '5.0.0', v8r: '6.1.0', 'vscode-json-languageservice': '5.7.2' };

/** A separate folder for the peers, next to the editors that tests use; filled once. */
export async function installPeers(): Promise<string> {
  return atomicFolder({
    cacheDir: defaultCacheDir,
    key: 'bench-peers',
    ingredients: JSON.stringify(peers),
    make: async (fresh) => {
      mkdirSync(fresh, { recursive: true });
      writeFileSync(join(fresh, 'package.json'), JSON.stringify({ private: true, dependencies: peers }));
      await npm(['install', '--ignore-scripts'], 'install the peers to measure against', { cwd: fresh });
    },
  });
}
