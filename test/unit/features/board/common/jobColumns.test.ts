import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { labelOf } from '../../../../../src/features/board/common/boardView.ts';
import { chooseFacets } from '../../../../../src/features/board/common/chooseFacets.ts';
import { chooseJobLabel } from '../../../../../src/jobs/common/jobRow.ts';
import { foldHandled, handledRecords, isHandled } from '../../../../../src/features/attention/common/handledMarks.ts';
import type { JsonValue } from '../../../../../src/base/json/json.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { boardColumns, columnsOf, jobOf } from './boardJobs.ts';

describe('Columns of jobs', () => {
  it('return every value unchanged, including text in any script', () => {
    const names = ['Ärger', '北京', '', 'plain', '\ud800 half', 'a'.repeat(150)];
    const columns = columnsOf(names.map((name, index) => jobOf({ id: `j${index}`, custom_metadata: { name } })));
    const read = names.map((_, row) => columns.column('custom_metadata.name')?.value(row));
    assert.deepEqual(read, names);
    assert.deepEqual(
      names.map((_, row) => columns.column('id')?.value(row)),
      names.map((_, index) => `j${index}`),
    );
  });

  it('accept members at any depth and lists of plain values, and distinguish missing from empty', () => {
    const columns = columnsOf([
      jobOf({ id: 'a', custom_metadata: { room: { floor: 3 }, tags: ['x', 'y'], done: true, nothing: null } }),
      jobOf({ id: 'b', custom_metadata: { tags: [] } }),
      jobOf({ id: 'c' }),
    ]);
    const read = (key: string): unknown[] => [0, 1, 2].map((row) => columns.column(key)?.value(row));
    assert.deepEqual(read('custom_metadata.room.floor'), ['3', undefined, undefined]);
    assert.deepEqual(read('custom_metadata.tags'), ['x, y', '', undefined]);
    assert.deepEqual(read('custom_metadata.done'), ['true', undefined, undefined]);
    assert.equal(columns.column('custom_metadata.nothing'), undefined);
    assert.equal(columns.column('custom_metadata.room.floor')?.formOf('3'), 'plain');
    assert.equal(columns.column('custom_metadata.tags')?.formOf(''), 'list');
  });

  it('distinguish keys that differ only in case', () => {
    const columns = columnsOf([jobOf({ id: 'a', custom_metadata: { Room: 'A', room: 'B' } })]);
    const keys = columns.values.map(({ key }) => key).filter((key) => key.endsWith('oom'));
    assert.deepEqual(keys.toSorted(), ['custom_metadata.Room', 'custom_metadata.room']);
    assert.deepEqual(
      ['Room', 'room'].map((key) => columns.column(`custom_metadata.${key}`)?.value(0)),
      ['A', 'B'],
    );
  });

  it('keep nearly unique values, and do not offer them as a facet', () => {
    const columns = boardColumns({ seed: 3, count: 5000 });
    const call = columns.column('custom_metadata.call');
    assert.equal(call?.isNearlyUnique, true);
    assert.equal(call?.value(0), '3-0');
    assert.equal(call?.value(4999), '3-4999');
    assert.deepEqual(chooseFacets({ columns, size: 5000 }).toSorted(), [
      'custom_metadata.agent',
      'custom_metadata.customer',
      'custom_metadata.region',
      'error_code',
      'kind',
      'request_params.language_config.languages',
      'request_params.model',
      'status',
    ]);
  });

  it('show which failures were handled, and none that failed again, and are a facet only then', () => {
    const jobs = ['a', 'b', 'c'].map((id, hour) =>
      jobOf({ id, status: 'error', created_at: `2026-10-01T0${hour}:00:00.000Z` }),
    );
    const columns = columnsOf(jobs);
    const [first, second] = jobs;
    assert.ok(first && second);
    const handled = (): unknown[] => [0, 1, 2].map((row) => columns.column('handled')?.value(row));
    assert.deepEqual(handled(), [undefined, undefined, undefined]);
    assert.ok(!chooseFacets({ columns, size: 3 }).includes('handled'));
    const marks = foldHandled(handledRecords([first, { ...second, createdAtMs: 0 }], 0));
    columns.noteHandled((job) => isHandled(job, marks));
    assert.deepEqual(handled(), ['yes', undefined, undefined]);
    assert.ok(chooseFacets({ columns, size: 3 }).includes('handled'));
    columns.noteHandled(() => false);
    assert.deepEqual(handled(), [undefined, undefined, undefined]);
  });

  it('have processing times, and none if times contradict each other', () => {
    const columns = columnsOf([
      jobOf({ id: 'a', created_at: '2026-10-01T00:00:00.000Z', completed_at: '2026-10-01T00:00:05.000Z' }),
      jobOf({ id: 'b', created_at: '2026-10-01T00:00:00.000Z', completed_at: '2026-09-01T00:00:05.000Z' }),
      jobOf({ id: 'c', created_at: 'yesterday' }),
    ]);
    assert.deepEqual(
      [0, 1, 2].map((row) => columns.processingMs(row)),
      [5000, NaN, NaN],
    );
  });

  it('property: have the same labels as the jobs view, for any metadata, parameters and files', () => {
    const value = fc.oneof(
      fc.constantFrom<JsonValue>('', 'acme', ' acme\nline ', 'x'.repeat(300), true, null, 7, 1.5, ['a', 'b'], {
        b: 'in',
      }),
      fc.integer({ min: 0, max: 5000 }).map((number) => `call ${number}`),
    );
    const metadata = fc.dictionary(fc.constantFrom('a', 'a.b', 'c', '__proto__'), value);
    const filename = fc.option(fc.constantFrom<JsonValue>('call.wav', 'job-1.wav', 'job-3', '', 5), { nil: undefined });
    const item = fc.record({ metadata: fc.option(metadata, { nil: undefined }), filename });
    const keys = fc.array(fc.constantFrom('a', 'a.b', 'c', '__proto__', 'none'));
    const many = fc.oneof(
      { weight: 9, arbitrary: fc.array(item, { maxLength: 20 }) },
      { weight: 1, arbitrary: fc.array(item, { minLength: 1200, maxLength: 1200 }) },
    );
    fc.assert(
      fc.property(many, keys, fc.boolean(), (items, labelKeys, isMany) => {
        const jobs = items.map(({ metadata: custom_metadata, filename: name }, at) =>
          jobOf({
            id: `job-${at}`,
            ...(custom_metadata !== undefined && { custom_metadata }),
            ...(name !== undefined && { file: { filename: isMany && at % 3 > 0 ? `${at}.wav` : name } }),
          }),
        );
        const columns = columnsOf(jobs, labelKeys);
        const submittedAs = new Map([['job-2', 'request.json']]);
        const labels = jobs.map((_, row) => labelOf({ columns, submittedAs: () => submittedAs }, row));
        assert.deepEqual(
          labels,
          jobs.map((job) => chooseJobLabel(job, labelKeys, submittedAs)),
        );
      }),
      { numRuns: propertyRuns },
    );
  });

  it('know which of them have only numbers', () => {
    const metadata = [{ rating: 1.5, ticket: '12', mixed: 1, done: true }, { rating: -2, mixed: 'one' }, {}];
    const columns = columnsOf(metadata.map((custom_metadata, at) => jobOf({ id: String(at), custom_metadata })));
    const numeric = columns.values.filter(({ isNumeric }) => isNumeric).map(({ key }) => key);
    assert.deepEqual(numeric, ['custom_metadata.rating']);
    const calls = Array.from({ length: 1500 }, (_, call) => jobOf({ id: `j${call}`, custom_metadata: { call } }));
    assert.equal(columnsOf(calls).column('custom_metadata.call')?.isNumeric, true);
  });

  it('report keys without a column: too many in all or in one job, too long or too deep', () => {
    const jobWith = (id: string, length: number) =>
      jobOf({
        id,
        custom_metadata: Object.fromEntries(Array.from({ length }, (_, index) => [`${id}${index}`, index])),
      });
    assert.equal(columnsOf([jobWith('a', 125), jobWith('b', 125)]).lacksKeys, false);
    assert.equal(columnsOf([jobWith('a', 125), jobWith('b', 126)]).lacksKeys, true);
    assert.equal(columnsOf([jobWith('a', 199)]).lacksKeys, false);
    assert.equal(columnsOf([jobWith('a', 300)]).lacksKeys, true, 'of a job only the first 200 keys are read');
    assert.equal(columnsOf([jobOf({ id: 'a', custom_metadata: { ['k'.repeat(199)]: 1 } })]).lacksKeys, true);
    assert.equal(columnsOf([jobOf({ id: 'a', custom_metadata: { a: { b: { c: { d: 1 } } } } })]).lacksKeys, true);
  });
});
