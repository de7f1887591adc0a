import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(
      files.map(({ parentPath, name }) => relative(root, join(parentPath, name))).sort(),
      [...Object.keys(commandFiles), 'README.md', 'package.json'].sort(),
    );
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    assert.match(readme, /^# transcription-requests\n\nThe command [^]+\n## In other editors\n/u);
    assert.doesNotMatch(readme, /\.md\)/u);
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
});

function manifestVersion(): string {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }).version;
}
