import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { packageVsix } from '../../support/run/packageVsix.ts';

test('the package is made in a clone that has no folder for it yet', async () => {
  assert(existsSync('dist/extension.js'), 'dist is missing: npm run build makes it');
  const { path, remove } = temporaryFolder();
  try {
    const vsix = join(path, 'out/made.vsix');
    assert.equal(await packageVsix(repositoryRoot, vsix), vsix);
    assert(statSync(vsix).size > 0);
  } finally {
    remove();
  }
});
