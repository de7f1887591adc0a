import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodePage } from '../../../../src/jobs/common/decodePage.ts';
import { extractWords } from '../../../../src/base/outsideText.ts';
import { isFailure } from '../../../../src/base/failure.ts';
import { preRecordedItem } from '../../../support/builders/jobItem.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const pageUrl = 'https://elsewhere.example/v2/transcription?offset=0&limit=20';
const page = (items: readonly unknown[], next: unknown = null): string =>
  JSON.stringify({ first: pageUrl, current: pageUrl, next, items });

test('entries keep the order and the bytes of their page', () => {
  const first = '{"id":"a",  "error_code": 12345678901234567890, "note":"}]\\"",\n"id":"b"}';
  const decoded = decodePage(
    `{"items":[ ${first} , null,[1,[2]],"x\\"]" ],"next":null,"first":"","current":""}`,
    'live',
  );
  assert.deepEqual(
    decoded.entries.map((entry) => entry.raw),
    [first, 'null', '[1,[2]]', '"x\\"]"'],
  );
  const [job] = decoded.entries;
  assert.equal(job?.type === 'job' && job.id, 'b');
});

test('only null as the next link marks the last page; any other value may mean more items', () => {
  for (const next of [true, false, 0, 7, '', {}, [], { href: pageUrl }]) {
    assert.equal(decodePage(page([], next), 'live').hasMore, true, JSON.stringify(next));
  }
  assert.equal(decodePage('{"first":"","current":"","items":[]}', 'live').hasMore, true, 'missing');
  assert.equal(decodePage(page([], pageUrl), 'live').hasMore, true);
  assert.equal(decodePage(page([]), 'live').hasMore, false);
  assert.deepEqual(decodePage('{"items":[],"next":7}', 'live').deviations, [
    { path: 'first', kind: 'missing' },
    { path: 'current', kind: 'missing' },
    { path: 'next', kind: 'wrongType' },
  ]);
});

test('items beyond the limit are left for the next page, even if the service marks this page as the last', () => {
  const items = ['a', 'b', 'c'].map((id) => preRecordedItem({ id }));
  const cut = decodePage(page(items), 'pre-recorded', { limit: 2 });
  assert.deepEqual([cut.entries.length, cut.hasMore], [2, true]);
  assert.deepEqual(cut.deviations, [{ path: 'items', kind: 'tooMany' }]);
  assert.equal(decodePage(page(items), 'pre-recorded', { limit: 3 }).hasMore, false);
});

test('the same deviation in many items is reported once', () => {
  const items = Array.from({ length: 50 }, (_, index) =>
    preRecordedItem({ id: `job-${index}`, error_code: 1, extra: 1 }),
  );
  assert.deepEqual(decodePage(page(items), 'pre-recorded').deviations, [{ path: 'items[].*', kind: 'unknownField' }]);
});

test('a text that is not JSON and JSON that is not a page fail with different codes', () => {
  const fails = (text: string, code: 'notJson' | 'unexpectedShape') =>
    assert.throws(
      () => decodePage(text, 'live'),
      (error) => isFailure(error, code),
    );
  for (const text of ['', '<html>', '{"items":[', 'nul']) fails(text, 'notJson');
  for (const text of ['null', '[]', '7', '{}', '{"items":null}', '{"items":{}}']) fails(text, 'unexpectedShape');
});

test('a hundred thousand levels do not exhaust the stack', () => {
  const deep = `{"id":"deep","custom_metadata":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
  const { entries } = decodePage(`{"first":"","current":"","next":null,"items":[${deep}]}`, 'live');
  assert.equal(entries[0]?.raw, deep);
});

test('extractWords returns the visible text of markup', () => {
  assert.equal(
    extractWords(
      '<html><head><title>x</title></head><body><script>evil()</script><h1>Please&nbsp;sign in</h1>\n<p>here',
    ),
    'Please&nbsp;sign in here',
  );
  assert.equal(extractWords('w'.repeat(500)).length, 120);
  assert.equal(extractWords('<p>a\u202eb\u001b[2Jc</p>'), 'a b [2Jc');
});

test('property: each entry keeps its exact text of the page', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (items, indent) => {
      const text = JSON.stringify(
        { 'items"': [1], items: [0], first: '', next: null, current: '' },
        null,
        indent,
      ).replace(/\[\s*0\s*\]/, () => JSON.stringify(items, null, indent));
      const { entries } = decodePage(text, undefined);
      assert.equal(entries.length, items.length);
      for (const [index, entry] of entries.entries()) {
        assert.ok(text.includes(entry.raw));
        assert.deepEqual(JSON.parse(entry.raw), JSON.parse(JSON.stringify(items[index])));
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('links of a page that are not strings are reported', () => {
  for (const [link, kind] of [
    [null, 'null'],
    [true, 'wrongType'],
    [7, 'wrongType'],
    [{}, 'wrongType'],
  ] as const) {
    const { deviations } = decodePage(JSON.stringify({ first: link, current: 'c', next: null, items: [] }), 'live');
    assert.deepEqual(deviations, [{ path: 'first', kind }]);
  }
});
