import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import papa from 'papaparse';
import {
  chooseMetadataColumns,
  formatCsvCell,
  formatCsvRecord,
  hasFigures,
  makeCsvForm,
  type CsvForm,
  type CsvOptions,
} from '../../../../src/jobs/common/csv.ts';
import type { Job } from '../../../../src/jobs/common/job.ts';
import { jobItemShape } from '../../../../src/jobs/common/decodeJob.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { listedJob } from '../../../support/builders/listedJob.ts';
import { hostileText } from '../../../support/hostile/hostileText.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { parseCsv } from '../../../support/export/parseCsv.ts';

for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
  test(`a cell that begins with ${JSON.stringify(start)} is escaped`, () => {
    for (const text of [start, `${start}1+1`, `${start}"x",y`]) {
      assert.deepEqual(parseCsv(formatCsvRecord([text])), [[`'${text}`]]);
    }
  });
}

test('a cell with such a character after its start stays as it is', () => {
  assert.equal(formatCsvCell('a=b'), 'a=b');
  assert.equal(formatCsvCell('2026-11-20'), '2026-11-20');
  assert.equal(formatCsvCell(''), '');
});

test('a number stays a number, even if negative', () => {
  for (const text of ['-5', '-0.25', '-1e-7', '12']) assert.equal(formatCsvCell(text), text);
  for (const text of ['-', '-5+1', '-A1', '-5,', '+5', '-5;=1']) assert.match(formatCsvCell(text), /^"?'/);
});

test('no formula begins after a semicolon or tab at which a spreadsheet may split a cell', () => {
  assert.equal(formatCsvCell('a;=1+1'), `"a;'=1+1"`);
  assert.equal(formatCsvCell('a\t@SUM(1)\n-1'), `"a\t'@SUM(1)\n'-1"`);
  assert.equal(formatCsvCell('a;"=1+1'), `"a;'""=1+1"`);
  assert.equal(formatCsvCell('a; b - c; d=e'), '"a; b - c; d=e"');
});

test('any text of a cell is read back, and no cell begins as a formula, whatever the delimiter', () => {
  const cell = fc.oneof(hostileText, fc.stringMatching(/^[=+\-@\t\r\n",;' a]{0,8}$/));
  const withoutMarks = (text: string): string => text.replaceAll("'", '');
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (texts) => {
      const record = formatCsvRecord(texts);
      const [read = [], ...more] = parseCsv(record);
      assert.equal(more.length, 0);
      assert.deepEqual(read.map(withoutMarks), texts.map(withoutMarks));
      // Cells are separated by commas. With other settings a spreadsheet splits at these characters instead, so that
      // quotes end up inside a cell.
      const cells = [
        ...read,
        ...record.split(/[;\t]/),
        ...papa.parse<string[]>(record, { delimiter: ';' }).data.flat(),
      ];
      for (const each of cells) {
        if (!/^-\d+$/.test(each)) assert.doesNotMatch(each, /^"*[=+\-@]/, JSON.stringify(record));
      }
    }),
    { numRuns: propertyRuns },
  );
});

function read(form: CsvForm, ...jobs: readonly Job[]): readonly Readonly<Record<string, string>>[] {
  const [header = [], ...records] = parseCsv(form.head + jobs.map(form.record).join(''));
  return records.map((record) => Object.fromEntries(header.map((name, index) => [name, record[index] ?? ''])));
}

test('a job is one record with the fields of contract 2.2 and its processing time', () => {
  const job = listedJob({ kind: 'pre-recorded', custom_metadata: { note: '=1+1, "a"' } });
  assert.deepEqual(read(makeCsvForm(), job), [
    {
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
      processing_seconds: '123.5',
    },
  ]);
});

test('the file has one UTF-8 byte order mark', () => {
  const { head, record } = makeCsvForm();
  assert(head.startsWith('\ufeffid,'));
  assert.doesNotMatch(record(listedJob()), /\ufeff/);
});

test('every field of an item has a column, parameters only on request', () => {
  const columns = (options: CsvOptions): readonly string[] => parseCsv(makeCsvForm(options).head)[0] ?? [];
  const always = [...Object.keys(jobItemShape), 'processing_seconds'];
  assert.deepEqual(new Set(columns({})), new Set(always));
  assert.deepEqual(new Set(columns({ withParameters: true })), new Set([...always, 'request_params']));
});

test('numbers keep their digits, unexpected types stay as they are, and a missing kind is the requested one', () => {
  const raw = '{"id":"-7","version":12345678901234567890,"error_code":[1],"status":null,"id":"@x"}';
  const [record] = parseCsv(makeCsvForm({ withParameters: true }).record(bareJob({ raw })));
  assert.deepEqual(record, ["'@x", '', '12345678901234567890', '', '', '', 'live', '', '', '[1]', '', '']);
});

test('the processing time is empty without valid times', () => {
  for (const changes of [{ completed_at: null }, { created_at: null }, { completed_at: '2026-11-19T09:00:00.000Z' }]) {
    assert.equal(read(makeCsvForm(), listedJob(changes))[0]?.['processing_seconds'], '');
  }
});

test('the audio length and the billed time have columns at the end if items contain them', () => {
  const result = {
    metadata: { audio_duration: 12.5, billing_time: 13, number_of_distinct_channels: 2 },
    transcription: {},
  };
  const file = { filename: 'a.mp3', audio_duration: 3.25, number_of_channels: 1 };
  const jobs = [
    listedJob({ result, file }),
    listedJob({ file }),
    listedJob({ result: { metadata: 'none' } }),
    listedJob(),
  ];
  assert.equal(hasFigures(jobs), true);
  assert.equal(hasFigures(jobs.slice(2)), false);
  const raw = JSON.stringify({ result: { metadata: { audio_duration: 12.5 } } });
  assert.equal(hasFigures([{ type: 'unreadable', raw }]), false, 'an item without an id is no row');
  const form = makeCsvForm({ metadataKeys: ['customer'], withFigures: true });
  assert.match(
    form.head,
    /processing_seconds,custom_metadata\.customer,audio_seconds,billed_seconds,audio_channels\r\n$/,
  );
  assert.deepEqual(
    read(form, ...jobs).map((row) => [row['audio_seconds'], row['billed_seconds'], row['audio_channels']]),
    [
      ['12.5', '13', '2'],
      ['3.25', '', '1'],
      ['', '', ''],
      ['', '', ''],
    ],
  );
});

test('each requested metadata key has a column, whatever its name', () => {
  const metadata = { customer: 'Blue', '=cmd': '@x', nested: { a: 1 }, ticket: 7 };
  const [row] = read(
    makeCsvForm({ metadataKeys: ['customer', '=cmd', 'nested', 'ticket', 'missing'] }),
    listedJob({ custom_metadata: metadata }),
  );
  assert.deepEqual(
    ['customer', '=cmd', 'nested', 'ticket', 'missing'].map((key) => row?.[`custom_metadata.${key}`]),
    ['Blue', "'@x", '{"a":1}', '7', ''],
  );
  assert.equal(row?.['custom_metadata'], JSON.stringify(metadata));
});

test('the metadata keys of the first jobs get columns, the most frequent first, at most thirty', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]));
  const jobs = [
    listedJob({ id: 'a', custom_metadata: many }),
    listedJob({ id: 'b', custom_metadata: { customer: 1 } }),
    listedJob({ id: 'c', custom_metadata: { customer: 2 } }),
  ];
  const keys = chooseMetadataColumns([...jobs, { type: 'unreadable', raw: '{"custom_metadata":{"x":1}}' }]);
  assert.equal(keys[0], 'customer');
  assert.equal(keys.length, 30);
  assert(!keys.includes('x'));
});
