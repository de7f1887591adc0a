import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { UserError } from '../../support/editor/userError.ts';
import { packageVsix } from '../../support/run/packageVsix.ts';
import { packagedFiles } from '../../support/run/stageFiles.ts';

const maxPackageBytes = 750_000;

test('the package is made in a clone that has no folder for it yet, holds what it is to hold, and is small', async (t) => {
  assert(existsSync('dist/extension.js'), 'dist is missing: npm run build makes it');
  const { path, remove } = temporaryFolder();
  t.after(remove);
  const vsix = join(path, 'out/made.vsix');
  assert.equal(await packageVsix(repositoryRoot, vsix), vsix);
  const { size } = statSync(vsix);
  t.diagnostic(`${size} bytes`);
  const held = namesInZip(readFileSync(vsix)).filter((name) => name.startsWith('extension/'));
  // The README, the changelog and the licence are kept under names of the packer's choice.
  const renamed = /^(?:(?:dist\/)?readme|changelog|license)\b/iu;
  const names = (all: readonly string[]): readonly string[] => all.filter((name) => !renamed.test(name)).toSorted();
  assert.deepEqual(names(held.map((name) => name.replace('extension/', ''))), names(packagedFiles(repositoryRoot)));
  if (globSync('dist/**/*.map').length === 0) assert(size > 0 && size <= maxPackageBytes, `${size} bytes`);
});

test('a time that no archive can hold is refused in one line', async (t) => {
  for (const time of ['yesterday', '0', '-1']) {
    setVariables(t, { SOURCE_DATE_EPOCH: time });
    await assert.rejects(packageVsix(repositoryRoot, join('out', 'never.vsix')), (error) => {
      assert(error instanceof UserError);
      assert.match(error.message, /^SOURCE_DATE_EPOCH is "[^"]+"; it takes seconds since 1970, from 315532800 on\.$/);
      return true;
    });
  }
});

/** Sets variables of the environment until the test ends. */
function setVariables(t: TestContext, variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const former = process.env[name];
    process.env[name] = value;
    t.after(() => {
      if (former === undefined) delete process.env[name];
      else process.env[name] = former;
    });
  }
}

/** The names in the central directory of an archive. */
function namesInZip(bytes: Buffer): readonly string[] {
  const names: string[] = [];
  const end = bytes.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  for (let at = bytes.readUInt32LE(end + 16); at < end;) {
    const nameBytes = bytes.readUInt16LE(at + 28);
    names.push(bytes.toString('utf8', at + 46, at + 46 + nameBytes));
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names;
}
