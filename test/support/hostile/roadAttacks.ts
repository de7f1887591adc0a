import { brotliCompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib';
import {
  asJson,
  blocks,
  filled,
  itemText,
  megabyte,
  memory,
  pageAround,
  type HostileAnswer,
  type HostilePromise,
  type HostileReply,
} from './hostileAnswer.ts';

const ends = 'ends within its bounds';
const elsewhere = 'goes to no other origin';
const line = 'one line';

/** Headers, framing, redirects and encodings that misuse HTTP itself. */
export function roadAttacks(): readonly HostileAnswer[] {
  return [...hugeHeaders(), ...redirects(), ...waits(), ...bombs(), ...brokenFraming()];
}

function* hugeHeaders(): Generator<HostileAnswer> {
  for (const name of [
    'x-anything',
    'location',
    'retry-after',
    'content-type',
    'x-request-id',
    'date',
    'link',
    'set-cookie',
  ]) {
    yield road(`2 MB in the header ${name}`, blocks, () => ({
      status: name === 'location' ? 302 : 429,
      headers: [[name, 'a'.repeat(2 * megabyte)]],
      body: ['{}'],
    }));
  }
  const many = Array.from({ length: 20_000 }, (_, index) => [`x-${index}`, 'value'] as const);
  yield road('20,000 headers', blocks, () => ({ status: 400, headers: many, body: ['{}'] }));
  yield road('1 MB as reason', blocks, () => ({ status: 400, reason: 'No'.repeat(megabyte / 2), body: ['{}'] }));
  yield road('escape sequences as reason', line, () => ({
    status: 400,
    reason: '\u001b[31mForged\u009b0m',
    body: ['{}'],
  }));
  yield road('escape sequences in headers', line, () => ({
    status: 429,
    headers: [
      ['x-request-id', 'a\u009b31mforged'],
      ['retry-after', '0\u009b2J'],
    ],
    body: ['{}'],
  }));
}

function* redirects(): Generator<HostileAnswer> {
  const targets: Readonly<Record<string, (baseUrl: string, key: string) => string>> = {
    itself: (baseUrl) => `${baseUrl}/v2/pre-recorded`,
    'another origin': () => 'https://evil.example/v2/pre-recorded',
    'another port': (baseUrl) => baseUrl.replace(/:\d+/u, ':9'),
    'this origin with userinfo': (baseUrl, key) => baseUrl.replace('://', `://user:${key}@`),
    'a file': () => 'file:///etc/passwd',
    'a command': () => 'command:workbench.action.quit',
    'another spelling of this host': (baseUrl) => baseUrl.replace('127.0.0.1', '2130706433'),
    'a host without scheme': () => '//evil.example/v2',
    'no address': () => 'http://[',
  };
  for (const [where, target] of Object.entries(targets)) {
    for (const status of [302, 307]) {
      yield road(`a redirect ${status} to ${where}`, elsewhere, ({ baseUrl, key }) => ({
        status,
        headers: [['location', target(baseUrl, key)]],
        body: [],
      }));
    }
  }
}

function* waits(): Generator<HostileAnswer> {
  for (const after of [
    '99999999999999999999',
    '-1',
    '1e9',
    'NaN',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    '2147483648',
    '0',
  ]) {
    yield road(`Retry-After of ${after}`, ends, () => ({
      status: 429,
      headers: [['retry-after', after]],
      body: ['{}'],
    }));
  }
  yield road('a byte now and then, for ever', ends, () => ({
    status: 200,
    headers: asJson,
    body: endless(' '),
    pauseMs: 200,
  }));
  yield road('blanks without end', ends, () => ({ status: 200, headers: asJson, body: endless(' '.repeat(65_536)) }));
  yield road('a refusal without end', ends, () => ({
    status: 400,
    headers: asJson,
    body: endless('No. '.repeat(16_384)),
  }));
  yield road('a page without end', ends, () => ({
    status: 200,
    headers: asJson,
    body: pageAround(endless(`${itemText(1)},`.repeat(400))),
  }));
  yield road('headers without end', ends, () => raw(endlessHeaders()));
  yield road('provisional answers without end', ends, () =>
    raw(endless('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n')),
  );
}

function* bombs(): Generator<HostileAnswer> {
  const made: Record<string, readonly Uint8Array[]> = {};
  const encodings: Readonly<Record<string, () => readonly Uint8Array[]>> = {
    gzip: () => members(gzipSync(blanks())),
    // Blocks end on byte boundaries, so they can be repeated; the final checksum is missing.
    deflate: () => [
      Buffer.from([0x78, 0x01]),
      ...members(deflateRawSync(blanks(), { finishFlush: constants.Z_FULL_FLUSH })),
      Buffer.from([0x03, 0x00]),
    ],
    br: () => [
      brotliCompressSync(Buffer.alloc(256 * megabyte, 0x20), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
    'gzip, gzip': () => [gzipSync(Buffer.concat(members(gzipSync(blanks()))))],
  };
  for (const [encoding, body] of Object.entries(encodings)) {
    for (const status of [200, 400]) {
      yield road(`blanks in ${encoding}, status ${status}`, memory, () => ({
        status,
        headers: [...asJson, ['content-encoding', encoding]],
        body: (made[encoding] ??= body()),
      }));
    }
  }
  yield road('an encoding that nobody knows', ends, () => ({
    status: 200,
    headers: [['content-encoding', 'x-none']],
    body: ['{}'],
  }));
  yield road('gzip that is none', ends, () => ({
    status: 200,
    headers: [['content-encoding', 'gzip']],
    body: ['{"items":[]}'],
  }));
}

/** 16 MiB that compress to a thousandth. */
function blanks(): Buffer {
  return Buffer.alloc(16 * megabyte, 0x20);
}

/** About 10⁹ spaces: compressed data can be repeated. */
function members(compressed: Buffer): readonly Buffer[] {
  return Array.from({ length: 64 }, () => compressed);
}

function* brokenFraming(): Generator<HostileAnswer> {
  const texts: Readonly<Record<string, string>> = {
    'a length that is too large': 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n{"items":[]',
    'a length that is too small': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{"items":[],"next":null}',
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 24\r\n\r\n{"items":[],"next":null}',
    'a length beyond all numbers': 'HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\n{}',
    'a chunk beyond all numbers': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n',
    'no HTTP': 'SSH-2.0-OpenSSH_9.6\r\n',
    'a status of four digits': 'HTTP/1.1 2000 OK\r\n\r\n{}',
    'a status that is no number': 'HTTP/1.1 abc OK\r\n\r\n{}',
    'a switch of protocols':
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n\u0000\u0001',
    'an answer twice': 'HTTP/1.1 400 No\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
  };
  for (const [what, text] of Object.entries(texts)) yield road(what, ends, () => raw([text]));
}

function* endless(text: string): Generator<string> {
  for (;;) yield text;
}

function* endlessHeaders(): Generator<string> {
  yield 'HTTP/1.1 200 OK\r\n';
  for (const piece of filled(Number.MAX_SAFE_INTEGER, 'x-a: b\r\n')) yield piece;
}

function raw(body: Iterable<string>): HostileReply {
  return { status: 0, body, framing: 'raw' };
}

function road(name: string, attacks: HostilePromise, reply: HostileAnswer['reply']): HostileAnswer {
  return { name, attacks, to: 'both', weight: attacks === memory ? 'heavy' : 'light', reply };
}
