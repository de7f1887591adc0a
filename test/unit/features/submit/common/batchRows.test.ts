import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { maxLeftOut, type Batch, type BatchItem } from '../../../../../src/features/submit/common/batch.ts';
import {
  batchColumnKeys,
  batchRowsText,
  commonTimeFormat,
  decodeBatchWidths,
  emptyBatchColumns,
  encodeBatchWidths,
  showBatchRows,
  sortBatchRows,
  usualBatchLayout,
} from '../../../../../src/features/submit/common/batchColumns.ts';
import { batchFates } from '../../../../../src/features/submit/common/batchCounts.ts';
import { batchRowActionsOf } from '../../../../../src/features/submit/common/batchProtocol.ts';
import {
  batchRows,
  withJobs,
  type BatchFacts,
  type BatchRow,
  type UntriedRequest,
} from '../../../../../src/features/submit/common/batchRows.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import type { JobFate, SubmissionOutcome } from '../../../../../src/jobs/common/submission.ts';
import { KeyMask } from '../../../../../src/platform/http/keyMask.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { measureSlowness, threadMs } from '../../../../support/hostile/hostileGuard.ts';

const english = { language: 'en', timeZone: 'UTC' };
const unmasked = (text: string): string => text;
const template = 'file:///w/base.transcription.json';
const usualColumns = usualBatchLayout(undefined, [], []).columns;

function batchOf(items: readonly Partial<BatchItem>[], plan: Partial<Batch['plan']> = {}): Batch {
  const all = items.map((each, at): BatchItem => {
    const item = `${at}`;
    return { item, label: `a.example/${at}.wav`, file: template, run: 'r', outcome: { type: 'sending' }, ...each };
  });
  const source = { type: 'list', template, list: 'file:///w/november.csv' } as const;
  const usual = {
    connection: 'Work',
    origin: 'https://a.example',
    startedAtMs: 0,
    total: all.length,
    source,
    skipped: [],
  };
  return {
    plan: { ...usual, ...plan },
    run: 'r',
    sender: 1,
    open: new Map(),
    items: new Map(all.map((each) => [each.item, each])),
    skipped: new Set(),
    end: undefined,
    damaged: 0,
    isDoubtful: false,
    resubmitted: new Map(),
  };
}

function accepted(id: string, fate?: JobFate): SubmissionOutcome {
  return { type: 'accepted', status: 201, id, ...(fate && { fate }) };
}

function jobOf(id: string, item: object, changes: Partial<Job> = {}): Job {
  return bareJob({ id, kind: 'pre-recorded', raw: JSON.stringify({ id, ...item }), ...changes });
}

/** Returns the rows of a batch whose jobs are these. */
function rowsOf(batch: Batch, jobs: readonly Job[] = [], untried: readonly UntriedRequest[] = []): readonly BatchRow[] {
  const known = new Map(jobs.map((job) => [job.id, job]));
  const facts: BatchFacts = {
    jobOf: (id) => known.get(id),
    titleOf: ({ id }) => `Title of ${id}`,
    errorLabels: { 503: 'The service was busy' },
    mask: (text) => text,
    explainCode: (code) => (code === 404 ? 'No audio there.' : undefined),
    locale: english,
  };
  return batchRows(withJobs(batch, facts.jobOf), untried, facts);
}

const partly = { result: { translation: { success: false, error: { message: 'no such language' } } } };

test('rows have the title, audio, state, code and reason of each job; failures are first, left-out rows last', () => {
  const batch = batchOf(
    [
      { outcome: accepted('done'), sentAtMs: 1000 },
      { outcome: accepted('partly') },
      { outcome: accepted('failed') },
      { outcome: accepted('running') },
      { outcome: accepted('new') },
      { outcome: { type: 'rejected', code: 'rejected', status: 422, requestId: undefined } },
      { outcome: { type: 'unknown', code: undefined, lookedAtMs: undefined } },
    ],
    { leftOut: [{ row: 14, reason: 'no URL' }] },
  );
  const rows = rowsOf(batch, [
    jobOf('done', {}),
    jobOf('partly', partly),
    jobOf('failed', {}, { status: 'error', errorCode: 503 }),
    jobOf('running', {}, { status: 'processing' }),
  ]);
  assert.deepEqual(
    rows.map(({ stateText, title, audio, errorCode, reason }) => [stateText, title, audio, errorCode, reason]),
    [
      ['Failed', 'Title of failed', '2.wav · a.example', 503, 'The service was busy'],
      ['Rejected', '5.wav', '5.wav · a.example', undefined, 'The service refused the request (status 422).'],
      ['Failed in part', 'Title of partly', '1.wav · a.example', undefined, 'Translation failed: no such language'],
      [
        'Outcome unknown',
        '6.wav',
        '6.wav · a.example',
        undefined,
        'The window was closed before the response arrived. A job may exist.',
      ],
      ['Accepted', '4.wav', '4.wav · a.example', undefined, undefined],
      ['Processing', 'Title of running', '3.wav · a.example', undefined, undefined],
      ['Done', 'Title of done', '0.wav · a.example', undefined, undefined],
      ['Left out', 'Row 14', undefined, undefined, 'no URL'],
    ],
  );
  assert.deepEqual(rows.map(({ id, submittedAtMs }) => [id, submittedAtMs]).slice(-2), [
    ['done', 1000],
    [undefined, undefined],
  ]);
});

test('without jobs, the recorded final states are shown', () => {
  const recorded = [
    accepted('a', { status: 'error', errorCode: 418 }),
    accepted('b', { status: 'done', failedAddOns: ['translation', 'subtitles'] }),
    accepted('c', { status: 'done' }),
  ];
  const batch = batchOf(recorded.map((outcome) => ({ outcome })));
  assert.deepEqual(
    rowsOf(batch).map(({ stateText, errorCode, reason }) => [stateText, errorCode, reason]),
    [
      ['Failed', 418, undefined],
      ['Failed in part', undefined, 'Translation failed. Subtitles failed.'],
      ['Done', undefined, undefined],
    ],
  );
});

test('a code without a label is explained if its meaning is known', () => {
  const reasonOf = (errorCode: number): string | undefined =>
    rowsOf(batchOf([{ outcome: accepted('a', { status: 'error', errorCode }) }]))[0]?.reason;
  assert.equal(reasonOf(404), 'No audio there.');
  assert.equal(reasonOf(408), undefined);
});

test('a job as observed replaces the recorded final state, and the counts say the same as the rows', () => {
  const batch = batchOf([{ outcome: accepted('a', { status: 'done' }) }, { outcome: accepted('b') }]);
  const jobs = [jobOf('a', partly), jobOf('b', {}, { status: 'error' })];
  const known = new Map(jobs.map((job) => [job.id, job]));
  assert.deepEqual(
    rowsOf(batch, jobs).map(({ state }) => state),
    ['error', 'partly'],
  );
  const now = withJobs(batch, (id) => known.get(id));
  assert.equal(batchFates(now), '1 done, without its translation · 1 failed');
});

test('requests of files are named after them, and their audio after the job', () => {
  const file = 'file:///w/call%20one.transcription.json';
  const batch = batchOf([{ label: 'call one.transcription.json', file, outcome: accepted('a') }]);
  const [unread] = rowsOf(batch);
  assert.deepEqual([unread?.title, unread?.audio, unread?.file], ['call one', undefined, file]);
  const [read] = rowsOf(batch, [jobOf('a', { file: { filename: 'one.wav' } })]);
  assert.deepEqual([read?.title, read?.audio], ['Title of a', 'one.wav']);
  const untried = rowsOf(batch, [], [{ file }, { file: template, label: 'a.example/2.wav' }]).slice(0, 2);
  assert.deepEqual(
    untried.map(({ stateText, title, audio }) => [stateText, title, audio]),
    [
      ['Not sent', 'call one', undefined],
      ['Not sent', '2.wav', '2.wav · a.example'],
    ],
  );
});

test('says when further left-out rows are not listed', () => {
  const leftOut = Array.from({ length: maxLeftOut }, (_, row) => ({ row, reason: 'no URL' }));
  assert.equal(rowsOf(batchOf([], { leftOut })).at(-1)?.title, 'Further rows are not listed.');
  assert.equal(rowsOf(batchOf([], { leftOut: leftOut.slice(1) })).at(-1)?.title, `Row ${maxLeftOut - 1}`);
});

test('a job in a state that the contract does not have is shown as received', () => {
  const [row] = rowsOf(batchOf([{ outcome: accepted('a') }]), [jobOf('a', {}, { status: 'archived' })]);
  assert.deepEqual([row?.state, row?.stateText], ['other', 'archived']);
});

test('an accepted request without a job ID can be searched for', () => {
  const [row] = rowsOf(batchOf([{ outcome: { type: 'accepted', status: 201, id: undefined } }]));
  assert.deepEqual(
    [row?.state, row?.stateText, row?.reason],
    ['unknown', 'Accepted', 'The service accepted the request but gave no job ID.'],
  );
  assert.deepEqual(batchRowActionsOf(1, new Set([row?.state ?? ''])), ['findJob', 'openRequest', 'copy']);
});

test('rows are sorted by a column, those without a value last', () => {
  const batch = batchOf([
    { outcome: accepted('b', { status: 'error', errorCode: 10 }), sentAtMs: 3 },
    { outcome: accepted('a', { status: 'error', errorCode: 9 }) },
    { outcome: accepted('c'), sentAtMs: 20 },
  ]);
  const rows = rowsOf(batch);
  const by = (key: string, isDescending = false): string =>
    sortBatchRows(rows, { key, isDescending }, english)
      .map(({ id }) => id)
      .join(' ');
  assert.equal(by('status'), 'b a c');
  assert.equal(by('status', true), 'c b a');
  assert.equal(by('error_code'), 'a b c');
  assert.equal(by('error_code', true), 'b a c');
  assert.equal(by('submitted'), 'b c a');
  assert.equal(by('submitted', true), 'c b a');
  assert.equal(by('id', true), 'c b a');
  assert.equal(by('audio'), 'b a c');
  assert.equal(by('no such column'), 'b a c');
});

describe('Metadata of a batch', () => {
  const list = { type: 'list', template, list: 'file:///w/november.csv' } as const;
  const outcomes = ['a', 'b', 'c'].map((id) => ({ outcome: accepted(id) }));
  const rows = rowsOf(batchOf(outcomes, { leftOut: [{ row: 14, reason: 'no URL' }] }), [
    jobOf('a', { custom_metadata: { title: 'One', Guest: 'Zoë', take: 10, tags: ['x', 'y'] } }),
    jobOf('b', { custom_metadata: { title: 'Two', Guest: '=Ada', take: 9, room: { floor: 3 } } }),
  ]);
  const keysOf = (source: Batch['plan']['source'], mask = unmasked): readonly string[] =>
    batchColumnKeys(source, rows, mask).slice(usualColumns.length);
  const shownKeys = (source: Batch['plan']['source'], labelKeys: readonly string[] = ['name', 'title']): string =>
    usualBatchLayout(source, batchColumnKeys(source, rows, unmasked), labelKeys)
      .columns.map(({ key }) => key)
      .filter((_, place) => place > 2 && place < 7)
      .join(' ');

  it('can be columns, from the list and from the jobs', () => {
    assert.deepEqual(keysOf({ ...list, metadataKeys: ['Guest', 'Season'] }), [
      'custom_metadata.Guest',
      'custom_metadata.Season',
      'custom_metadata.title',
      'custom_metadata.take',
      'custom_metadata.tags',
    ]);
    assert.ok(keysOf({ type: 'files', files: [] }).includes('custom_metadata.Guest'));
  });

  it('are columns before the audio if they come from the list: the first two that are not the title', () => {
    assert.equal(shownKeys(list), 'error_code audio submitted id');
    const metadataKeys = ['title', 'Guest', 'name', 'Season'];
    assert.equal(shownKeys({ ...list, metadataKeys }), 'error_code custom_metadata.title custom_metadata.Guest audio');
    assert.equal(
      shownKeys({ ...list, metadataKeys }, ['title']),
      'error_code custom_metadata.Guest custom_metadata.name audio',
    );
    assert.equal(
      shownKeys({ type: 'resubmit', jobs: [], metadataKeys }, ['title']),
      'error_code custom_metadata.Guest custom_metadata.name audio',
      'the same for the jobs of a list that are resubmitted',
    );
    assert.equal(
      shownKeys({ ...list, metadataKeys: ['name'], titleKey: 'title' }, ['title', 'name']),
      'error_code custom_metadata.name audio submitted',
    );
  });

  it('are among the columns without values if no job that was read has them', () => {
    const keys = ['reason', 'id', 'custom_metadata.Guest', 'custom_metadata.Season'];
    assert.deepEqual(emptyBatchColumns(rows, keys, english), ['custom_metadata.Season']);
    assert.deepEqual(emptyBatchColumns(rows.slice(0, 3), keys, english), ['reason', 'custom_metadata.Season']);
  });

  it('are shown, copied without formulas and sorted', () => {
    const columns = ['Guest', 'take', 'tags', 'room', '=1'].map((key) => ({
      key: `custom_metadata.${key}`,
      width: 140,
    }));
    const cells = showBatchRows(rows, columns, english, unmasked).map((row) => row.cells);
    assert.deepEqual(cells, [
      [undefined, undefined, undefined, undefined, undefined],
      ['Zoë', '10', 'x, y', undefined, undefined],
      ['=Ada', '9', undefined, undefined, undefined],
      [undefined, undefined, undefined, undefined, undefined],
    ]);
    assert.equal(
      batchRowsText(rows.slice(1, 3), columns, english, unmasked),
      'Guest\ttake\ttags\troom\t\'=1\nZoë\t10\t"x, y"\t\t\n\'=Ada\t9\t\t\t',
    );
    const sorted = sortBatchRows(rows, { key: 'custom_metadata.take', isDescending: false }, english);
    assert.deepEqual(
      sorted.map(({ id }) => id),
      ['b', 'a', 'c', undefined],
    );
  });

  it('are neither named by the key nor by long texts, and are limited', () => {
    const mask = new KeyMask('sk-secret-1234');
    const metadata = { 'for sk-secret-1234': 'a', ['k'.repeat(500)]: 'b', fine: 'c' };
    const [row] = rowsOf(batchOf(outcomes.slice(0, 1)), [jobOf('a', { custom_metadata: metadata })]);
    assert.ok(row !== undefined);
    const keys = batchColumnKeys(undefined, [row], (text) => mask.apply(text));
    assert.deepEqual(keys.slice(usualColumns.length), ['custom_metadata.fine']);
    const many = Array.from({ length: 1000 }, (_, at) => `${at}`);
    assert.equal(keysOf({ ...list, metadataKeys: many }).length, 250);
  });
});

test('times are shown without the date if all are of one day, and copied with it', () => {
  const submitted = usualColumns.filter(({ key }) => key === 'submitted');
  const cellOf = (...times: readonly (number | undefined)[]): string | undefined => {
    const rows = rowsOf(batchOf(times.map((sentAtMs) => ({ sentAtMs }))));
    const [first] = showBatchRows(rows, submitted, english, unmasked, commonTimeFormat(rows, english));
    return first?.cells[0]?.replace('\u202F', ' ');
  };
  assert.equal(cellOf(0, 86_399_999, undefined), '12:00 AM');
  assert.equal(cellOf(0, 86_400_000), '1/1/70, 12:00 AM');
  assert.equal(cellOf(undefined), undefined);
  const text = batchRowsText(rowsOf(batchOf([{ sentAtMs: 0 }])), submitted, english, unmasked);
  assert.match(text, /^Submitted\n.*1\/1\/70, /);
});

test('rows are copied with headings, and without formulas', () => {
  const batch = batchOf([{ label: '=1+2', outcome: accepted('a'), sentAtMs: 0 }]);
  const columns = usualColumns.filter(({ key }) => ['label', 'status', 'id'].includes(key));
  assert.equal(batchRowsText(rowsOf(batch), columns, english, unmasked), "Title\tStatus\tID\n'=1+2\tAccepted\ta");
});

test('masks the key in what is shown and copied', () => {
  const error = { message: 'no key sk-secret-1234' };
  const echoing = jobOf('a', { result: { translation: { success: false, error } } }, { status: 'done' });
  const rows = rowsOf(batchOf([{ outcome: accepted('a') }]), [echoing]);
  const mask = new KeyMask('sk-secret-1234');
  const masked = (text: string): string => mask.apply(text);
  const reason = usualColumns.filter(({ key }) => key === 'reason');
  assert.deepEqual(showBatchRows(rows, reason, english, masked)[0]?.cells, ['Translation failed: no key •••']);
  assert.equal(batchRowsText(rows, reason, english, masked), 'Reason\nTranslation failed: no key •••');
});

test('offers only actions that the selected rows support', () => {
  const actionsOf = (count: number, ...states: readonly string[]): string =>
    batchRowActionsOf(count, new Set(states)).join(' ');
  assert.equal(actionsOf(1, 'done'), 'open saveTranscript openRequest copy');
  assert.equal(actionsOf(1, 'partly'), 'open saveTranscript resubmit openRequest copy');
  assert.equal(actionsOf(1, 'error'), 'open resubmit openRequest copy');
  assert.equal(actionsOf(1, 'unknown'), 'findJob openRequest copy');
  assert.equal(actionsOf(1, 'notSent'), 'openRequest copy');
  assert.equal(actionsOf(1, 'leftOut'), 'copy');
  assert.equal(actionsOf(9, 'done', 'error', 'unknown'), 'saveTranscript resubmit copy');
  assert.equal(batchRowActionsOf(9000, undefined).join(' '), 'saveTranscript resubmit copy');
});

test('20,000 rows of hostile names are cut, harmless and quick to sort', () => {
  const hostile = `\u202e${'x/'.repeat(100_000)}\n${'a'.repeat(100)}`;
  const file = `command:${hostile}`;
  const items = Array.from({ length: 20_000 }, (_, at) => ({
    item: `${at}`,
    label: hostile,
    file,
    outcome: accepted(hostile),
    sentAtMs: at,
  }));
  const before = threadMs();
  const rows = rowsOf(batchOf(items, { leftOut: [{ row: 1e300, reason: hostile }] }));
  const sorted = sortBatchRows(rows, { key: 'label', isDescending: true }, english);
  const neededMs = threadMs() - before;
  const shown = showBatchRows(sorted.slice(0, 400), usualColumns, english, unmasked);
  for (const { cells } of shown) {
    for (const cell of cells) {
      assert.ok(cell === undefined || cell.length <= 500, String(cell?.length));
      assert.doesNotMatch(cell ?? '', /[\u202e\n]/);
    }
  }
  assert.ok(neededMs < 3000 * measureSlowness(), `${neededMs} ms`);
});

test('widths that the user has set are kept for columns that are not shown, up to a bound, and read only if valid', () => {
  const shown = usualColumns.map((each) => (each.key === 'label' ? { ...each, width: 333 } : each));
  const guest = { key: 'custom_metadata.guest', width: 99 };
  const stored = encodeBatchWidths([guest, { key: 'label', width: 200 }], shown);
  assert.deepEqual(decodeBatchWidths(JSON.parse(JSON.stringify(stored))), [{ key: 'label', width: 333 }, guest]);
  const many = Array.from({ length: 1000 }, (_, at) => ({ key: `custom_metadata.${at}`, width: 100 }));
  assert.ok(encodeBatchWidths(many, shown).columns.length < 500);
  for (const hostile of [{}, { ...stored, version: 2 }, { ...stored, columns: [{ key: 'label', width: 1e9 }] }])
    assert.throws(() => decodeBatchWidths(hostile));
});
