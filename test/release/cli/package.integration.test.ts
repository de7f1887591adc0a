import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commandFiles } from '../../../media/package/commandPackage.ts';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';

describe('The package of the command', () => {
  let command: InstalledCommand;
  before(async () => {
    command = await installCommand();
    mkdirSync(join(command.folder, 'requests'));
    writeFileSync(join(command.folder, 'requests/wrong.transcription.json'), wrong);
  });
  after(() => command.remove());
  const wrong = '{\n  "audio_url": 1,\n  "language_config": { "languages": ["en", "en"] }\n}\n';

  /** Runs a command line as a shell would in the folder, where the command is among the tools. */
  function run(line: string, input = '') {
    const bin = join(command.folder, 'node_modules/.bin');
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    return spawnSync('bash', ['-e', '-c', line], { cwd: command.folder, encoding: 'utf8', input, env });
  }

  it('holds what it needs, a licence and how to use it, and nothing else', () => {
    const installed = readdirSync(join(command.folder, 'node_modules'));
    assert.deepEqual(
      installed.filter((name) => !name.startsWith('.')),
      ['transcription-requests'],
    );
    const root = join(command.folder, 'node_modules/transcription-requests');
    assert.deepEqual(readdirSync(root).sort(), [...Object.keys(commandFiles), 'README.md', 'package.json'].sort());
    assert.match(readFileSync(join(root, 'README.md'), 'utf8'), /^# transcription-requests\n\nThe command /u);
    const schema = readFileSync(join(root, 'request.schema.json'), 'utf8');
    assert.deepEqual(JSON.parse(schema), JSON.parse(run('transcription-requests schema').stdout));
  });

  it('runs by its name, and ends as a script wants it', () => {
    const found = run('transcription-requests check');
    assert.equal(found.status, 1);
    assert.match(found.stdout, /^requests\/wrong\.transcription\.json:2:16: error: .+ \[schema\/type\]$/mu);
    assert.equal(run('transcription-requests check requests/none.json').status, 2);
    assert.equal(run('transcription-requests --version').stdout.trim(), manifestVersion());
  });

  it('reads standard input, and writes what it fixed there', () => {
    assert.match(run('transcription-requests check -', wrong).stdout, /^stdin:2:16: error/mu);
    assert.equal(run('transcription-requests fix -', wrong).stdout, wrong.replace('"en", "en"', '"en"'));
    assert.equal(run('transcription-requests check -', '{"audio_url": "https://media.example.com/a.mp3"}').status, 0);
  });

  it('ends quietly when nobody reads on', () => {
    const { stderr, status } = run('set -o pipefail; transcription-requests schema | head -c 1 > first; cat first');
    assert.deepEqual([stderr, status], ['', 0]);
  });

  it('does what the hooks of pre-commit run', () => {
    const hooks = readFileSync('.pre-commit-hooks.yaml', 'utf8');
    const entries = [...hooks.matchAll(/^ {2}entry: (.+)$/gmu)].map(([, entry]) => entry ?? '');
    const [files] = /(?<=^ {2}files: ).+$/mu.exec(hooks) ?? [];
    assert.deepEqual(entries, ['transcription-requests check', 'transcription-requests fix']);
    const named = 'requests/hooked.transcription.json';
    assert.match(named, new RegExp(files ?? '^(?!)', 'u'));
    writeFileSync(join(command.folder, named), wrong);
    assert.deepEqual(
      entries.map((entry) => run(`${entry} ${named}`).status),
      [1, 1],
    );
    assert.equal(readFileSync(join(command.folder, named), 'utf8'), wrong.replace('"en", "en"', '"en"'));
  });

  it('does what the action runs: annotations, and SARIF for the upload', () => {
    const action = readFileSync('action.yml', 'utf8');
    const script = action.split(/^ {6}run: \|\n/mu).at(-1) ?? '';
    assert.match(script, /--format github/u);
    // Inputs are data, which no shell may read as a part of a script.
    for (const [, step = ''] of action.matchAll(/run: \|\n((?: {8}.*\n)+)/gu)) assert.doesNotMatch(step, /\$\{\{/u);
    const inputs = {
      CLI: command.script,
      FILES: 'requests\n\n',
      SERVICE: 'none',
      MAX_WARNINGS: '0',
      SARIF: 'out.sarif',
    };
    const settings = Object.entries(inputs).map(
      ([name, value]) => `export ${name}=$'${value.replaceAll('\n', '\\n')}'\n`,
    );
    const { stdout, status } = run(settings.join('') + script.replaceAll(/^ {8}/gmu, ''));
    assert.equal(status, 1);
    assert.match(stdout, /^::error file=requests\/wrong\.transcription\.json,line=2,/mu);
    const sarif = JSON.parse(readFileSync(join(command.folder, 'out.sarif'), 'utf8')) as { readonly version: string };
    assert.equal(sarif.version, '2.1.0');
  });
});

function manifestVersion(): string {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }).version;
}
