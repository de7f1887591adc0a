import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
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

test('packaged twice, in whatever time zone, it is the same to the byte', async (t) => {
  const { path, remove } = temporaryFolder();
  t.after(remove);
  const zone = process.env['TZ'];
  const packed: Buffer[] = [];
  try {
    for (const each of ['Asia/Tokyo', 'America/Lima']) {
      process.env['TZ'] = each;
      packed.push(readFileSync(await packageVsix(repositoryRoot, join(path, `${packed.length}.vsix`))));
    }
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
  const [one, other] = packed;
  assert(one && other && one.equals(other));
});
