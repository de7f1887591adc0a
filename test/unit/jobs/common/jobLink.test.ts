import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatJobLink, extensionId, readJobLink, type LinkParts } from '../../../../src/jobs/common/jobLink.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const job = { kind: 'pre-recorded', id: '1a2b3c4d-0000', createdAtMs: Date.parse('2026-11-23T10:00:00.123Z') };
const origin = 'https://api.example.com';
const query = 'kind=pre-recorded&id=1a2b3c4d-0000&created=2026-11-23T10:00:00.123Z&origin=https://api.example.com';

/** Returns the parts of a link as the editor reads them: percent encoding is decoded once. */
function partsOf(link: string): LinkParts {
  const [, authority = '', path = '', written = ''] = /^[a-z-]+:\/\/([^/]*)([^?]*)\?(.*)$/.exec(link) ?? [];
  return { authority, path, query: decodeURIComponent(written), fragment: '' };
}

function read(changes: Partial<LinkParts>) {
  return readJobLink({ authority: extensionId, path: '/job', query, fragment: '', ...changes });
}

test('a link opens this extension and contains only kind, ID, creation time and origin', () => {
  assert.equal(formatJobLink(job, origin, 'vscode'), `vscode://${extensionId}/job?${query}`);
  const { publisher, name } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  assert.equal(extensionId, `${publisher}.${name}`);
  assert.deepEqual(read({}), { ...job, origin });
});

test('any ID survives a link, whatever its encoding', () => {
  const id = fc.oneof(
    fc.string({ minLength: 1, maxLength: 40, unit: anyCharacter }),
    fc.constantFrom('a&id=b', 'a=b', '%26', '%2526', '50%', 'a/b?c#d', 'é', '日本', 'a b', '+', "'", '👩‍💻'),
  );
  fc.assert(
    fc.property(id, fc.constantFrom('live', 'pre-recorded'), fc.integer({ min: 0, max: 4e12 }), (each, kind, at) => {
      const link = formatJobLink({ kind, id: each, createdAtMs: at }, origin, 'code-oss');
      if (link === undefined) return;
      assert.match(link, /^[\x21-\x7e]+$/);
      assert.deepEqual(readJobLink(partsOf(link)), { kind, id: each, createdAtMs: at, origin });
    }),
    { numRuns: propertyRuns },
  );
  for (const each of ['a&id=b', '%26', '日本', '👩‍💻']) {
    assert.notEqual(formatJobLink({ ...job, id: each }, origin, 'vscode'), undefined, each);
  }
});

test('a job that no link could identify has no link', () => {
  assert.equal(formatJobLink({ ...job, createdAtMs: undefined }, origin, 'vscode'), undefined);
  assert.equal(formatJobLink({ ...job, createdAtMs: 9e15 }, origin, 'vscode'), undefined);
  assert.equal(formatJobLink({ ...job, kind: 'batch' }, origin, 'vscode'), undefined);
  assert.equal(formatJobLink({ ...job, id: '\ud83d' }, origin, 'vscode'), undefined);
  assert.equal(formatJobLink({ ...job, id: 'é'.repeat(500) }, origin, 'vscode'), undefined);
  assert.equal(formatJobLink(job, 'http://api.example.com', 'vscode'), undefined);
});

const attacks: Readonly<Record<string, Partial<LinkParts>>> = {
  'another authority': { authority: 'transcription-jobs.transcription-job' },
  'an authority within another': { authority: `${extensionId}.example.com` },
  'another path': { path: '/submit' },
  'a path that goes up': { path: '/x/../job' },
  'a fragment': { fragment: 'x' },
  nothing: { query: '' },
  'a missing part': { query: query.replace(/&created=[^&]*/, '') },
  'a further part': { query: `${query}&key=1` },
  'a part twice': { query: query.replace('&created', '&id=b&created') },
  'parts in another order': { query: query.split('&').toReversed().join('&') },
  'an invalid kind': { query: query.replace('pre-recorded', 'batch') },
  'a kind with a further parameter': { query: query.replace('pre-recorded', 'pre-recorded%26offset%3D1') },
  'double encoding': { query: query.replace('1a2b', '%31a2b') },
  'a delimiter that is not encoded': { query: query.replace('1a2b', '1&a') },
  'an equals sign that is not encoded': { query: query.replace('1a2b', '1=a') },
  'broken encoding': { query: query.replace('1a2b', '%E0%A4-') },
  'an empty id': { query: query.replace('1a2b3c4d-0000', '') },
  'an id of white space': { query: query.replace('1a2b3c4d-0000', '%20') },
  'an id of several lines': { query: query.replace('1a2b3c4d-0000', 'a%0Ab') },
  'an id that reorders text': { query: query.replace('1a2b3c4d-0000', 'a%E2%80%AEb') },
  'an overlong id': { query: query.replace('1a2b3c4d-0000', 'a'.repeat(501)) },
  'an overlong link': { query: query.replace('1a2b3c4d-0000', '%C3%A9'.repeat(400)) },
  'markup in the id, not encoded': { query: query.replace('1a2b', '<img src=x>') },
  'an invalid time': { query: query.replace('2026-11-23T10:00:00.123Z', 'yesterday') },
  'a day that does not exist': { query: query.replace('11-23', '02-30') },
  'a time without milliseconds': { query: query.replace('.123Z', 'Z') },
  'a time of another zone': { query: query.replace('.123Z', '.123+01:00') },
  'a number for a time': { query: query.replace('2026-11-23T10:00:00.123Z', '1795428000123') },
  'a year beyond the range of Date': { query: query.replace('2026', '+275761') },
  'an origin with a user': { query: query.replace('api.', 'me:secret@api.') },
  'an origin that hides behind a user': { query: query.replace('api.example.com', 'api.example.com@evil.example') },
  'an origin with a path': { query: `${query}/v2` },
  'an origin with a slash': { query: `${query}/` },
  'an origin with a query': { query: `${query}?x` },
  'an origin with a default port': { query: `${query}:443` },
  'an origin with an invalid port': { query: `${query}:99999` },
  'an origin in capitals': { query: query.replace('api.example', 'API.example') },
  'an origin of http': { query: query.replace('https', 'http') },
  'an origin of another scheme': { query: query.replace('https', 'file') },
  'an origin without a scheme': { query: query.replace('https://', '') },
  'an origin with letters that look alike': { query: query.replace('api', 'арі') },
  'an origin with wide letters': { query: query.replace('api', 'ａｐｉ') },
  'an origin with a soft hyphen': { query: query.replace('api', 'a\u00adpi') },
  'an origin with a backslash': { query: query.replace('//', '/\\') },
  'an origin with white space': { query: `${query} ` },
  'a number for a host': { query: query.replace('https://api.example.com', 'http://2130706433') },
};

for (const [name, changes] of Object.entries(attacks)) {
  test(`a link with ${name} is rejected`, () => assert.equal(read(changes), undefined));
}

test('an origin differs from one with another scheme or port, and from its look-alike', () => {
  assert.equal(
    read({ query: query.replace('https://api.example.com', 'http://localhost:8080') })?.origin,
    'http://localhost:8080',
  );
  assert.equal(read({ query: `${query}:8443` })?.origin, 'https://api.example.com:8443');
  assert.equal(read({ query: query.replace('api', 'xn--80ak6aa92e') })?.origin, 'https://xn--80ak6aa92e.example.com');
});

test('an ID that is not encoded is never read as another ID', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: anyCharacter }), (text) => {
      const link = read({ query: `kind=live&id=${text}&created=2026-11-23T10:00:00.123Z&origin=${origin}` });
      if (link !== undefined) assert.equal(encodeURIComponent(link.id), text);
    }),
    { numRuns: propertyRuns },
  );
});
