import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commandFiles } from '../../../media/package/commandPackage.ts';
import { runCli } from '../../../src/cli/runCli.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { schemaErrors } from '../language/schemaCheck.ts';

describe('The package of the command', () => {
  it('consists of files that exist after the build', () => {
    assert.deepEqual(
      Object.values(commandFiles).filter((file) => !existsSync(file)),
      [],
    );
  });

  it('has a problem matcher that matches its output', async (t) => {
    const { path: folder, remove } = temporaryFolder();
    t.after(remove);
    mkdirSync(join(folder, 'requests'));
    writeFileSync(join(folder, 'requests/wrong.transcription.json'), '{\n  "audio_url": 1\n}\n');
    let out = '';
    await runCli(['check'], {
      folder,
      version: '',
      check: schemaErrors,
      now: () => 0,
      env: {},
      out: { write: (written) => (out += written) },
      complaints: { write: () => undefined },
      isTerminal: false,
    });
    const { problemMatcher } = JSON.parse(readFileSync(commandFiles['problem-matcher.json'] ?? '', 'utf8')) as {
      readonly problemMatcher: readonly [{ readonly pattern: readonly [{ readonly regexp: string }] }];
    };
    const found = new RegExp(problemMatcher[0].pattern[0].regexp, 'u').exec(out.split('\n')[0] ?? '')?.slice(1);
    assert.deepEqual(found?.slice(0, 4), ['requests/wrong.transcription.json', '2', '16', 'error']);
    assert.equal(found.at(-1), 'schema/type');
  });

  it('is described in recipes that refer to existing hooks, inputs and files', () => {
    const page = readFileSync('docs/command.md', 'utf8');
    const hooks = readFileSync('.pre-commit-hooks.yaml', 'utf8');
    for (const [, id = ''] of page.matchAll(/^ {6}- id: (.+)$/gmu)) assert.ok(hooks.includes(`- id: ${id}\n`), id);
    const inputs = /uses: OWNER\/transcription-jobs@.+\n {4}with:\n((?: {6}.+\n)+)/u.exec(page)?.[1] ?? '';
    const named = [...inputs.matchAll(/^ {6}([\w-]+):/gmu)].map(([, name]) => name ?? '');
    assert.ok(named.length > 2);
    const action = readFileSync('action.yml', 'utf8').split('\nruns:')[0] ?? '';
    for (const name of named) assert.match(action, new RegExp(`^ {2}${name}:$`, 'mu'));
    assert.ok(page.includes(`transcription-requests-${manifestVersion()}.tgz`));
  });
});

function manifestVersion(): string {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }).version;
}
