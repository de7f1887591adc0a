import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { runTool, type ToolResult } from '../../support/editor/runTool.ts';
import { UsageError } from '../../support/run/runMain.ts';
import { readStartArguments } from '../../support/start/startArguments.ts';

test('no argument means any port and the sample service as it is', () => {
  assert.deepEqual(readStartArguments([]), { help: false, port: 0, incident: false, desktop: false });
});

test('every argument is understood', () => {
  const args = ['--port', '8080', '--jobs=500', '--incident', '--desktop', '--help'];
  assert.deepEqual(readStartArguments(args), { help: true, port: 8080, jobs: 500, incident: true, desktop: true });
});

const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['an unknown option', ['--fast'], /^Unknown option '--fast'; "npm start -- --help" lists what there is\.$/],
  ['a surplus word', ['fast'], /^Unexpected argument 'fast'; "npm start -- --help" lists what there is\.$/],
  ['a port without a number', ['--port'], /^Option '--port <value>' argument missing; /],
  ['a port that is none', ['--port', '70000'], /^--port takes a whole number from 1 to 65535, not "70000"\.$/],
  ['jobs that are no number', ['--jobs', 'many'], /^--jobs takes a whole number from 0 to 100000, not "many"\.$/],
];
for (const [what, args, line] of refused) {
  test(`${what} is refused in one line`, () => {
    assert.throws(
      () => readStartArguments(args),
      (error) => {
        assert(error instanceof UsageError);
        assert.match(error.message, line);
        return true;
      },
    );
  });
}

test('a port in use is refused in one line before anything is built', async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const result = await start(['--port', String(port)]);
  assert.equal(result.code, 1);
  assert.equal(result.stderr, `Port ${port} is in use: stop what listens there, or choose another with --port.\n`);
  assert.equal(result.stdout, '');
});

function start(args: readonly string[]): Promise<ToolResult> {
  return runTool(process.execPath, ['test/support/start/start.ts', ...args], { cwd: repositoryRoot });
}
