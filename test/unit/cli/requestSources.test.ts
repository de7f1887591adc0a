import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { findSources } from '../../../src/cli/requestSources.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { measureSlowness, threadMs } from '../../support/hostile/hostileGuard.ts';

const { path: folder, remove } = temporaryFolder();
after(remove);

function put(name: string, text = '{}'): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Returns the names of the files that operands match, and the problems. */
function find(operands: readonly string[] = [], { from = '', usesIgnoreFiles = true } = {}) {
  const { paths, problems } = findSources(operands, join(folder, from), usesIgnoreFiles);
  return { names: paths.map((path) => relative(folder, path).replace('.transcription.json', '')), problems };
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
});

const put3 = (): void => {
  for (const name of ['a', 'out/b', 'sub/drafts/c', 'sub/d']) put(`${name}.transcription.json`);
};

test('folders and globs leave out what .gitignore excludes, from any folder of the repository', () => {
  put3();
  put('.gitignore', '/out/\ndrafts\n');
  assert.deepEqual(find().names, ['a', 'sub/d']);
  assert.deepEqual(find(['**/*.json']).names, ['a', 'sub/d']);
  assert.deepEqual(find(['.'], { from: 'sub' }).names, ['sub/d']);
  assert.deepEqual(find([], { usesIgnoreFiles: false }).names, ['a', 'out/b', 'sub/d', 'sub/drafts/c']);
  // The rules of an inner folder come after those of the outer ones.
  put('sub/.gitignore', '*\n!/drafts/\n!c*\n');
  assert.deepEqual(find().names, ['a', 'sub/drafts/c']);
});

test('named files are found also if .gitignore excludes them, and a search that finds nothing else says so', () => {
  put3();
  put('.gitignore', 'out\n');
  assert.deepEqual(find(['out/b.transcription.json']).names, ['out/b']);
  for (const operand of ['out', 'out/*.json']) {
    const { names, problems } = find([operand]);
    assert.deepEqual([names, problems.length], [[], 1], operand);
    assert.match(problems[0] ?? '', /; \.gitignore excludes files there, which --no-ignore includes$/u);
  }
});

test('operands with ! exclude files, folders and globs, also if these were named', () => {
  put3();
  assert.deepEqual(find(['!out']).names, ['a', 'sub/d', 'sub/drafts/c']);
  assert.deepEqual(find(['.', '!**/drafts/**', '!a.transcription.json']).names, ['out/b', 'sub/d']);
  assert.deepEqual(find(['a.transcription.json', 'sub', '!sub/d*']).names, ['a', 'sub/drafts/c']);
  // A file with such a name is a file.
  put('!a.transcription.json');
  assert.deepEqual(find(['!a.transcription.json']).names, ['!a']);
});

test('git would ignore the same files', () => {
  const name = fc.constantFrom('a', 'b', 'a b', '[a]', '#a', '!a', 'a*');
  const rule = fc
    .tuple(
      fc.constantFrom('', '', '!'),
      fc.constantFrom('', '/', '**/', 'a/', 'b/**/', String.raw`\#`, String.raw`\!`),
      fc.constantFrom('a', 'b', '*', 'a*', 'a b', String.raw`\[a\]`, '?', '**', 'a.transcription.json', '#'),
      fc.constantFrom('', '', '/', '/*', ' ', '/**'),
    )
    .map((parts) => parts.join(''));
  const rules = fc.array(rule, { maxLength: 4 }).map((lines) => lines.join('\n'));
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { minLength: 1, maxLength: 6 }),
      rules,
      fc.dictionary(path, rules, { maxKeys: 3 }),
      (paths, ofRoot, ofFolders) => {
        for (const each of ['a', 'b', 'a b', '[a]', '#a', '!a', 'a*'])
          rmSync(join(folder, each), { recursive: true, force: true });
        const files = paths.map((each) => `${each}/a.transcription.json`);
        for (const file of files) put(file);
        put('.gitignore', ofRoot);
        for (const [each, text] of Object.entries(ofFolders)) put(`${each}/.gitignore`, text);
        const { stdout } = spawnSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], {
          cwd: folder,
          encoding: 'utf8',
        });
        const listed = stdout.split('\0').filter((each) => each.endsWith('.transcription.json'));
        const { paths: found } = findSources([], folder, true);
        assert.deepEqual(found.map((each) => relative(folder, each)).sort(), listed.sort());
      },
    ),
    // Fewer: each executes Git.
    { numRuns: Math.min(propertyRuns, 40) },
  );
});

test('rules and folders that were made to take long to match do not', () => {
  const deep = 'a/'.repeat(300);
  put(`${'a'.repeat(230)}.transcription.json`);
  put(`${deep}a.transcription.json`);
  const stars = [`${'*a'.repeat(60)}b`, `${'?*'.repeat(30)}b`, `${'[a]*'.repeat(60)}b`, '**/a/**/a/**/b'];
  put('.gitignore', [...stars, '**/a/**/a/**/a/**/a/**/a/**/b'].join('\n'));
  const before = threadMs();
  const { names, problems } = find();
  const neededMs = threadMs() - before;
  assert.equal(names.length, 2);
  assert.deepEqual(problems, ['.gitignore:5: this rule has more than 3 ** and is left out']);
  assert.ok(neededMs < 1000 * measureSlowness(), `${neededMs} ms`);
});

test('what cannot be read is a problem, not an empty folder', () => {
  put('a.transcription.json');
  symlinkSync('loop', join(folder, 'loop'));
  for (const [operand, problem] of [
    ['loop', /^loop can't be read: ELOOP/u],
    ['x'.repeat(300), /can't be read: ENAMETOOLONG/u],
    ['a.transcription.json/b', /can't be read: ENOTDIR/u],
    ['none', /^none can't be read: ENOENT/u],
  ] as const) {
    const { names, problems } = find([operand]);
    assert.deepEqual(names, []);
    assert.match(problems.join('\n'), problem);
  }
  put('closed/b.transcription.json');
  chmodSync(join(folder, 'closed'), 0);
  const { names, problems } = asOrdinaryUser(() => find());
  assert.deepEqual(names, ['a']);
  assert.match(problems.join('\n'), /closed\/? can't be read: EACCES/u);
});

/** Runs a function without the rights of the administrator, who may read everything. */
function asOrdinaryUser<T>(run: () => T): T {
  if (process.getuid?.() !== 0) return run();
  chmodSync(folder, 0o755);
  process.seteuid?.(65_534);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}
