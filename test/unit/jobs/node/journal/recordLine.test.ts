import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readRecordLines, recordLine } from '../../../../../src/jobs/node/journal/recordLine.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const records = fc.array(
  fc.record({ name: fc.string({ unit: 'grapheme' }), at: fc.nat() }, { noNullPrototype: true }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

test('written records are read in order', () => {
  fc.assert(
    fc.property(records, (written) => {
      const { records: read, damaged } = readRecordLines(Buffer.from(written.map(recordLine).join('')));
      assert.deepEqual([read.map((json) => JSON.parse(json) as unknown), damaged], [written, 0]);
    }),
    { numRuns: propertyRuns },
  );
});

test('one damaged or missing byte loses at most one record, which is counted', () => {
  fc.assert(
    fc.property(records, fc.nat(), fc.integer({ min: 0, max: 255 }), (written, where, bits) => {
      const bytes = Buffer.concat(written.map((each) => Buffer.from(recordLine(each))));
      const at = where % bytes.length;
      const damaged =
        bits === 0
          ? Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
          : Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ bits : byte)));
      const read = readRecordLines(damaged);
      const whole = written.map((each) => JSON.stringify(each));
      const missing = whole.length - read.records.length;
      assert.ok(missing <= 1 && (missing === 0 || read.damaged > 0));
      let from = 0;
      for (const json of read.records) {
        from = whole.indexOf(json, from) + 1;
        assert.ok(from > 0, 'nothing is read that was not written');
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('lines without a checksum count as damaged', () => {
  assert.deepEqual(readRecordLines(Buffer.from('{"a":1}\n\n{"b":\n')), { records: [], damaged: 2 });
});

test('only records with a given text are read, but all are checked', () => {
  const written = Array.from({ length: 50 }, (_, at) => ({ at, name: `name ${at % 7}.` }));
  const content = Buffer.from(`${written.map(recordLine).join('')}damaged\n`);
  const having = ['name 3.', 'name 5.'];
  const { records, damaged } = readRecordLines(content, { having });
  const expected = written.filter(({ name }) => having.includes(name)).map((each) => JSON.stringify(each));
  assert.deepEqual([records, damaged], [expected, 1]);
  assert.deepEqual(readRecordLines(content, { having: [] }), { records: [], damaged: 1 });
});
