import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ParameterError } from '../../../../../src/base/failure.ts';
import { describeParameterError } from '../../../../../src/base/failureText.ts';
import type { ListParams } from '../../../../../src/jobs/common/listParams.ts';
import { encodeListQuery, type QueryStyles } from '../../../../../src/jobs/node/api/listQuery.ts';

const usual: QueryStyles = { arrayFormat: 'repeat', metadataFormat: 'json' };
const brackets: QueryStyles = { arrayFormat: 'brackets', metadataFormat: 'brackets' };

suite('encodeListQuery', () => {
  test('writes an empty query for empty parameters', () => {
    assert.equal(encodeListQuery({}, usual), '');
    assert.equal(encodeListQuery({ statuses: [], kinds: [], customMetadata: {} }, brackets), '');
  });

  test('writes every parameter of contract 4.5', () => {
    const params: ListParams = {
      offset: 0,
      limit: 20,
      date: '2024-02-29',
      beforeDate: '2026-11-20T10:00:00+02:00',
      afterDate: '2026-11-19T23:59Z',
      statuses: ['queued'],
      kinds: ['live'],
      customMetadata: { user: 'J & D' },
    };
    assert.equal(
      encodeListQuery(params, usual),
      'offset=0&limit=20&date=2024-02-29&before_date=2026-11-20T08%3A00%3A00.000Z' +
        '&after_date=2026-11-19T23%3A59%3A00.000Z&status=queued&kind=live' +
        '&custom_metadata=%7B%22user%22%3A%22J%20%26%20D%22%7D',
    );
  });

  test('writes arrays in the style of the connection', () => {
    const params: ListParams = { statuses: ['done', 'error'] };
    const written = (arrayFormat: QueryStyles['arrayFormat']): string =>
      encodeListQuery(params, { ...usual, arrayFormat });
    assert.equal(written('repeat'), 'status=done&status=error');
    assert.equal(written('comma'), 'status=done,error');
    assert.equal(written('brackets'), 'status%5B%5D=done&status%5B%5D=error');
  });

  test('writes metadata as brackets', () => {
    const customMetadata = { user: 'Zoë', episode: 12, draft: false, 'a&b=c': '' };
    assert.equal(
      decodeURIComponent(encodeListQuery({ customMetadata }, brackets)),
      'custom_metadata[user]=Zoë&custom_metadata[episode]=12&custom_metadata[draft]=false&custom_metadata[a&b=c]=',
    );
  });

  const refused: readonly (readonly [ListParams, string, QueryStyles?])[] = [
    ...[-1, 0.5, NaN, Infinity, 2 ** 53].map((offset) => [{ offset }, 'offset: notAnOffset'] as const),
    ...[0, -1, 1.5, NaN].map((limit) => [{ limit }, 'limit: notALimit'] as const),
    ...['2026-02-30', '2026-13-01', '2025-02-29', '2026-1-1', '20260101', '2026-01-01T00:00:00Z', ''].map(
      (date) => [{ date }, 'date: notADate'] as const,
    ),
    ...[
      '2026-02-30T10:00:00Z',
      '2026-02-28T24:00:00Z',
      '2026-02-28T10:60:00Z',
      '2026-02-28T10:00:61Z',
      '2026-02-28T10:00:00',
      '2026-02-28',
      '2026-02-28T10:00:00+25:00',
      '0000-01-01T00:00:00+01:00',
      'yesterday',
    ].map((beforeDate) => [{ beforeDate }, 'before_date: notADateTime'] as const),
    [{ afterDate: '1/2/2026' }, 'after_date: notADateTime'],
    [{ customMetadata: { room: { floor: 1 } } }, 'custom_metadata.room: nestedMetadata', brackets],
    [{ customMetadata: { tags: ['a'] } }, 'custom_metadata.tags: nestedMetadata', brackets],
    [{ customMetadata: { user: null } }, 'custom_metadata.user: nestedMetadata', brackets],
    [{ customMetadata: { '': 'a' } }, 'custom_metadata: emptyMetadata', brackets],
    [{ customMetadata: { 'a[b]': 'c' } }, 'custom_metadata.a[b]: unwritableMetadata', brackets],
    [{ customMetadata: { a: '\ud800' } }, 'custom_metadata.a: unwritableMetadata', brackets],
  ];
  for (const [params, message, styles = usual] of refused) {
    test(`rejects ${JSON.stringify(params)} (${Object.values(params).join()})`, () => {
      assert.throws(
        () => encodeListQuery(params, styles),
        (error) => {
          assert.ok(error instanceof ParameterError);
          assert.equal(error.message, message);
          assert.ok(describeParameterError(error).startsWith(error.parameter), describeParameterError(error));
          return true;
        },
      );
    });
  }

  test('writes metadata as JSON that brackets cannot express', () => {
    const customMetadata = { room: { floor: 1 }, 'a[b]': null, odd: '\ud800' };
    const text = new URLSearchParams(encodeListQuery({ customMetadata }, usual)).get('custom_metadata');
    assert.deepEqual(JSON.parse(text ?? ''), customMetadata);
  });
});
