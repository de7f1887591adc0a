import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { keyVariable } from '../../../../src/connections/common/connection.ts';
import { formatCurl } from '../../../../src/connections/common/curl.ts';

const withShell = { skip: process.platform === 'win32' && 'The command is for a POSIX shell' };

/** A stand-in for curl that prints what it receives from the shell. */
const folder = mkdtempSync(join(tmpdir(), 'curl-'));
const fakeCurl = `#!${process.execPath}
const args = process.argv.slice(2);
const read = (option) => {
  const file = args[args.indexOf(option) + 1];
  return args.includes(option) ? require('node:fs').readFileSync(file === '@-' ? 0 : file.slice(1), 'utf8') : null;
};
const key = read('--header');
process.stdout.write(JSON.stringify({ args, key, body: read('--data-binary') }));`;
writeFileSync(join(folder, 'curl'), fakeCurl, { mode: 0o755 });
after(() => rmSync(folder, { recursive: true }));

function run(command: string): {
  readonly args: readonly string[];
  readonly key: string;
  readonly body: string | null;
} {
  const env = { PATH: `${folder}:${process.env['PATH']}`, [keyVariable]: `it's "$HOME"` };
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8', env })) as ReturnType<typeof run>;
}

const post = {
  method: 'POST',
  url: "https://api.example.com/v2/pre-recorded?a='$(id)'&b={1}",
  headers: { 'content-type': 'application/json' },
  keyHeader: 'x-service-key',
} as const;

test('the shell passes the exact request to curl', withShell, () => {
  const { args, key, body } = run(formatCurl({ ...post, body: '{"a": "$HOME `id` \\\\ \'"}' }));
  assert.deepEqual(args, [
    '--request',
    'POST',
    '--globoff',
    '--url',
    post.url,
    '--header',
    '@/dev/fd/3',
    '--header',
    'content-type: application/json',
    '--data-binary',
    '@-',
  ]);
  assert.equal(key, `x-service-key: it's "$HOME"\n`);
  assert.equal(body, '{"a": "$HOME `id` \\\\ \'"}\n');
});

test('any body is passed unchanged', withShell, () => {
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

test('without a body only the key is read', withShell, () => {
  const { args, key, body } = run(formatCurl({ ...post, method: 'GET', headers: {} }));
  assert.equal(body, null);
  assert.equal(key, `x-service-key: it's "$HOME"\n`);
  assert.equal(args[1], 'GET');
});

test('the key is in no argument, whatever the name of its header', withShell, () => {
  for (const keyHeader of ['x-service-key', 'x-$HOME-`id`', "x'key"]) {
    for (const request of [post, { ...post, body: '{}' }]) {
      const { args, key } = run(formatCurl({ ...request, keyHeader }));
      assert(!args.join('\n').includes("it's"), args.join(' '));
      assert.equal(key, `${keyHeader}: it's "$HOME"\n`);
    }
  }
});

test('the command names its shell and the variable of the key', () => {
  const [first] = formatCurl({ ...post, body: '{}' }).split('\n');
  assert.equal(first, `: 'For a POSIX shell such as sh, bash or zsh. The variable ${keyVariable} holds the key.'`);
});
