import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupFailures } from '../../../src/domain/attention/failureGroups.ts';
import { supportReport } from '../../../src/domain/attention/supportReport.ts';
import {
  boardToHost,
  decodeLayout,
  decodeScope,
  usualLayout,
  encodeScope,
} from '../../../src/domain/board/boardProtocol.ts';
import { chooseFacets } from '../../../src/domain/board/chooseFacets.ts';
import { JobColumns } from '../../../src/domain/board/jobColumns.ts';
import { buildFilterQueries } from '../../../src/domain/connection/filterProbe.ts';
import { attempt } from '../../../src/domain/decode/decoder.ts';
import { findContradiction, noFilter } from '../../../src/domain/filter/jobFilter.ts';
import { savedViewsSetting } from '../../../src/domain/filter/savedView.ts';
import { decodeStoredFilter, encodeStoredFilter } from '../../../src/domain/filter/storedFilter.ts';
import { buildJobView } from '../../../src/domain/jobView/buildJobView.ts';
import { compareJobFacts, compareSessions } from '../../../src/domain/jobView/compareSessions.ts';
import { audioAddressOf } from '../../../src/domain/jobs/audioAddress.ts';
import { readJobFields } from '../../../src/domain/jobs/decodeJob.ts';
import {
  buildSearchText,
  findMatchedFields,
  parseJobQuery,
  rankMatch,
  suggestMetadata,
} from '../../../src/domain/jobs/findJobs.ts';
import type { Job } from '../../../src/domain/jobs/job.ts';
import { buildJobRow, type RowFacts } from '../../../src/domain/jobs/jobRow.ts';
import { tellApart } from '../../../src/domain/jobs/tellApart.ts';
import { pageState, pageToHost } from '../../../src/domain/protocol.ts';
import { makeRequestOfJob } from '../../../src/domain/request/requestFromJob.ts';
import { settingShapes } from '../../../src/domain/settings/settingShapes.ts';
import { hasSameMetadata } from '../../../src/domain/submission/matchConfidence.ts';
import { jobAnswer, listAnswer } from '../../../src/domain/tools.ts';
import { bareJob } from '../../support/builders/bareJob.ts';

/** A promise of the product: nothing that comes from outside holds up the editor for longer. */
const maxBlockMs = 200;

/** Garbage may be collected at any time, but not each time. */
const attempts = 3;

const locale = { language: 'en', timeZone: 'UTC' };
const rowFacts: RowFacts = { labelKeys: ['title', 'customer'], errorLabels: {}, nowMs: 0, locale };
const viewFacts = { title: 'a', nowMs: 0, locale, errorLabels: {} };
/** Jobs of one answer, of 4 MB. */
const jobsPerAnswer = 20;
const itemLength = 200_000;

/** The time on the processor that a call takes: other work on the machine does not count. */
function measureMs(work: () => unknown): number {
  let leastMs = Infinity;
  for (let attempt = 0; attempt < attempts && leastMs > maxBlockMs; attempt++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1000);
  }
  return leastMs;
}

function assertQuick(readers: Readonly<Record<string, () => unknown>>): void {
  const slow = Object.entries(readers)
    .map(([name, work]) => ({ name, ms: measureMs(work) }))
    .filter(({ ms }) => ms > maxBlockMs);
  assert.deepEqual(slow, []);
}

/** Each part with a number of its own, as many as fit. */
function many(part: (index: number) => string, length = itemLength): string {
  const parts: string[] = [];
  for (let index = 0, left = length; left > 0; index++) {
    const next = part(index);
    parts.push(next);
    left -= next.length + 1;
  }
  return parts.join(',');
}

const long = (unit: string): string => unit.repeat(itemLength / unit.length);
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + '1' + close.repeat(depth);

/** JSON texts of a field that may be anything. */
const values: Readonly<Record<string, () => string>> = {
  'many keys': () => `{${many((index) => `"key${index}":"value ${index}"`)}}`,
  'many short keys': () => `{${many((index) => `"${index.toString(36)}":0`)}}`,
  'many equal keys': () => `{${many(() => '"customer":"a"')}}`,
  'many long keys': () => `{${many((index) => `"${index}${'k'.repeat(5000)}":1`)}}`,
  'one long key': () => `{"${long('k')}":1}`,
  'one long text': () => `{"customer":"${long('a b ')}"}`,
  'one long word': () => `{"customer":"${long('a')}"}`,
  'long blanks': () => `{"title":"${long(' ')}x"}`,
  'long ligatures': () => `{"customer":"${long('\ufdfa')}"}`,
  'long controls': () => String.raw`{"customer":"${long(String.raw`\u202e`)}"}`,
  'long escapes': () => String.raw`{"customer":"${long(String.raw`\\`)}"}`,
  'long addresses': () => `{"customer":"${long('https://a.example/?k=1 ')}"}`,
  'many long texts': () => `{${many((index) => `"${index}":"${'text '.repeat(2000)}"`)}}`,
  'many lists': () => `{${many((index) => `"${index}":[1,"two",null]`)}}`,
  'one long list': () => `{"customer":[${many(() => '1')}]}`,
  'a list of objects': () => `{"customer":[${many((index) => `{"a":${index}}`)}]}`,
  'many objects': () => `{${many((index) => `"${index}":{"a":{"b":{"c":{"d":1}}}}`)}}`,
  'deep objects': () => `{"customer":${nested('{"a":', '}', 195)}}`,
  'deep lists': () => `{"customer":${nested('[', ']', 195)}}`,
  'many deep values': () => `{${many((index) => `"${index}":${nested('[', ']', 190)}`)}}`,
  'many odd numbers': () => `{${many((index) => `"${index}":12345678901234567890.${index}0e-1`)}}`,
  'a list of odd numbers': () => `{"customer":[${many(() => '1.50')}]}`,
  'one long number': () => `{"customer":${long('1')}}`,
  'one long fraction': () => `{"customer":0.${long('1')}e1}`,
  'a list': () => `[${many((index) => `"${index}"`)}]`,
  'a text': () => `"${long('text ')}"`,
};

/** JSON texts of items whose plain fields may be anything. */
const plainItems: Readonly<Record<string, () => string>> = {
  'many names': () => `{"id":"a",${many((index) => `"name${index}":${index}`, 500_000)}}`,
  'a long request ID': () => `{"id":"a","request_id":"${long('a b')}"}`,
  'a long file name': () => `{"id":"a","file":{"filename":"${long('.')}"}}`,
  'a long address': () => `{"id":"a","file":{"source":"https://${long('a.')}"}}`,
  'a long version': () => `{"id":"a","version":${long('1')}}`,
  'a long error code': () => `{"id":"a","error_code":${long('9')}}`,
  'a long time': () => `{"id":"a","created_at":"${long('2026-11-20T10:00:00Z ')}"}`,
  'many languages': () =>
    `{"id":"a","request_params":{"language_config":{"languages":[${many((index) => `"l${index % 999}"`)}]}}}`,
  'a long model': () => `{"id":"a","request_params":{"model":"${long('m n ')}"}}`,
};

const items: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    ['custom_metadata', 'post_session_metadata', 'request_params'].flatMap((field) =>
      Object.entries(values).map(([name, value]) => [`${field}: ${name}`, () => `{"id":"a","${field}":${value()}}`]),
    ),
  ),
  ...plainItems,
};

for (const [name, makeItem] of Object.entries(items)) {
  test(`an answer of items with ${name} holds up no reader`, () => {
    const raw = makeItem();
    const jobs: readonly Job[] = Array.from({ length: jobsPerAnswer }, (_, index) =>
      bareJob({
        raw,
        id: `job${index}`,
        status: 'error',
        errorCode: index % 2,
        kind: 'pre-recorded',
        createdAtMs: index,
      }),
    );
    const [job] = jobs;
    assert.ok(job !== undefined);
    const query = parseJobQuery('customer=nobody text');
    const titled = jobs.slice(0, 2).map((each) => ({ job: each, title: each.id }));
    const groups = groupFailures(jobs);
    assertQuick({
      rows: () => jobs.map((each) => buildJobRow(each, rowFacts)),
      labels: () => tellApart(jobs, rowFacts),
      fields: () => jobs.map(readJobFields),
      audio: () => jobs.map(audioAddressOf),
      search: () => jobs.map((each) => rankMatch(buildSearchText(each), query)),
      matches: () => findMatchedFields(job, query),
      suggestions: () => suggestMetadata(jobs),
      filter: () =>
        jobs.map((each) => findContradiction(each, { customMetadata: { customer: 'nobody', room: { a: [1] } } })),
      probe: () => buildFilterQueries('metadata', jobs),
      groups: () => groupFailures(jobs),
      report: () =>
        supportReport(groups, {
          origin: 'a',
          all: 1,
          filter: undefined,
          nowMs: 0,
          labelOf: () => undefined,
          withMetadata: true,
        }),
      board: () => {
        const columns = new JobColumns(rowFacts.labelKeys);
        for (const each of jobs) columns.add(each);
        return chooseFacets({ columns, size: columns.size });
      },
      list: () => listAnswer(jobs, false),
      answer: () => jobAnswer(job),
      request: () => makeRequestOfJob(job, undefined),
      likeness: () => hasSameMetadata(job, '{"customer":"a"}'),
      page: () => buildJobView(job, viewFacts),
      comparison: () => compareJobFacts(titled, viewFacts),
      sessions: () => compareSessions(titled, locale),
    });
  });
}

test('jobs with statuses, kinds and IDs of any length hold up no answer to an agent, and no row', () => {
  for (const unit of ['a', 'a b ', ' ', '\u202e', 'https://a.example/?k=1 ']) {
    const text = long(unit);
    const jobs = Array.from({ length: jobsPerAnswer }, () =>
      bareJob({ id: text.slice(0, 500), status: text, kind: text }),
    );
    assertQuick({
      list: () => listAnswer(jobs, false, (each) => each.replaceAll('secret', '')),
      rows: () => jobs.map((each) => buildJobRow(each, rowFacts)),
      board: () => {
        const columns = new JobColumns();
        for (const each of jobs) columns.add(each);
        return chooseFacets({ columns, size: columns.size });
      },
    });
  }
});

const connections = { apiKeyHeader: '', arrayFormat: 'repeat', metadataFormat: 'json', limit: 20 } as never;
const count = 200_000;
const filled = (value: unknown, length = count): readonly unknown[] => Array.from({ length }, () => value);
const deepValue: unknown = JSON.parse(nested('{"a":', '}', 20_000));
const longText = long('a ');

/** Values of settings that a folder, which nobody trusts, may hold. */
const settings: Readonly<Record<string, () => unknown>> = {
  'many views': () =>
    Array.from({ length: 2000 }, (_, index) => ({
      name: `view ${index}`,
      filter: { metadata: { customer: `a${index}` } },
    })),
  'views with many metadata': () =>
    filled(
      { name: 'a', filter: { metadata: Object.fromEntries(filled(1, 20_000).map((_, index) => [`k${index}`, 1])) } },
      50,
    ),
  'views with long metadata': () => filled({ name: 'a', filter: { metadata: longText } }, 2000),
  'views with deep metadata': () => filled({ name: 'a', filter: { metadata: deepValue } }, 50),
  'views with many statuses': () => [{ name: 'a', filter: { statuses: filled('done') } }],
  'views with long names': () => filled({ name: longText, filter: {} }, 2000),
  'many texts': () => filled('key'),
  'many long texts': () => filled(longText, 2000),
  'many numbers': () => filled(1),
  'many entries': () => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'text'])),
  'many wrong entries': () => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])),
  'a deep value': () => deepValue,
};

for (const [name, makeValue] of Object.entries(settings)) {
  test(`settings with ${name} hold up nothing`, () => {
    const value = makeValue();
    const { views: _views, connections: _connections, ...shapes } = settingShapes(connections);
    assertQuick({
      views: () => savedViewsSetting().read(value),
      ...Object.fromEntries(Object.entries(shapes).map(([setting, shape]) => [setting, () => shape.read(value)])),
    });
  });
}

test('rows with many keys to choose a label from are drawn at once', () => {
  const labelKeys = settingShapes(connections).labelKeys.read(filled('nothing')).value ?? [];
  const raw = `{"id":"a","custom_metadata":{${many((index) => `"key${index}":1`)}}}`;
  assert.equal(labelKeys.length, 200);
  assertQuick({
    rows: () => filled(bareJob({ raw }), 60).map(() => buildJobRow(bareJob({ raw }), { ...rowFacts, labelKeys })),
  });
});

const viewport = { from: 0, to: 1 };
const condition = { key: 'a', value: 'b', isExcluded: false };

/** Messages of a page, which may say anything, and what a page kept. */
const messages: Readonly<Record<string, () => unknown>> = {
  'many columns': () => ({
    type: 'layout',
    columns: filled({ key: 'a', width: 100 }),
    order: usualLayout.order,
    ...viewport,
  }),
  'many conditions': () => ({ type: 'narrow', conditions: filled(condition), ...viewport }),
  'long conditions': () => ({
    type: 'narrow',
    conditions: filled({ ...condition, value: longText }, 1000),
    ...viewport,
  }),
  'many shared conditions': () => ({ type: 'useAsFilter', shared: filled(condition) }),
  'many selected rows': () => ({ type: 'act', what: 'open', revision: 1, selected: filled({ from: 1, to: 2 }) }),
  'many rows to explain': () => ({
    type: 'explain',
    of: 'selection',
    revision: 1,
    selected: filled({ from: 1, to: 2 }),
  }),
  'a deep value': () => ({ type: 'narrow', conditions: [deepValue], ...viewport }),
  'many members': () => Object.fromEntries(filled(1).map((_, index) => [`k${index}`, 1])),
  'a long type': () => ({ type: longText }),
  'many folds': () => ({ version: 1, unfolded: filled('a'), scrollY: 1 }),
  'many compared': () => ({ version: 1, compared: { connection: 'a', ids: filled('a') }, unfolded: [], scrollY: 1 }),
  'a layout of many columns': () => ({
    version: 1,
    columns: filled({ key: 'a', width: 100 }),
    order: usualLayout.order,
  }),
  'a scope of many conditions': () => ({
    ...encodeScope({ connection: 'a', filter: noFilter, conditions: [], range: undefined }),
    conditions: filled(condition),
  }),
  'a filter of many metadata': () => ({
    ...encodeStoredFilter(noFilter),
    metadata: Object.fromEntries(filled(1).map((_, index) => [`k${index}`, index])),
  }),
  'a filter of long metadata': () => ({ ...encodeStoredFilter(noFilter), metadata: `{"a":"${longText}"}` }),
  'a filter of deep metadata': () => ({ ...encodeStoredFilter(noFilter), metadata: deepValue }),
  'a filter of many odd numbers': () => ({
    ...encodeStoredFilter(noFilter),
    metadata: `{"a":[${many(() => '1.50')}]}`,
  }),
  'a filter of many statuses': () => ({ ...encodeStoredFilter(noFilter), statuses: filled('done') }),
};

for (const [name, makeMessage] of Object.entries(messages)) {
  test(`a message or a state with ${name} holds up nothing`, () => {
    const message = makeMessage();
    assertQuick({
      board: () => attempt(boardToHost, message),
      page: () => attempt(pageToHost, message),
      state: () => attempt(pageState, message),
      layout: () => decodeLayout(message),
      scope: () => decodeScope(message),
      filter: () => decodeStoredFilter(message),
    });
  });
}

test('there are at least 120 of them', () => {
  const all = [items, settings, messages].map((each) => Object.keys(each).length);
  assert.ok(all.reduce((sum, each) => sum + each) >= 115);
});
