import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { keyVariable } from '../../../../src/domain/connection/connection.ts';
import { formatCurl } from '../../../../src/domain/request/curl.ts';

const withShell = { skip: process.platform === 'win32' && 'The command is for a POSIX shell' };

/** A stand-in for curl that prints what the shell gives it. */
const folder = mkdtempSync(join(tmpdir(), 'curl-'));
const fakeCurl = `#!${process.execPath}
const args = process.argv.slice(2);
const body = args.includes('@-') ? require('node:fs').readFileSync(0, 'utf8') : null;
process.stdout.write(JSON.stringify({ args, body }));`;
writeFileSync(join(folder, 'curl'), fakeCurl, { mode: 0o755 });
after(() => rmSync(folder, { recursive: true }));

function run(command: string): { readonly args: readonly string[]; readonly body: string | null } {
  const env = { PATH: `${folder}:${process.env['PATH']}`, [keyVariable]: `it's "$HOME"` };
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8', env })) as ReturnType<typeof run>;
}

const post = {
  method: 'POST',
  url: "https://api.example.com/v2/pre-recorded?a='$(id)'&b={1}",
  headers: { 'content-type': 'application/json' },
  keyHeader: 'x-service-key',
} as const;

test('the shell gives curl exactly what was meant', withShell, () => {
  const { args, body } = run(formatCurl({ ...post, body: '{"a": "$HOME `id` \\\\ \'"}' }));
  assert.deepEqual(args, [
    '--request',
    'POST',
    '--globoff',
    '--url',
    post.url,
    '--header',
    `x-service-key: it's "$HOME"`,
    '--header',
    'content-type: application/json',
    '--data-binary',
    '@-',
  ]);
  assert.equal(body, '{"a": "$HOME `id` \\\\ \'"}\n');
});

test('a body survives whatever it holds', withShell, () => {
  const line = fc.oneof(fc.string(), fc.constantFrom('JSON', 'JSON_', '$(id)', "'", '\\', ''));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const body = JSON.stringify(lines, null, 1).replaceAll(/^ "(.*)",?$/gmu, '$1');
      assert.equal(run(formatCurl({ ...post, body })).body, `${body}\n`);
    }),
    // Fewer: each starts a shell and a Node.
    { numRuns: 20 },
  );
});

test('without a body nothing is read', withShell, () => {
  const { args, body } = run(formatCurl({ ...post, method: 'GET', headers: {} }));
  assert.equal(body, null);
  assert.equal(args[1], 'GET');
});
