import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { Failure, isFailure } from '../../../../../src/base/failure.ts';
import type { Job, ListEntry } from '../../../../../src/jobs/common/job.ts';
import {
  type ExportFormat,
  type ExportTarget,
  exportBatches,
  writeExport,
  type ExportBatch,
} from '../../../../../src/jobs/node/export/exporter.ts';
import { FileTarget, isSystemError } from '../../../../../src/jobs/node/export/fileTarget.ts';
import { KeyMask } from '../../../../../src/platform/http/keyMask.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { readPage } from '../../../../../src/jobs/node/api/readPage.ts';
import { keyForms, keyFormsIn, markedKey } from '../../../../support/hostile/keyForms.ts';
import { withoutBlocking } from '../../../../support/hostile/hostileGuard.ts';
import { MovingList } from '../../../../support/movingList/movingList.ts';
import { listedJob } from '../../../../support/builders/listedJob.ts';
import { parseCsv } from '../../../../support/export/parseCsv.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tj-export-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name = 'jobs.json'): string => join(folder, name);
const written = (name = 'jobs.json'): string => readFileSync(path(name), 'utf8');
const unread = { type: 'unreadable', raw: '{"no":"id"}' } as const;
const keyMask = new KeyMask();

/** Yields batches, then fails. */
async function* broken(failure: Failure, ...batches: readonly ExportBatch[]): AsyncGenerator<ExportBatch> {
  yield* batches;
  throw failure;
}

async function exported(batches: Iterable<ExportBatch> | AsyncIterable<ExportBatch>, format: ExportFormat) {
  return writeExport(batches, format, await FileTarget.open(path()), { keyMask });
}

const raws = ['{"id":"a","n":1.10,\n "n":12345678901234567890}', '{"id":"b","text":"\\u00e9\\n"}'];
const jobs: readonly ListEntry[] = raws.map((raw, index) => bareJob({ id: 'ab'.charAt(index), raw }));

test('JSON contains every item byte for byte', async () => {
  const outcome = await exported([{ entries: jobs }, { entries: [unread] }], 'json');
  assert.deepEqual(outcome, { type: 'complete', written: 3, contradicting: 0, unreadable: 0, tooLarge: 0 });
  assert.equal(written(), `[\n${[...raws, unread.raw].join(',\n')}\n]\n`);
  assert.equal((JSON.parse(written()) as unknown[]).length, 3);
});

test('NDJSON contains one item per line', async () => {
  await exported([{ entries: jobs }, { entries: [unread] }], 'ndjson');
  const lines = written().trimEnd().split('\n');
  assert.deepEqual(lines, [raws[0]?.replace('\n', ' '), raws[1], unread.raw]);
});

test('a large item is written whole, even if a slice would end within a character', async () => {
  const text = `{"id":"a","text":"${'\u{1f600}'.repeat(1_500_001)}"}`;
  const whole = { text, omittedCharacters: text.length, digest: '' };
  for (const beginning of ['', ' ']) {
    const job = bareJob({ id: 'a', raw: '{"id":"a"}', whole: { ...whole, text: beginning + text } });
    const outcome = await exported([{ entries: [job, { ...unread, whole }] }], 'ndjson');
    assert.deepEqual([outcome.type, outcome.written], ['complete', 2]);
    assert.ok(written() === `${beginning}${text}\n${text}\n`);
  }
});

test('an export is not marked as complete without an item that is too large for any response', async () => {
  const missing = { type: 'unreadable', raw: '""', isTooLarge: true } as const;
  for (const format of ['json', 'ndjson', 'csv'] as const) {
    const outcome = await exported([{ entries: [...jobs, missing] }], format);
    assert.deepEqual([outcome.type, outcome.written, outcome.tooLarge, outcome.unreadable], ['unproved', 2, 1, 0]);
  }
});

test('a key that the service repeats in its items is in no file, in any form', async () => {
  const secret = new KeyMask(markedKey);
  const entries = keyForms.flatMap(({ write }, index): ListEntry[] => {
    const form = write(markedKey);
    const item = {
      id: `${index}`,
      kind: form,
      request_id: form,
      custom_metadata: { [form]: form, customer: form },
      request_params: { callback_config: { url: `https://a.example/?key=${form}` } },
      result: { transcription: { full_transcript: `the key is ${form}` } },
    };
    const raw = JSON.stringify(item);
    return [bareJob({ id: item.id, kind: form, raw }), { type: 'unreadable', raw }];
  });
  for (const format of ['json', 'ndjson', 'csv', 'csvWithParameters'] as const) {
    await writeExport([{ entries }], format, await FileTarget.open(path()), { keyMask: secret });
    assert.deepEqual(keyFormsIn(written(), markedKey), [], format);
    assert.ok(written().includes('•••'));
    if (format === 'json') assert.equal((JSON.parse(written()) as unknown[]).length, entries.length);
  }
});

test('a table has all columns of a large item in full', async () => {
  const note = 'y'.repeat(300_000);
  const custom_metadata = { customer: 'Blue', note };
  const request_params = {
    model: 'm',
    custom_vocabulary: Array.from({ length: 20_000 }, (_, index) => `term ${index}`),
  };
  const text = JSON.stringify({ id: 'a', request_id: 'r'.repeat(20_000), custom_metadata, request_params });
  const page = `{"next":null,"items":[${text}]}`;
  const steps = readPage(page, { kind: 'live', limit: 10 });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const [job] = step.value.entries;
  assert(job?.type === 'job' && job.whole !== undefined);
  const hasAll = (table: string): boolean =>
    [note, 'r'.repeat(20_000), 'term 19999'].every((part) => table.includes(part));
  assert.equal((await exported([{ entries: [job] }], 'csvWithParameters')).type, 'complete');
  assert(hasAll(written()), 'as received');
  const { whole: _whole, ...row } = job;
  const readWhole = async (): Promise<Job> => ({ ...row, raw: text });
  const omitted = { characters: text.length, digest: '', service: Symbol() };
  const options = { keyMask: new KeyMask(), readWhole };
  const target = await FileTarget.open(path('rows.csv'));
  const outcome = await writeExport([{ entries: [{ ...row, omitted }] }], 'csvWithParameters', target, options);
  assert.equal(outcome.type, 'complete');
  assert(hasAll(written('rows.csv')), 'as a row keeps it');
});

test('a large item is written in slices that do not block, without the key at any position', async () => {
  const slice = 64 * 1024;
  const places = [slice, 2 * slice, 16 * slice, 32 * slice, 64 * slice, 400 * slice];
  let text = '{"id":"a","result":"';
  for (const place of places) {
    text += 'word '.repeat(1 + (place - 20 - text.length) / 5).slice(0, place - 20 - text.length);
    text += markedKey;
  }
  text += `","custom_metadata":{"${markedKey}":1}}`;
  assert.ok(text.length > 26e6);
  const job = bareJob({ id: 'a', raw: '{"id":"a"}', whole: { text, omittedCharacters: text.length, digest: '' } });
  await withoutBlocking(async () => {
    const target = await FileTarget.open(path());
    await writeExport([{ entries: [job] }], 'ndjson', target, { keyMask: new KeyMask(markedKey) });
  });
  assert.equal(written(), `${text.replaceAll(markedKey, '•••')}\n`);
});

suite('rows without their results', () => {
  const omitted = { characters: 9, digest: '', service: Symbol('service') };
  const rows = ['a', 'b', 'c'].map((id) => bareJob({ id, raw: `{"id":"${id}","result":{}}`, omitted }));
  const whole = (id: string): string => `{"id":"${id}","result":{"transcription":{"full_transcript":"All of it."}}}`;
  const read = async (job: Job): Promise<Job> => ({ ...job, raw: whole(job.id) });

  test('are written whole', async () => {
    const outcome = await writeExport([{ entries: rows }], 'ndjson', await FileTarget.open(path()), {
      keyMask,
      readWhole: read,
    });
    assert.equal(written(), `${rows.map(({ id }) => whole(id)).join('\n')}\n`);
    assert.deepEqual(outcome, { type: 'complete', written: 3, contradicting: 0, unreadable: 0, tooLarge: 0 });
  });

  test('are written as they are if the service no longer has their results, and the export is not marked as complete', async () => {
    for (const code of ['jobNotFound', 'resultGone'] as const) {
      const outcome = await writeExport([{ entries: rows }], 'ndjson', await FileTarget.open(path()), {
        keyMask,
        readWhole: async (job) => {
          if (job.id === 'b') throw new Failure(code);
          return read(job);
        },
      });
      assert.equal(written(), `${[whole('a'), rows[1]?.raw, whole('c')].join('\n')}\n`);
      assert.deepEqual([outcome.type, outcome.written, outcome.withoutResult], ['unproved', 3, ['b']]);
    }
  });

  test('end the export if the service cannot be reached', async () => {
    const outcome = await writeExport([{ entries: rows }], 'json', await FileTarget.open(path()), {
      keyMask,
      readWhole: async () => {
        throw new Failure('offline');
      },
    });
    assert.ok(outcome.type === 'partial' && outcome.why === 'failed' && isFailure(outcome.error, 'offline'));
  });

  test('need no results for a table', async () => {
    const outcome = await writeExport([{ entries: rows }], 'csv', await FileTarget.open(path()), {
      keyMask,
      readWhole: async () => assert.fail('nothing is read'),
    });
    assert.equal(outcome.type, 'complete');
  });
});

test('CSV leaves out unreadable items, and reports their number', async () => {
  const outcome = await exported([{ entries: [...jobs, unread] }], 'csv');
  assert.deepEqual([outcome.written, outcome.unreadable], [2, 1]);
  assert.deepEqual(
    parseCsv(written())
      .slice(1)
      .map(([id]) => id),
    ['a', 'b'],
  );
});

test('CSV has columns for the metadata of the first jobs, and for parameters only on request', async () => {
  const keyed = listedJob({ custom_metadata: { customer: 'Blue' } });
  const header = async (format: 'csv' | 'csvWithParameters'): Promise<readonly string[]> => {
    await exported([{ entries: [keyed] }, { entries: [listedJob({ custom_metadata: { later: 1 } })] }], format);
    return parseCsv(written())[0] ?? [];
  };
  const plain = await header('csv');
  assert(plain.includes('custom_metadata.customer') && !plain.includes('custom_metadata.later'));
  assert(!plain.includes('request_params'));
  assert((await header('csvWithParameters')).includes('request_params'));
});

test('an export without jobs creates a valid file', async () => {
  await exported([], 'json');
  assert.deepEqual(JSON.parse(written()), []);
  for (const batches of [[{ entries: [] }], []]) {
    await exported(batches, 'csv');
    assert.equal(parseCsv(written()).length, 1);
  }
});

test('an existing file is replaced only at the end', async () => {
  writeFileSync(path(), 'old');
  async function* batches(): AsyncGenerator<ExportBatch> {
    yield { entries: jobs };
    assert.equal(written(), 'old');
    assert.ok(readdirSync(folder).includes('jobs.json.partial'));
  }
  assert.equal((await exported(batches(), 'ndjson')).type, 'complete');
  assert.deepEqual(readdirSync(folder), ['jobs.json']);
  assert.notEqual(written(), 'old');
});

test('a cancelled export keeps a partial file and leaves the target unchanged', async () => {
  writeFileSync(path(), 'old');
  const outcome = await exported(broken(new Failure('cancelled'), { entries: jobs }), 'ndjson');
  assert.ok(outcome.type === 'partial' && outcome.why === 'cancelled' && outcome.written === 2);
  assert.equal(outcome.partial, path('jobs.json.partial'));
  assert.equal(written('jobs.json.partial').split('\n').length, 3);
  assert.equal(written(), 'old');
});

test('an earlier partial file is not overwritten', async () => {
  writeFileSync(path('jobs.json.partial'), 'earlier');
  const outcome = await exported(broken(new Failure('offline'), { entries: jobs }), 'json');
  assert.ok(outcome.type === 'partial' && outcome.why === 'failed' && isFailure(outcome.error, 'offline'));
  assert.equal(outcome.partial, path('jobs.json.2.partial'));
  assert.equal(written('jobs.json.partial'), 'earlier');
});

test('an export that fails before anything is written leaves nothing', async () => {
  const outcome = await exported(broken(new Failure('keyRejected')), 'json');
  assert.ok(outcome.type === 'partial' && outcome.partial === undefined);
  assert.deepEqual(readdirSync(folder), []);
});

test('a target that cannot be written fails before any request', async () => {
  writeFileSync(path('file'), '');
  await assert.rejects(
    FileTarget.open(path('file/jobs.json')),
    (error) => isSystemError(error) && error.code === 'ENOTDIR',
  );
  await assert.rejects(
    FileTarget.open(path('none/jobs.json')),
    (error) => isSystemError(error) && error.code === 'ENOENT',
  );
});

test('the partial file is kept if it cannot be renamed to the target', async () => {
  mkdirSync(path('jobs.json'));
  const outcome = await exported([{ entries: jobs }], 'json');
  assert.ok(outcome.type === 'partial' && isSystemError(outcome.error) && outcome.error.code === 'EISDIR');
  assert.equal((JSON.parse(written('jobs.json.partial')) as unknown[]).length, 2);
});

test('a full disk is reported, and the partial file is kept', async () => {
  const abandoned: string[] = [];
  const full: ExportTarget = {
    write: async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    },
    commit: async () => assert.fail('committed'),
    abandon: async () => {
      abandoned.push('jobs.json.partial');
      return abandoned[0];
    },
  };
  const outcome = await writeExport([{ entries: jobs }], 'json', full, { keyMask });
  assert.ok(outcome.type === 'partial' && outcome.why === 'failed' && isSystemError(outcome.error));
  assert.deepEqual([outcome.partial, outcome.written], ['jobs.json.partial', 0]);
  assert.equal(abandoned.length, 1);
});

test('a list that ends early leaves a partial file with everything that could be read', async () => {
  const outcome = await exported([{ entries: [], endedBy: 'stuck' }, { entries: jobs }], 'json');
  assert.ok(outcome.type === 'partial' && outcome.why === 'ended' && outcome.written === 2);
  assert.equal((JSON.parse(written('jobs.json.partial')) as unknown[]).length, 2);
});

test('reads whole lists, and leaves out items that contradict the query', async () => {
  const list = new MovingList({ jobs: 1000, status: (index) => (index % 2 === 0 ? 'done' : 'error') });
  // Ignores the status, and returns live jobs from the endpoint for pre-recorded ones.
  const source = fakeReader((endpoint, { offset = 0, limit = 20 }) => list.answer(endpoint, { offset, limit }));
  const questions = [
    { endpoint: 'pre-recorded', params: { statuses: ['done'] } },
    { endpoint: 'live', params: { statuses: ['done'] } },
  ] as const;
  const batches = exportBatches(source, questions, 100, new AbortController().signal);
  const outcome = await exported(batches, 'ndjson');
  assert.deepEqual(outcome, { type: 'complete', written: 500, contradicting: 1500, unreadable: 0, tooLarge: 0 });
  assert.equal(new Set(written().trimEnd().split('\n')).size, 500);
});

test('a cancellation ends the export', async () => {
  const stop = new AbortController();
  const page: ListPage = { entries: jobs, hasMore: true, serviceDateMs: undefined, deviations: [] };
  const source = fakeReader(async (_endpoint, _params, signal) => {
    if (signal?.aborted === true) throw new Failure('cancelled');
    stop.abort();
    return page;
  });
  const outcome = await exported(exportBatches(source, [{ endpoint: 'live', params: {} }], 2, stop.signal), 'json');
  assert.ok(outcome.type === 'partial' && outcome.why === 'cancelled' && outcome.written === 2);
});
