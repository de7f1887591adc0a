import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { LanguageClient } from '../../support/command/languageClient.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';

const script = join(repositoryRoot, 'dist/cli.js');

/** Maximum time of each piece of work, in milliseconds, on a machine that is busy with other tests. */
const maxMs = 20_000;

const terms = Array.from({ length: 85_000 }, (_, index) => ({
  value: `term ${index}`,
  pronunciations: ['a', 'b'],
  intensity: 0.9,
}));
/** A request with a finding for each term, and a safe fix of the first field. */
const request = {
  audio_url: 'https://media.example.com/a.mp3',
  language_config: { languages: ['en', 'en'] },
  custom_vocabulary: true,
  custom_vocabulary_config: { vocabulary: terms },
};
const text = JSON.stringify(request, undefined, 1);
const fixed = JSON.stringify({ ...request, language_config: { languages: ['en'] } }, undefined, 1);

/** Texts of ten megabytes, with a code that is reported about each. */
const texts: readonly (readonly [name: string, text: string, code: string])[] = [
  ['a request with many findings', text, 'vocabulary/intensity-range'],
  ['a request with a comment at its end', `${text}// end`, 'json/syntax'],
  ['a request without its end', text.slice(0, -1), 'json/syntax'],
  ['commas', ','.repeat(text.length), 'json/syntax'],
];

describe('Ten megabytes', () => {
  const { path: folder, remove } = temporaryFolder();
  const file = join(folder, 'long.transcription.json');
  after(remove);

  function run(...args: readonly string[]): string {
    const beganMs = performance.now();
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1024 * 1024 * 1024,
    });
    const tookMs = performance.now() - beganMs;
    assert.ok(status === 0 || status === 1, stderr);
    assert.ok(tookMs < maxMs, `${args.join(' ')} took ${Math.round(tookMs)} ms`);
    return stdout;
  }

  it('are the limit of files', () => assert.ok(text.length > 8_000_000 && text.length < 10 * 1024 * 1024));

  for (const [name, long, code] of texts) {
    it(`of ${name} are checked by the command within seconds`, () => {
      writeFileSync(file, long);
      for (const format of ['text', 'sarif']) assert.ok(run('check', '--format', format, '.').includes(code));
    });
  }

  it('are fixed by the command within seconds', () => {
    writeFileSync(file, text);
    run('fix', '.');
    assert.equal(readFileSync(file, 'utf8'), fixed);
  });

  for (const [name, long, code] of texts) {
    it(`of ${name} are checked by the server within seconds`, async () => {
      const client = await LanguageClient.start(script);
      const beganMs = performance.now();
      const { diagnostics } = await client.open('file:///long.transcription.json', long);
      const tookMs = performance.now() - beganMs;
      await client.stop();
      assert.ok(diagnostics.some((each) => each.code === code));
      assert.ok(tookMs < maxMs, `took ${Math.round(tookMs)} ms`);
    });
  }
});
