import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linePieces, piecesOf } from '../../../../../src/jobs/common/result/linePieces.ts';
import { fileLine } from '../../../../../src/base/outsideText.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const long = 'so it goes\u2026 ';

test('a text of any length is cut between words without a loss', () => {
  for (const text of ['', 'short', long.repeat(9000), 'a'.repeat(50_000), '\u{1f600}'.repeat(30_000)]) {
    const pieces = [...piecesOf(text)];
    assert.equal(pieces.join(''), text);
    assert.ok(pieces.every((piece) => piece.length <= 20_002));
    if (text.includes(' ')) assert.ok(pieces.every((piece) => piece.endsWith(' ')));
    assert.ok(pieces.every((piece) => !/^[\udc00-\udfff]/.test(piece)));
  }
});

test('texts in pieces produce the same line as at once', () => {
  const filler = fc.constantFrom('', 'x'.repeat(19_990), 'word '.repeat(4001), '\n\u0000 '.repeat(8000));
  const text = fc.tuple(filler, fc.string({ unit: 'grapheme', maxLength: 30 }), filler).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
      assert.equal([...linePieces(texts)].join(''), fileLine(texts.map(fileLine).join(' ')));
    }),
    { numRuns: propertyRuns },
  );
});
