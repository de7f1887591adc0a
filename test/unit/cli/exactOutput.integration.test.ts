import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { runCli } from '../../../src/cli/runCli.ts';
import { gateRequest } from '../../../src/domain/request/check.ts';
import { disturbingInLine, hostileText } from '../../support/hostile/hostileText.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { schemaErrors } from '../domain/request/schemaCheck.ts';

const { path: folder, remove } = temporaryFolder();
after(remove);

/** What the command writes about a text. */
async function run(text: string, given: readonly string[], name: string, isShown = false): Promise<string> {
  writeFileSync(join(folder, name), text);
  let out = '';
  await runCli([...given, name], {
    folder,
    version: '',
    check: schemaErrors,
    now: () => 0,
    out: { write: (written) => (out += written) },
    complaints: { write: () => undefined },
    isShown,
  });
  return out;
}

/** Requests with all that disturbs, and with something to fix, in lines of one kind. */
const hostileRequest = fc
  .record({
    notes: fc.dictionary(hostileText, hostileText, { maxKeys: 4 }),
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
    // Members and elements with their characters as they are, as far as JSON allows.
    const json = JSON.stringify(body, undefined, indent).replace(/^\{/u, '{/* C */');
    return mark + `${json}${end}`.replaceAll('\n', lineBreak).replace('C', () => comment);
  });

test('the preview holds the request that would be sent, and nothing that disturbs or commands', async () => {
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
    // Fewer: each runs the whole command on a file.
    { numRuns: Math.min(propertyRuns, 40) },
  );
});

test('the diff makes of the file exactly what fixing makes of it', async () => {
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
    // Fewer: each runs Git.
    { numRuns: 40 },
  );
});
