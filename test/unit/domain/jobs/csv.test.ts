import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatCsvCell, formatCsvRecord, csvHeader, formatCsvJob } from '../../../../src/domain/jobs/csv.ts';
import { jobItemShape } from '../../../../src/domain/jobs/decodeJob.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { preRecordedItem } from '../../../support/builders/jobItem.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { parseCsv } from '../../service/export/parseCsv.ts';

for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
  test(`a cell that begins with ${JSON.stringify(start)} is made harmless`, () => {
    for (const text of [start, `${start}1+1`, `${start}"x",y`]) {
      assert.deepEqual(parseCsv(formatCsvRecord([text])), [[`'${text}`]]);
    }
  });
}

test('a cell that only contains such a character stays as it is', () => {
  assert.equal(formatCsvCell('a=b'), 'a=b');
  assert.equal(formatCsvCell('2026-11-20'), '2026-11-20');
  assert.equal(formatCsvCell(''), '');
});

test('whatever stands in cells is read back, and no cell begins as a formula', () => {
  const cells = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[=+\-@\t\r\n",;' a]{0,6}$/)), {
    minLength: 1,
  });
  fc.assert(
    fc.property(cells, (texts) => {
      const [read = [], ...more] = parseCsv(formatCsvRecord(texts));
      assert.equal(more.length, 0);
      assert.deepEqual(
        read.map((cell, index) => (cell === `'${texts[index]}` ? texts[index] : cell)),
        texts,
      );
      assert.ok(read.every((cell) => !/^[=+\-@\t\r\n]/.test(cell)));
    }),
    { numRuns: propertyRuns },
  );
});

test('a job is one record with the fields of contract 2.2', () => {
  const raw = JSON.stringify(preRecordedItem({ custom_metadata: { note: '=1+1, "a"' } }));
  const [header, record] = parseCsv(csvHeader + formatCsvJob(bareJob({ raw, kind: 'pre-recorded' })));
  assert.deepEqual(Object.fromEntries((header ?? []).map((name, index) => [name, record?.[index]])), {
    id: '1a2b3c4d-0000-4000-8000-000000000001',
    request_id: 'G-1a2b3c4d',
    version: '2',
    status: 'done',
    created_at: '2026-11-19T10:00:00.000Z',
    completed_at: '2026-11-19T10:02:03.500Z',
    kind: 'pre-recorded',
    custom_metadata: '{"note":"=1+1, \\"a\\""}',
    post_session_metadata: '{}',
    error_code: '',
    request_params: '',
  });
});

test('every field of an item has a column', () => {
  const [header] = parseCsv(csvHeader);
  assert.deepEqual(new Set(header), new Set([...Object.keys(jobItemShape), 'request_params']));
});

test('numbers keep their digits, odd types are told as they are, and the asked kind stands in for a missing one', () => {
  const raw = '{"id":"-7","version":12345678901234567890,"error_code":[1],"status":null,"id":"@x"}';
  const [record] = parseCsv(formatCsvJob(bareJob({ raw })));
  assert.deepEqual(record, ["'@x", '', '12345678901234567890', '', '', '', 'live', '', '', '[1]', '']);
});
