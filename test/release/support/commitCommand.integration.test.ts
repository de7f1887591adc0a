import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { git, tagRelease, writeReleaseTree } from '../../support/run/commitCommand.ts';

const wrong = '{\n  "audio_url": 1,\n  "language_config": { "languages": ["en", "fr", "en"] }\n}\n';
const fixed = wrong.replace(', "en"]', ']');
const good = '{"audio_url": "https://media.example.com/a.mp3"}\n';

describe('The tag of a release', () => {
  const { path: folder, remove } = temporaryFolder();
  after(remove);
  const published = join(folder, 'published');
  const project = join(folder, 'project');
  let tag: string;

  before(async () => {
    mkdirSync(published);
    await git(published, ['init', '--quiet', '--initial-branch=main']);
    await git(published, ['config', 'user.name', 'Publisher']);
    await git(published, ['config', 'user.email', 'publisher@example.com']);
    await git(published, ['commit', '--quiet', '--allow-empty', '--message', 'Sources']);
    tag = await tagRelease(published);
  });

  beforeEach(async () => {
    rmSync(project, { recursive: true, force: true });
    mkdirSync(project);
    await git(project, ['init', '--quiet']);
  });

  function put(name: string, text: string): void {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const read = (name: string): string => readFileSync(join(project, name), 'utf8');

  it('names a commit on no branch, beside the sources, that needs neither a build nor other packages', async () => {
    assert.equal(await git(published, ['rev-parse', `${tag}^`]), await git(published, ['rev-parse', 'main']));
    assert.equal(await git(published, ['branch', '--contains', `${tag}^{commit}`]), '');
    const listed = await git(published, ['ls-tree', '-r', '--name-only', tag]);
    const files = ['dist/cli.js', 'action.yml', '.pre-commit-hooks.yaml', '.github/workflows/release.yml', 'LICENSE'];
    for (const file of files) assert.ok(listed.split('\n').includes(file), file);
    assert.ok(listed.split('\n').every((file) => !/^(?:src|test|node_modules)\//u.test(file)));
    const manifest = JSON.parse(await git(published, ['show', `${tag}:package.json`])) as Record<string, unknown>;
    for (const absent of ['scripts', 'dependencies', 'devDependencies']) assert.equal(manifest[absent], undefined);
    assert.match(await git(published, ['ls-tree', tag, 'dist/cli.js']), /^100755 /u);
    // The same build makes the same tree, so that anyone can check it.
    assert.equal(await writeReleaseTree(published), await git(published, ['rev-parse', `${tag}^{tree}`]));
    await assert.rejects(tagRelease(published), /tag 'v.+' already exists/u);
  });

  const preCommit = process.env['PRE_COMMIT'] ?? 'pre-commit';
  const version = spawnSync(preCommit, ['--version'], { encoding: 'utf8' });
  const missing = version.status !== 0 && `there is no ${preCommit}`;

  it(
    'is installed by pre-commit without the network, and its hooks check and fix',
    { skip: missing, timeout: 300_000 },
    async (context) => {
      context.diagnostic(version.stdout.trim());
      const hooks = ['transcription-requests-fix', 'transcription-requests'];
      const config = [
        'repos:',
        `  - repo: ${published}`,
        `    rev: ${tag}`,
        '    hooks:',
        ...hooks.map((id) => `      - id: ${id}`),
      ];
      put('.pre-commit-config.yaml', config.join('\n'));
      const names = ['a b.transcription.json', '--rules=x.transcription.json', 'sub/!c.transcription.json'];
      for (const name of names) put(name, wrong);
      put('good.transcription.json', good);
      await git(project, ['add', '.']);
      // pre-commit prefers a Node that is called nodejs.
      const tools = join(folder, 'tools');
      mkdirSync(tools);
      for (const name of ['node', 'nodejs']) symlinkSync(process.execPath, join(tools, name));
      const run = () =>
        spawnSync(preCommit, ['run', '--all-files', '--verbose'], {
          cwd: project,
          encoding: 'utf8',
          env: {
            ...process.env,
            PATH: `${tools}:${process.env['PATH'] ?? ''}`,
            PRE_COMMIT_HOME: join(folder, 'cache'),
            npm_config_cache: join(folder, 'npm'),
            npm_config_offline: 'true',
            npm_config_registry: 'http://127.0.0.1:9/',
          },
        });
      const first = run();
      assert.equal(first.status, 1, first.stdout + first.stderr);
      for (const name of names) {
        assert.equal(read(name), fixed, first.stdout);
        assert.match(
          first.stdout,
          new RegExp(`^${name.replaceAll(/\./gu, String.raw`\$&`)}:2:16: error: .+ \\[schema/type\\]$`, 'mu'),
        );
      }
      assert.equal(read('good.transcription.json'), good);
      for (const name of names) put(name, good);
      await git(project, ['add', '.']);
      const second = run();
      assert.equal(second.status, 0, second.stdout + second.stderr);
      assert.match(second.stdout, /4 files checked; no problems/u);
    },
  );

  describe('is run by the action, which', () => {
    const released = join(folder, 'released');
    before(async () => {
      mkdirSync(released);
      await git(released, ['clone', '--quiet', '--branch', tag, published, '.']);
    });

    /** Runs the steps of the action as the runner does. */
    function runAction(given: Readonly<Record<string, string>>, prelude = '', path = released) {
      const action = readFileSync(join(path, 'action.yml'), 'utf8');
      const inputs = new Map(
        [...action.matchAll(/^ {2}([\w-]+):\n {4}description: .+\n {4}default: '?([^'\n]*)'?$/gmu)].map(
          ([, name = '', value = '']) => [name, given[name] ?? value],
        ),
      );
      assert.deepEqual([...inputs.keys()], ['files', 'service', 'max-warnings', 'sarif']);
      // The only step: nothing is installed, built or set up.
      assert.deepEqual(
        [...action.matchAll(/^ {4}- (.+)$/gmu)].map(([, step]) => step),
        ['name: Check request files'],
      );
      const environment: readonly (readonly [string, string])[] = [...action.matchAll(/^ {8}([A-Z_]+): (.*)$/gmu)].map(
        ([, name = '', value = '']) => [
          name,
          value
            .replace('${{ github.action_path }}', path)
            .replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/gu, (_, input: string) => inputs.get(input) ?? ''),
        ],
      );
      const [, script = ''] = action.split(/^ {6}run: \|\n/mu);
      // Inputs are data, which no shell may read as a part of a script.
      assert.doesNotMatch(script, /\$\{\{/u);
      return spawnSync(
        'bash',
        ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', prelude + script.replaceAll(/^ {8}/gmu, '')],
        {
          cwd: project,
          encoding: 'utf8',
          env: { ...process.env, ...Object.fromEntries(environment) },
        },
      );
    }

    const sarifOf = (name: string) =>
      JSON.parse(read(name)) as {
        readonly runs: readonly [
          {
            readonly results: readonly object[];
            readonly invocations: readonly [{ readonly executionSuccessful: boolean }];
          },
        ];
      };

    it('shows findings at their lines, and writes SARIF', () => {
      put('requests/a.transcription.json', wrong);
      put('other.transcription.json', wrong);
      const { status, stdout } = runAction({ files: 'requests\n\n', sarif: 'out/new/a.sarif' });
      assert.equal(status, 1);
      assert.match(stdout, /^::error file=requests\/a\.transcription\.json,line=2,/mu);
      assert.doesNotMatch(stdout, /other/u);
      const [{ results, invocations }] = sarifOf('out/new/a.sarif').runs;
      assert.deepEqual([results.length > 1, invocations[0].executionSuccessful], [true, true]);
      assert.equal(read('requests/a.transcription.json'), wrong);
    });

    it('succeeds without errors, and fails with more warnings than allowed', () => {
      put('a.transcription.json', good);
      assert.equal(runAction({ sarif: 'a.sarif' }).status, 0);
      assert.equal(sarifOf('a.sarif').runs[0].results.length, 0);
      put('a.transcription.json', fixed.replace('1', '"https://media.example.com/a.mp3"').replace('"fr"', '"en"'));
      assert.equal(runAction({}).status, 0);
      assert.equal(runAction({ 'max-warnings': '0' }).status, 1);
    });

    it('leaves no empty SARIF, and fails if something was not checked or written', () => {
      put('a.transcription.json', good);
      const unread = runAction({ files: 'a.transcription.json\nnone.json', sarif: 'a.sarif' });
      assert.deepEqual([unread.status, sarifOf('a.sarif').runs[0].invocations[0].executionSuccessful], [2, false]);
      assert.match(unread.stdout, /^::error title=Not checked::none\.json can't be read/mu);
      const misused = runAction({ service: 'acme', sarif: 'b.sarif' });
      assert.deepEqual([misused.status, existsSync(join(project, 'b.sarif'))], [2, false]);
      const unwritten = runAction({ sarif: 'a.transcription.json/a.sarif' });
      assert.deepEqual([unwritten.status, /a\.sarif can't be written/u.test(unwritten.stderr)], [2, true]);
    });

    it('takes inputs as data', () => {
      put('a.transcription.json', good);
      const { status } = runAction({
        files: '$(touch hacked)\n--rules=x\n`touch hacked`',
        service: 'auto; touch hacked',
      });
      assert.equal(status, 2);
      assert.ok(!existsSync(join(project, 'hacked')));
    });

    it('says what it needs, where there is no Node, an old one, or no release', () => {
      const old =
        'node() { "$REAL" -e "Object.defineProperty(process.versions, \'node\', { value: \'20.9.0\' }); $2"; }\n';
      for (const prelude of ['PATH=\n', old]) {
        const { status, stdout } = runAction({}, prelude.replace('$REAL', process.execPath));
        assert.deepEqual([status, /^::error::The action needs Node 22 or newer/mu.test(stdout)], [2, true]);
      }
      const unreleased = join(folder, 'unreleased');
      cpSync(released, unreleased, { recursive: true, filter: (path) => !path.endsWith('cli.js') });
      const { status, stdout } = runAction({}, '', unreleased);
      assert.deepEqual([status, /^::error::The action runs from the tag of a release/mu.test(stdout)], [2, true]);
    });
  });
});
