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
const read = (name, file) => (args.includes(name) ? require('node:fs').readFileSync(file, 'utf8') : null);
process.stdout.write(JSON.stringify({ args, headers: read('@-', 0), body: read('@/dev/fd/3', 3) }));`;
writeFileSync(join(folder, 'curl'), fakeCurl, { mode: 0o755 });
after(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly args: readonly string[];
  readonly headers: string | null;
  readonly body: string | null;
}

function run(command: string): Given {
  const env = { PATH: `${folder}:${process.env['PATH']}`, [keyVariable]: `it's "$HOME"` };
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8', env })) as Given;
}

const post = {
  method: 'POST',
  url: "https://api.example.com/v2/pre-recorded?a='$(id)'&b={1}",
  headers: { 'content-type': 'application/json' },
  keyHeader: 'x-service-key',
} as const;

test('the shell gives curl exactly what was meant', withShell, () => {
  const { args, headers, body } = run(formatCurl({ ...post, body: '{"a": "$HOME `id` \\\\ \'"}' }));
  assert.deepEqual(args, [
    '--request',
    'POST',
    '--globoff',
    '--url',
    post.url,
    '--header',
    '@-',
    '--header',
    'content-type: application/json',
    '--data-binary',
    '@/dev/fd/3',
  ]);
  // The key is in no argument, which anybody on the machine can read.
  assert.equal(headers, `x-service-key: it's "$HOME"\n`);
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
