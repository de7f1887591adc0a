import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isFailure } from '../../../../src/base/failure.ts';
import { resolveRedirect } from '../../../../src/platform/http/redirect.ts';

const from = new URL('https://api.example.com/v2/live?limit=1');
const target = (
  location: string | undefined,
  status = 302,
  visited: readonly string[] = [from.href],
): string | undefined =>
  resolveRedirect({ status, headers: { location }, text: '', isCut: false }, from, new Set(visited))?.href;

suite('resolveRedirect', () => {
  test('follows within the origin', () => {
    assert.equal(target('/v3/live?limit=1'), 'https://api.example.com/v3/live?limit=1');
    assert.equal(target('pre-recorded#here'), 'https://api.example.com/v2/pre-recorded');
    assert.equal(target('https://API.example.com:443/a'), 'https://api.example.com/a');
  });

  test('removes a user name and a password', () => {
    assert.equal(target('https://user:password@api.example.com/a'), 'https://api.example.com/a');
  });

  test('returns nothing for other responses', () => {
    for (const status of [300, 304, 305, 400, 500]) assert.equal(target('/elsewhere', status), undefined);
  });

  const refused = [
    'http://api.example.com/',
    'https://api.example.com:444/',
    '//example.com/',
    'javascript:0',
    'https://',
    '',
    undefined,
  ];
  for (const location of refused) {
    test(`rejects ${location}`, () =>
      assert.throws(
        () => target(location),
        (error) => isFailure(error, 'redirected'),
      ));
  }

  test('rejects a visited URL, and the fourth redirect in a row', () => {
    assert.throws(
      () => target(`${from.href}#again`),
      (error) => isFailure(error, 'redirected'),
    );
    assert.equal(target('/d', 302, [from.href, 'b', 'c']), 'https://api.example.com/d');
    assert.throws(
      () => target('/e', 302, [from.href, 'b', 'c', 'd']),
      (error) => isFailure(error, 'redirected'),
    );
  });
});
