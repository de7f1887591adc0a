import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { runCli } from '../../../src/cli/runCli.ts';
import { gateRequest } from '../../../src/language/check.ts';
import { maxNameLength } from '../../../src/language/json/jsonTree.ts';
import { disturbingInLine, hostileText } from '../../support/hostile/hostileText.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { schemaErrors } from '../language/schemaCheck.ts';

const { path: folder, remove } = temporaryFolder();
after(remove);

/** Returns the output of the command for a text. */
async function run(text: string, given: readonly string[], name: string): Promise<string> {
  writeFileSync(join(folder, name), text);
  let out = '';
  await runCli([...given, name], {
    folder,
    version: '',
    check: schemaErrors,
    now: () => 0,
    env: {},
    out: { write: (written) => (out += written) },
    complaints: { write: () => undefined },
    isTerminal: false,
  });
  return out;
}

/** Requests with disturbing characters and a finding to fix, with a single kind of line break. */
const hostileRequest = fc
  .record({
    // Longer names are not read.
    notes: fc.dictionary(
      hostileText.map((name) => name.slice(0, maxNameLength)),
      hostileText,
      { maxKeys: 4 },
    ),
    indent: fc.constantFrom('', '  ', '\t'),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    comment: hostileText.map((text) => text.replaceAll(/\*\/|\p{Cs}/gu, '')),
    end: fc.constantFrom('', '\n', ' ', '\n\n'),
    mark: fc.constantFrom('', '\uFEFF'),
  })
  .map(({ notes, indent, lineBreak, comment, end, mark }) => {
    const body = {
      audio_url: 'https://[2001:db8::1]/a.mp3',
      custom_metadata: { ref: 'std::vector', issue: '##[x]', ...notes },
      language_config: { languages: ['en', 'fr', 'en'] },
    };
    // Members and elements with unescaped characters, as far as JSON allows.
    const json = JSON.stringify(body, undefined, indent).replace(/^\{/u, '{/* C */');
    return mark + `${json}${end}`.replaceAll('\n', lineBreak).replace('C', () => comment);
  });

test('the preview has the request that would be sent, without disturbing characters or commands', async () => {
  await fc.assert(
    fc.asyncProperty(hostileRequest, async (text) => {
      const gate = gateRequest(text.replace(/^\uFEFF/u, ''), schemaErrors, { nowMs: 0 });
      const out = await run(text, ['preview'], 'p.transcription.json');
      if (gate.type !== 'ok') return assert.equal(out, '');
      const body = out.slice(out.indexOf('\n\n') + 2);
      assert.deepEqual(JSON.parse(body), JSON.parse(gate.body));
      assert.doesNotMatch(out.replaceAll(/[\n\t]/gu, ''), disturbingInLine);
      assert.doesNotMatch(out, /^\s*::|##\w*\[/mu);
    }),
    // Fewer: each executes the whole command on a file.
    { numRuns: Math.min(propertyRuns, 40) },
  );
});

test('the diff of a dry run produces exactly the fixed file', async () => {
  await fc.assert(
    fc.asyncProperty(hostileRequest, async (text) => {
      const name = 'd e"é.transcription.json';
      const patch = await run(text, ['fix', '--dry-run'], name);
      execFileSync('git', ['init', '--quiet'], { cwd: folder });
      execFileSync('git', ['-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn'], { cwd: folder, input: patch });
      const applied = readFileSync(join(folder, name), 'utf8');
      await run(text, ['fix'], name);
      assert.equal(applied, readFileSync(join(folder, name), 'utf8'));
      assert.notEqual(applied, text);
    }),
    // Fewer: each executes Git.
    { numRuns: 40 },
  );
});

/** Texts that disturb or reorder displayed lines, or act as commands. */
const notes = [
  'std::vector',
  '::error file=a.ts::x',
  '##[error]x',
  '##vso[task.x]y',
  'é\u200f',
  'a\u202eb',
  '\u2028',
  '\u{e0041}',
];

/** Requests without fixes, with each kind of line break, with and without a byte order mark and a final line break. */
const settled = [
  ['', '\n', '\n'],
  ['\uFEFF', '\r\n', ''],
  ['', '\r', ' '],
  ['\uFEFF', '', ''],
].map(([mark = '', lineBreak = '', end = '']) => {
  const json = `{\n  "audio_url": "https://[2001:db8::1]/a.mp3?a::b",\n\n\t"custom_metadata": ${JSON.stringify(Object.fromEntries(notes.entries()))} \n}`;
  return mark + json.replaceAll('\n', lineBreak) + end;
});
/** The same requests with a finding to fix. */
const unsettled = settled.map((text) => text.replace('{', '{"language_config": { "languages": ["en", "fr", "en"] },'));
const fixed = unsettled.map((text) => text.replace('"fr", "en"]', '"fr"]'));

/** Runs the command like a script. @returns the exact bytes of its output */
function runScript(environment: NodeJS.ProcessEnv, given: readonly string[], cwd: string, input = ''): Buffer {
  const env = { ...process.env, CI: '', GITHUB_ACTIONS: '', ...environment };
  return spawnSync(process.execPath, [join(repositoryRoot, 'dist/cli.js'), ...given], { cwd, input, env }).stdout;
}

for (const [where, environment] of [
  ['on the command line', {}],
  ['on a build service', { CI: 'true', GITHUB_ACTIONS: 'true' }],
] as const) {
  test(`${where}, a filter changes only the bytes that it fixes`, () => {
    for (const [index, text] of settled.entries()) {
      assert.equal(runScript(environment, ['fix', '-'], folder, text).toString(), text);
      assert.equal(runScript(environment, ['fix', '-'], folder, unsettled[index]).toString(), fixed[index]);
    }
  });

  test(`${where}, the diff of a dry run can be applied`, () => {
    const cwd = join(folder, where);
    mkdirSync(cwd);
    const name = (index: number): string => join(cwd, `${index}.transcription.json`);
    for (const [index, text] of unsettled.entries()) writeFileSync(name(index), text);
    const patch = runScript(environment, ['fix', '--dry-run'], cwd);
    execFileSync('git', ['init', '--quiet'], { cwd });
    execFileSync('git', ['-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn'], { cwd, input: patch });
    assert.deepEqual(
      unsettled.map((_text, index) => readFileSync(name(index), 'utf8')),
      fixed,
    );
  });
}

test('a filter on a build service only fixes a request that looks like commands', () => {
  const text = readFileSync('test/fixtures/cli/ci-filter.transcription.json', 'utf8');
  const environment = { CI: 'true', GITHUB_ACTIONS: 'true', TF_BUILD: 'True' };
  const filtered = runScript(environment, ['fix', '-', '--service', 'none'], folder, text);
  assert.equal(filtered.toString(), text.replace('" https', '"https'));
  assert.deepEqual(runScript(environment, ['fix', '-'], folder, filtered.toString()), filtered);
});

/** Runs a command line of the shell, in which `"$@"` is the command. */
function runShell(line: string, cwd: string) {
  const given = ['-c', line, 'bash', process.execPath, join(repositoryRoot, 'dist/cli.js')];
  return spawnSync('bash', given, { cwd, encoding: 'utf8' });
}

const noFull = !existsSync('/dev/full') && 'there is no /dev/full here';

test('output that cannot be written is a failure, whatever was found', { skip: noFull }, () => {
  const cwd = join(folder, 'full');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'wrong.transcription.json'), '{"audio_url": 1}');
  for (const given of ['schema', 'check', 'check --format json', 'rules', 'fix --dry-run -- wrong*', '--help']) {
    const { status, stderr } = runShell(`"$@" ${given} > /dev/full`, cwd);
    // The diff is empty.
    if (given.startsWith('fix')) assert.equal(status, 1);
    else assert.deepEqual([status, /the output can't be written: ENOSPC/u.test(stderr)], [2, true], given);
  }
  assert.equal(runShell('"$@" check 2> /dev/full', cwd).status, 2);
});

test('a report that its disk takes only a part of is not left behind', () => {
  const cwd = join(folder, 'small');
  mkdirSync(cwd);
  // Files may have at most 1 KB.
  const limited = 'trap "" XFSZ; ulimit -f 1; "$@" check --no-settings --format sarif -o a.sarif -- .';
  writeFileSync(join(cwd, 'wrong.transcription.json'), '{"audio_url": 1}');
  const { status, stderr } = runShell(limited, cwd);
  assert.deepEqual([status, /a\.sarif can't be written: EFBIG/u.test(stderr)], [2, true], stderr);
  assert.ok(!existsSync(join(cwd, 'a.sarif')));
});

test('a reader that stops early ends the output, but not the work', () => {
  const cwd = join(folder, 'early');
  mkdirSync(cwd);
  const names = Array.from({ length: 300 }, (_, index) => join(cwd, `${index}.transcription.json`));
  for (const name of names) writeFileSync(name, unsettled[0] ?? '');
  const { stdout, stderr } = runShell('"$@" fix | head -n 1; echo "${PIPESTATUS[0]}"', cwd);
  assert.match(stdout, /^0\.transcription\.json: fixed\n0\n$/u, stderr);
  assert.deepEqual(
    names.filter((name) => readFileSync(name, 'utf8') !== fixed[0]),
    [],
  );
});
