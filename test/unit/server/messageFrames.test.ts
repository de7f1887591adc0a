import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { MessageFrames } from '../../../src/server/messageFrames.ts';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';
import { RawServer } from '../../support/command/rawServer.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { measureSlowness, threadMs } from '../../support/hostile/hostileGuard.ts';

const framed = (content: string): string => `Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`;

/** Passes chunks through the frames. @returns what comes out, and how often something was dropped */
async function pass(chunks: readonly (string | Buffer)[]): Promise<{ readonly out: string; readonly lost: number }> {
  let lost = 0;
  const frames = new MessageFrames(() => lost++);
  for (const chunk of chunks) frames.write(chunk);
  frames.end();
  return { out: Buffer.concat(await frames.toArray()).toString(), lost };
}

describe('The frames of messages', () => {
  it('pass unchanged, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 8 }),
        async (contents, cuts) => {
          const whole = Buffer.from(contents.map(framed).join(''));
          const chunks: Buffer[] = [];
          let at = 0;
          for (const cut of cuts) {
            chunks.push(whole.subarray(at, at + cut));
            at += cut;
          }
          chunks.push(whole.subarray(at));
          assert.deepEqual(await pass(chunks.filter(({ length }) => length > 0)), { out: whole.toString(), lost: 0 });
        },
      ),
      { numRuns: propertyRuns },
    );
  });

  it('may have further headers, in any order and case', async () => {
    const headers = [
      'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n',
      'content-length:2\r\nX-Other: 1\r\n\r\n',
      'CONTENT-LENGTH: \t2 \r\n\r\n',
    ];
    for (const each of headers) assert.deepEqual(await pass([`${each}{}`]), { out: framed('{}'), lost: 0 });
  });

  it('are found again after anything else', async () => {
    const garbage = [
      'hello\r\n',
      '\r\n\r\n\r\n',
      '{"jsonrpc":"2.0"}',
      'Content-Length: \r\n\r\n{}',
      'Content-Length: -5\r\n\r\n{}',
      'Content-Length: 2.5\r\n\r\n{}',
      'Content-Length: 0x10\r\n\r\n{}',
      'Content-Length: 12abc\r\n\r\n{}',
      'Content-Length: 1e3\r\n\r\n{}',
      'Content-Length: 2, 2\r\n\r\n{}',
      'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      'Content-Length: 99999999999\r\n\r\n{}',
      `Content-Length: ${'9'.repeat(400)}\r\n\r\n{}`,
      'Content-Length: 2\n\n{}',
      'Content-Typo: 2\r\n\r\n{}',
      'Content-Length',
      `X: ${'y'.repeat(100_000)}`,
      '\u0000'.repeat(5000),
      'Content-Length:'.repeat(3000),
    ];
    for (const each of garbage) {
      const { out, lost } = await pass([each, framed('{"a":1}')]);
      const bytes = Array.from(Buffer.from(`${each.slice(0, 5000)}${framed('{"a":1}')}`), (byte) =>
        Buffer.from([byte]),
      );
      assert.equal((await pass(bytes)).out, framed('{"a":1}'), `${each.slice(0, 60)}, byte by byte`);
      assert.equal(out, framed('{"a":1}'), each.slice(0, 60));
      // A line before valid headers may be one of them.
      assert.equal(lost, each === 'hello\r\n' ? 0 : 1, each.slice(0, 60));
    }
  });

  it('take time in proportion to what was dropped', async () => {
    const before = threadMs();
    await pass(Array.from({ length: 160 }, () => 'Content-Length: x\r\n\r\n'.repeat(3000)));
    const neededMs = threadMs() - before;
    // 9 MB.
    assert.ok(neededMs < 5000 * measureSlowness(), `${neededMs} ms`);
  });
});

describe('A server that gets bytes that are no messages', () => {
  let command: InstalledCommand;
  before(async () => {
    command = await installCommand();
  });
  after(() => command.remove());

  it('answers the message after them', async () => {
    const server = new RawServer(command.script);
    server.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await server.initialize();
    const uri = 'file:///a.transcription.json';
    for (const bytes of [
      'x',
      '\r\n\r\n',
      'Content-Length: 9999999999999\r\n\r\n{',
      'Content-Length: nine\r\n\r\n{"id":1}',
    ]) {
      server.write(bytes);
      assert.deepEqual(await server.open(uri, '{', 1), ['json/syntax'], bytes);
    }
    // One byte too many and one too few: the next message is whole.
    for (const change of [1, -1]) {
      const content = JSON.stringify({ jsonrpc: '2.0', method: 'x' });
      server.write(`Content-Length: ${content.length + change}\r\n\r\n${content}`);
      server.send({ method: 'lost' });
      assert.deepEqual(await server.open(uri, '{', 1), ['json/syntax']);
    }
    assert.equal(await server.stop(), 0);
  });
});
