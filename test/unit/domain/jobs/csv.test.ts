import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import papa from 'papaparse';
import { formatCsvCell, formatCsvRecord, csvHeader, formatCsvJob } from '../../../../src/domain/jobs/csv.ts';
import { jobItemShape } from '../../../../src/domain/jobs/decodeJob.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { preRecordedItem } from '../../../support/builders/jobItem.ts';
import { hostileText } from '../../../support/hostile/hostileText.ts';
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

test('what a spreadsheet splits at semicolons or tabs begins no formula either', () => {
  assert.equal(formatCsvCell('a;=1+1'), `"a;'=1+1"`);
  assert.equal(formatCsvCell('a\t@SUM(1)\n-1'), `"a\t'@SUM(1)\n'-1"`);
  assert.equal(formatCsvCell('a;"=1+1'), `"a;'""=1+1"`);
  assert.equal(formatCsvCell('a; b - c; d=e'), '"a; b - c; d=e"');
});

test('whatever stands in cells is read back, and no cell begins as a formula, wherever it is split', () => {
  const cell = fc.oneof(hostileText, fc.stringMatching(/^[=+\-@\t\r\n",;' a]{0,8}$/));
  const withoutMarks = (text: string): string => text.replaceAll("'", '');
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (texts) => {
      const record = formatCsvRecord(texts);
      const [read = [], ...more] = parseCsv(record);
      assert.equal(more.length, 0);
      assert.deepEqual(read.map(withoutMarks), texts.map(withoutMarks));
      // A comma stands between cells. Elsewhere a spreadsheet splits at these, and its quotes then begin within a cell.
      const cells = [
        ...read,
        ...record.split(/[;\t]/),
        ...papa.parse<string[]>(record, { delimiter: ';' }).data.flat(),
      ];
      for (const each of cells) assert.doesNotMatch(each, /^"*[=+\-@]/, JSON.stringify(record));
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
