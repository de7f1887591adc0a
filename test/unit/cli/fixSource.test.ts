import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { writeFixed } from '../../../src/cli/fixSource.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';

const { path: folder, remove } = temporaryFolder();
after(remove);
const file = join(folder, 'a.json');
const isUnix = process.platform !== 'win32';

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  writeFileSync(file, 'before');
});

test('the file keeps its owner, mode, hard links and symbolic links', { skip: !isUnix && 'not on Windows' }, () => {
  chmodSync(file, 0o4751);
  if (process.getuid?.() === 0) chownSync(file, 1234, 4321);
  linkSync(file, join(folder, 'hard'));
  symlinkSync('a.json', join(folder, 'soft'));
  const { ino, mode, uid, gid } = statSync(file);
  writeFixed(join(folder, 'soft'), 'soft', 'before', 'short');
  assert.equal(readFileSync(join(folder, 'hard'), 'utf8'), 'short');
  const now = statSync(file);
  assert.deepEqual([now.ino, now.uid, now.gid, now.mode & 0o777], [ino, uid, gid, mode & 0o777]);
  assert.deepEqual(readdirSync(folder).sort(), ['a.json', 'hard', 'soft']);
});

test('read-only files, folders and files that have changed are refused', () => {
  assert.throws(() => writeFixed(file, 'a.json', 'other', 'after'), /a\.json has changed meanwhile/u);
  assert.throws(
    () => writeFixed(folder, 'folder', 'before', 'after'),
    /^SourceError: folder can't be written: EISDIR/u,
  );
  chmodSync(file, 0o444);
  assert.throws(() => writeFixed(file, 'a.json', 'before', 'after'), /^SourceError: a\.json is read-only$/u);
  assert.equal(readFileSync(file, 'utf8'), 'before');
});

test('a file that does not fit keeps its old text', { skip: !isUnix && 'not on Windows' }, () => {
  const before = 'x'.repeat(1000);
  writeFileSync(file, before);
  const script = `
    import { writeFixed } from ${JSON.stringify(join(repositoryRoot, 'src/cli/fixSource.ts'))};
    process.on('SIGXFSZ', () => {});
    try { writeFixed(${JSON.stringify(file)}, 'a.json', 'x'.repeat(1000), 'y'.repeat(5000)); } catch (error) { console.log(error.message); }
  `;
  // Files may have at most 1 or 2 KB, depending on the shell.
  const given = ['-c', 'ulimit -f 2; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const { stdout, stderr } = spawnSync('bash', given, { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  assert.match(stdout, /^a\.json can't be written: EFBIG/u, stderr);
  assert.equal(readFileSync(file, 'utf8'), before);
});
