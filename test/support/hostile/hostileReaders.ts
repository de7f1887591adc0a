import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupFailures } from '../../../src/features/attention/common/failureGroups.ts';
import { supportReport } from '../../../src/features/attention/common/supportReport.ts';
import { boardToHost } from '../../../src/features/board/common/boardProtocol.ts';
import {
  decodeLayout,
  decodeScope,
  usualLayout,
  encodeScope,
} from '../../../src/features/board/common/boardStorage.ts';
import { chooseFacets } from '../../../src/features/board/common/chooseFacets.ts';
import { JobColumns } from '../../../src/features/board/common/jobColumns.ts';
import { buildFilterQueries } from '../../../src/jobs/common/filterProbe.ts';
import { attempt } from '../../../src/base/decode/decoder.ts';
import { findContradiction, findMetadata, noFilter } from '../../../src/jobs/common/jobFilter.ts';
import { savedViewsSetting } from '../../../src/features/views/common/savedView.ts';
import { decodeStoredFilter, encodeStoredFilter } from '../../../src/jobs/common/storedFilter.ts';
import { buildJobView, isTooLargeToShow } from '../../../src/features/details/common/buildJobView.ts';
import { compareJobFacts, compareSessions } from '../../../src/features/details/common/compareSessions.ts';
import { audioAddressOf } from '../../../src/jobs/common/audioAddress.ts';
import { readJobFields } from '../../../src/jobs/common/decodeJob.ts';
import {
  buildSearchText,
  findMatchedFields,
  parseJobQuery,
  rankMatch,
  suggestMetadata,
} from '../../../src/jobs/common/findJobs.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { buildJobRow, type RowFacts } from '../../../src/jobs/common/jobRow.ts';
import { distinguish } from '../../../src/features/tree/common/distinguish.ts';
import { pageState, pageToHost } from '../../../src/features/details/common/protocol.ts';
import { makeRequestOfJob } from '../../../src/features/requests/common/requestFromJob.ts';
import { settingShapes } from '../../../src/settingShapes.ts';
import { hasSameMetadata } from '../../../src/features/submit/common/matchConfidence.ts';
import {
  bounded,
  jobAnswer,
  jsonAnswer,
  listAnswer,
  readToolInput,
} from '../../../src/features/agents/common/tools.ts';
import { rowsOf } from '../../../src/features/tree/common/commandArguments.ts';
import { readJobLink } from '../../../src/jobs/common/jobLink.ts';
import { harmlessJson } from '../../../src/base/outsideText.ts';
import { checkRequest } from '../../../src/language/check.ts';
import { describeEffect } from '../../../src/language/effect.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { understandPaste } from '../../../src/language/pasted.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import {
  chooseTranscriptFiles,
  readSavableResult,
  writeTranscriptFile,
} from '../../../src/jobs/common/savedTranscript.ts';
import { transcriptFormats, type TranscriptFormat } from '../../../src/jobs/common/transcriptFormats.ts';
import { formatJsonInParts } from '../../../src/base/json/formatJson.ts';
import { decodeHandledRecord } from '../../../src/features/attention/common/handledMarks.ts';
import { storedFailures, storedWatchedJobs } from '../../../src/features/watch/common/watchPlan.ts';
import { readPage } from '../../../src/jobs/node/api/readPage.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { schemaErrors } from '../../unit/language/schemaCheck.ts';
import { markedKey } from './keyForms.ts';
import { isFailure } from '../../../src/base/failure.ts';
import { finish } from '../finish.ts';
import { bareJob } from '../builders/bareJob.ts';
import { measureSlowness } from './hostileGuard.ts';

/** Max time that external data may block the editor, in milliseconds: a guarantee of the product. */
const maxBlockMs = 200;

/** Garbage collection may slow down any attempt, but not each one. */
const attempts = 3;

/** Max number of characters of an item that is read completely: only the small fields of a larger item are read. */
const maxItemLength = 250_000;

const locale = { language: 'en', timeZone: 'UTC' };
const rowFacts: RowFacts = { labelKeys: ['title', 'customer'], errorLabels: {}, nowMs: 0, locale };
const viewFacts = { title: 'a', nowMs: 0, locale, errorLabels: {} };
/** Work at once, or in steps between which the event loop continues. */
type Work = () => unknown;

/** Measures the CPU time of the longest step: other work on the machine does not count. */
function measureMs(work: Work, maxMs: number): number {
  let leastMs = Infinity;
  for (let attempt = 0; attempt < attempts && leastMs > maxMs; attempt++)
    leastMs = Math.min(leastMs, longestStepMs(work));
  return leastMs;
}

function longestStepMs(work: Work): number {
  let longestMs = 0;
  const timed = <T>(step: () => T): T => {
    const before = process.threadCpuUsage();
    const result = step();
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    return result;
  };
  const made = timed(work);
  if (isSteps(made)) while (!timed(() => isOverSoon(made)));
  return longestMs;
}

/** Runs several short steps at once, because measuring each would take longer. */
function isOverSoon(steps: Generator): boolean {
  const endMs = performance.now() + 1;
  do if (steps.next().done === true) return true;
  while (performance.now() < endMs);
  return false;
}

function isSteps(value: unknown): value is Generator {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value;
}

/**
 * Declares a test for each hostile input of each reader: no step may take longer than the product guarantees.
 * @param scale of all sizes and numbers of items, settings and messages
 * @param resultLength of results and responses, in characters
 */
export function testHostileReaders(scale: number, resultLength: number): void {
  // The amount that is read of each item is bounded, so not all times are proportional.
  const maxMs = maxBlockMs * Math.max(scale, 0.5);
  const itemLength = maxItemLength * scale;
  /** Number of jobs in one response. */
  const jobsPerAnswer = 20 * scale;
  /** Number of items that fit in a response of 32 MiB, and max number that an agent gets at once. */
  const jobsPerPage = 130 * scale;
  const jobsListed = 50 * scale;

  function assertQuick(readers: Readonly<Record<string, Work>>, limitMs = maxMs): void {
    const slow = Object.entries(readers)
      .map(([name, work]) => ({ name, ms: measureMs(work, limitMs) }))
      .filter(({ ms }) => ms > limitMs && ms > limitMs * measureSlowness());
    assert.deepEqual(slow, []);
  }

  /** Joins numbered parts, as many as fit. */
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

  /** JSON texts of a field with any value. */
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

  /** JSON texts of items whose plain fields have any value. */
  const plainItems: Readonly<Record<string, () => string>> = {
    'many names': () => `{"id":"a",${many((index) => `"name${index}":${index}`)}}`,
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
    test(`a response with items with ${name} blocks no reader`, () => {
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
      const page = Array.from({ length: jobsPerPage }, () => job);
      const listed = page.slice(0, jobsListed);
      const filtered = { customMetadata: { customer: 'nobody', room: { a: [1] } } };
      assertQuick({
        rows: () => jobs.map((each) => buildJobRow(each, rowFacts)),
        labels: () => distinguish(jobs, rowFacts),
        fields: () => jobs.map(readJobFields),
        audio: () => jobs.map(audioAddressOf),
        search: () => jobs.map((each) => rankMatch(buildSearchText(each), query)),
        matches: () => findMatchedFields(job, query),
        suggestions: () => suggestMetadata(jobs),
        filter: function* () {
          // What was found is remembered for each job.
          const jobsOfPage = page.map((each) => ({ ...each }));
          yield* findMetadata(jobsOfPage, filtered);
          jobsOfPage.map((each) => findContradiction(each, filtered));
        },
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
        list: () => listAnswer(listed, false),
        answer: () => jobAnswer(job),
        request: () => makeRequestOfJob(job, undefined),
        likeness: () => hasSameMetadata(job, '{"customer":"a"}'),
        page: () => buildJobView(job, viewFacts),
        comparison: () => compareJobFacts(titled, viewFacts),
        sessions: () => compareSessions(titled, locale),
      });
    });
  }

  test('jobs with statuses, kinds and IDs of any length block no result for an agent, and no row', () => {
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
  const count = 200_000 * scale;
  const filled = (value: unknown, length = count): readonly unknown[] => Array.from({ length }, () => value);
  const deepValue: unknown = JSON.parse(nested('{"a":', '}', 20_000 * scale));
  const longText = long('a ');

  /** Values of settings in an untrusted folder. */
  const settings: Readonly<Record<string, () => unknown>> = {
    'many views': () =>
      Array.from({ length: 2000 * scale }, (_, index) => ({
        name: `view ${index}`,
        filter: { metadata: { customer: `a${index}` } },
      })),
    'views with many metadata': () =>
      filled(
        {
          name: 'a',
          filter: { metadata: Object.fromEntries(filled(1, 20_000 * scale).map((_, index) => [`k${index}`, 1])) },
        },
        50,
      ),
    'views with long metadata': () => filled({ name: 'a', filter: { metadata: longText } }, 2000 * scale),
    'views with deep metadata': () => filled({ name: 'a', filter: { metadata: deepValue } }, 50),
    'views with many statuses': () => [{ name: 'a', filter: { statuses: filled('done') } }],
    'views with long names': () => filled({ name: longText, filter: {} }, 2000 * scale),
    'many texts': () => filled('key'),
    'many long texts': () => filled(longText, 2000 * scale),
    'many numbers': () => filled(1),
    'many entries': () => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'text'])),
    'many wrong entries': () => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])),
    'a deep value': () => deepValue,
  };

  for (const [name, makeValue] of Object.entries(settings)) {
    test(`settings with ${name} block nothing`, () => {
      const value = makeValue();
      const { views: _views, connections: _connections, ...shapes } = settingShapes(connections);
      assertQuick({
        views: () => savedViewsSetting().read(value),
        ...Object.fromEntries(Object.entries(shapes).map(([setting, shape]) => [setting, () => shape.read(value)])),
      });
    });
  }

  test('rows with many candidate keys for a label are rendered at once', () => {
    const labelKeys = settingShapes(connections).labelKeys.read(filled('nothing')).value ?? [];
    const raw = `{"id":"a","custom_metadata":{${many((index) => `"key${index}":1`)}}}`;
    assert.equal(labelKeys.length, 200);
    assertQuick({
      rows: () =>
        filled(bareJob({ raw }), 60 * scale).map(() => buildJobRow(bareJob({ raw }), { ...rowFacts, labelKeys })),
    });
  });

  const viewport = { from: 0, to: 1 };
  const condition = { key: 'a', value: 'b', isExcluded: false };

  /** Messages and stored states of a page, with any content. */
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
      conditions: filled({ ...condition, value: longText }, 1000 * scale),
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
    test(`a message or a state with ${name} blocks nothing`, () => {
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

  /** Arguments that other extensions may pass to commands. */
  const commandArguments: Readonly<Record<string, () => readonly unknown[]>> = {
    'many rows': () => [{ type: 'job', kind: 'live', id: 'a' }, filled({ type: 'job', kind: 'live', id: 'a' })],
    'many rows of nothing': () => [{ type: 'kind', kind: 'live' }, filled({})],
    'many members': () => [Object.fromEntries(filled(1).map((_, index) => [`k${index}`, 1]))],
    'long names': () => [{ type: 'kind', kind: longText }, filled({ type: 'job', kind: longText, id: longText })],
    'a deep value': () => [deepValue, [deepValue]],
  };

  for (const [name, makeArguments] of Object.entries(commandArguments)) {
    test(`a command with ${name} blocks nothing`, () => {
      const given = makeArguments();
      assertQuick({ rows: () => rowsOf(given, []) });
    });
  }

  /** Links from any author. */
  const links: Readonly<Record<string, () => string>> = {
    'a long query': () => longText,
    'a long ID': () => `kind=live&id=${long('a')}&created=2026-01-01T00:00:00.000Z&origin=https://a.example`,
    'many escapes': () => `kind=live&id=${long('%41')}&created=2026-01-01T00:00:00.000Z&origin=https://a.example`,
    'many fields': () => long('kind=live&'),
    'a long time': () => `kind=live&id=a&created=2026-${long('0')}&origin=https://a.example`,
    'a long origin': () => `kind=live&id=a&created=2026-01-01T00:00:00.000Z&origin=https://${long('a.')}`,
  };

  for (const [name, makeQuery] of Object.entries(links)) {
    test(`a link with ${name} blocks nothing`, () => {
      const query = makeQuery();
      const authority = 'transcription-jobs.transcription-jobs';
      assertQuick({ link: () => readJobLink({ authority, path: '/job', query, fragment: '' }) });
    });
  }

  /** Request bodies of the max length that a model may send. */
  const requests: Readonly<Record<string, () => string>> = {
    'many unknown fields': () => `{${many((index) => `"field${index}":${index}`)}}`,
    'many fields that are nearly known': () => `{${many((index) => `"audio_ur${index % 10}l${index}":1`)}}`,
    'one field many times': () => `{${many(() => '"audio_url":"https://a.example/a.wav"')}}`,
    'many languages': () => `{"language_config":{"languages":[${many((index) => `"l${index}"`)}]}}`,
    'one language many times': () => `{"language_config":{"languages":[${many(() => '"en"')}]}}`,
    'many terms': () => `{"custom_vocabulary_config":{"vocabulary":[${many((index) => `"term ${index}"`)}]}}`,
    'one term many times': () => `{"custom_vocabulary_config":{"vocabulary":[${many(() => '"a term"')}]}}`,
    'many wrong terms': () => `{"custom_vocabulary_config":{"vocabulary":[${many((index) => String(index))}]}}`,
    'many formats': () => `{"subtitles_config":{"formats":[${many((index) => `"srt${index % 9}"`)}]}}`,
    'a long address': () => `{"audio_url":"https://a.example/${long('a/')}?${long('k=1&')}"}`,
    'many values of metadata': () => `{"custom_metadata":{${many((index) => `"k${index}":${index}`)}}}`,
    'no end': () => `{"a":[${many(() => '{"a":[1')}`,
    'many commas': () => `[${long(',')}]`,
    'many comments': () => `{${long('/* a */ // b\n')}}`,
    'a deep list': () => nested('[', ']', itemLength / 2),
    'long strings': () => `{"audio_url":"${long('a ')}","model":"${long('\\"')}"}`,
  };

  const context = { nowMs: 0, knowledge: findServiceKnowledge('gladia') };
  for (const [name, makeText] of Object.entries(requests)) {
    test(`a request with ${name} blocks no check and no preview`, () => {
      const text = makeText();
      const request = parseRequest(text);
      assertQuick({
        tool: () => attempt(() => readToolInput('checkRequest', { request: text }), undefined),
        parse: () => parseRequest(text),
        check: () => checkRequest(request, schemaErrors, context, { limit: 100 }),
        effect: () => describeEffect(request.body, context.knowledge),
        paste: () => understandPaste(parseRequest('{}'), { offset: 1, length: 0 }, text),
      });
    });
  }

  /** Results of jobs, each of which may be as long as a response. */
  const longer = (unit: string, length = resultLength): string => unit.repeat(length / unit.length);
  const utteranceOf = (unit: string, length?: number): string =>
    `"utterances":[{"text":"${longer(unit, length)}","start":1,"end":9}]`;
  const results: Readonly<Record<string, () => string>> = {
    'many utterances': () =>
      `"utterances":[${many((index) => `{"text":"a","start":${index},"end":${index + 1}}`, resultLength)}]`,
    'utterances in no order': () =>
      `"utterances":[${many((index) => `{"text":"a","start":${(index * 7919) % 99991},"speaker":${index % 2}}`, resultLength)}]`,
    'one long utterance': () => `"utterances":[{"text":"${longer('word ')}","start":1,"end":9}]`,
    'one long word': () => `"utterances":[{"text":"${longer('a')}","start":1,"end":9}]`,
    'many markup signs': () => `"utterances":[{"text":"${longer('*_# ')}","start":1,"end":9}]`,
    'many words': () =>
      `"utterances":[{"text":"${'a b '.repeat(99)}","start":1,"end":9,"words":[${many((index) => `{"word":"a","start":${index},"end":${index}}`, resultLength)}]}]`,
    'utterances of nothing': () => `"utterances":[${many(() => '{}', resultLength)}]`,
    'utterances of controls': () =>
      String.raw`"utterances":[${many(() => String.raw`{"text":"\u0000","start":1}`, resultLength)}]`,
    'a long text': () => `"full_transcript":"${longer('a b\\n\\n')}"`,
    'many languages': () => `"languages":[${many((index) => `"l${index}"`, resultLength)}],"full_transcript":"a"`,
    'many subtitles': () => `"subtitles":[${many(() => '{"format":"srt","subtitles":"a"}', resultLength)}]`,
    'long subtitles': () =>
      `"subtitles":[{"format":"srt","subtitles":"${longer('00:00:01,000 --> 00:00:02,000\\n')}"}]`,
    'subtitles of arrows': () => `"subtitles":[{"format":"srt","subtitles":"${longer('-->')}"}]`,
    'subtitles of line breaks': () => `"subtitles":[{"format":"vtt","subtitles":"WEBVTT\\n${longer('\\r')}"}]`,
    'many numbered subtitles': () =>
      `"subtitles":[{"format":"srt","subtitles":"${longer('1\\n00:00:01,000 --> 00:00:02,000\\n<b>a</b>\\n\\n')}"}]`,
    'subtitles of one long caption': () =>
      `"subtitles":[{"format":"srt","subtitles":"1\\n00:00:01,000 --> 00:00:02,000\\n${longer('<font <b 1\\n \\n')}"}]`,
    'deep values': () => `"utterances":[${many(() => nested('[', ']', 190), resultLength)}]`,
  };

  /** Units of utterances that are slow to break into captions. */
  const scripts: Readonly<Record<string, string>> = {
    'an utterance of combining marks': '\u0301',
    'an utterance of joined emoji': '👩\u200d',
    'an utterance of zero-width spaces': 'a\u200b',
    'an utterance of directions': '\u202eא\u202c',
    'an utterance in Arabic': 'مساء الخير، ',
    'an utterance in Chinese': '我们先来看一下上个季度的销售数据',
    'an utterance in Japanese': '彼女はたずねました',
    'an utterance in Thai': 'วันนี้เราจะคุยกันเรื่องแผนงาน',
    'an utterance of separators': '-/',
    'an utterance of a long address': 'a/b-',
    'an utterance of closing punctuation': '。」',
    'an utterance of titles': 'Dr. ',
  };

  /** In characters. Breaking captions takes microseconds for each: with longer utterances in all scripts, the test would take a quarter of an hour. */
  const subtitledLength = Math.min(resultLength, 5_000_000);
  const isSubtitles = (format: TranscriptFormat): boolean => format === 'srt' || format === 'vtt';
  const saved: readonly (readonly [string, () => string, readonly TranscriptFormat[]])[] = [
    ...Object.entries(results).map(([name, make]) => [name, make, transcriptFormats] as const),
    ...Object.entries(scripts).flatMap(
      ([name, unit]) =>
        [
          [name, () => utteranceOf(unit), transcriptFormats.filter((format) => !isSubtitles(format))],
          [`${name}, as subtitles,`, () => utteranceOf(unit, subtitledLength), transcriptFormats.filter(isSubtitles)],
        ] as const,
    ),
  ];

  for (const [name, makeTranscription, formats] of saved) {
    test(`saving a transcript with ${name} blocks nothing`, () => {
      const raw = `{"id":"a","result":{"transcription":{${makeTranscription()}}}}`;
      const keyMask = new KeyMask(markedKey);
      assertQuick({
        formatted: () => formatJsonInParts(raw),
        masked: () => keyMask.applyToJson(raw.replace('{"id":"a"', `{"id":"${markedKey}"`)),
        read: () => readSavableResult({ raw }),
      });
      const read = finish(readSavableResult({ raw }));
      assert.ok(read !== undefined);
      const { files } = chooseTranscriptFiles(read, { formats, languages: 'all' });
      assertQuick(
        Object.fromEntries(files.map((file) => [file.format, () => writeTranscriptFile(read, file, { title: 'a' })])),
      );
    });
  }

  /** Results of the max length that the page of a job shows. */
  const pageLength = Math.min(resultLength, 5_900_000);
  const pages: Readonly<Record<string, () => string>> = {
    'many utterances': () =>
      `"transcription":{"utterances":[${many((index) => `{"text":"a","start":${index},"speaker":${index % 2}}`, pageLength)}]}`,
    'utterances of nothing': () => `"transcription":{"utterances":[${many(() => '{}', pageLength)}]}`,
    'many words': () =>
      `"transcription":{"utterances":[{"text":"a","words":[${many((index) => `{"word":"a","start":${index},"end":${index}}`, pageLength)}]}]}`,
    'many add-ons': () => many((index) => `"a${index}":{"success":false}`, pageLength),
    'many entities': () =>
      `"named_entity_recognition":{"success":true,"results":[${many(() => '{"entity_type":"a","text":"b"}', pageLength)}]}`,
    'a long text': () => `"transcription":{"full_transcript":"${'a b '.repeat(pageLength / 4)}"}`,
  };

  for (const [name, makeResult] of Object.entries(pages)) {
    test(`a result with ${name} blocks no page`, () => {
      const job = bareJob({ raw: `{"id":"a","result":{${makeResult()}}}`, status: 'done' });
      // The number of parts of a page is bounded, and a short result may have as many as a long one.
      assertQuick({ page: () => (isTooLargeToShow(job) ? undefined : buildJobView(job, viewFacts)) }, maxBlockMs);
    });
  }

  /** Responses of a list, of any length that is read. */
  const answers: Readonly<Record<string, () => string>> = {
    'many items': () => `{"items":[${many((index) => `{"id":"${index}"}`, resultLength)}]}`,
    'items of nothing': () => `{"items":[${many(() => '1', resultLength)}]}`,
    'one long item': () =>
      `{"items":[{"id":"a","custom_metadata":{${many((index) => `"k${index}":1`, resultLength)}}}]}`,
    'items that are texts': () => `{"items":[${many(() => `"${'a'.repeat(1000)}"`, resultLength)}]}`,
    'a deep item': () => `{"items":[${nested('[', ']', resultLength / 2)}]}`,
    'many lists of items': () => `{${many(() => '"items":[1,2]', resultLength)}}`,
    'many members': () => `{${many((index) => `"m${index}":1`, resultLength)},"items":[]}`,
    'a long next page': () => `{"items":[],"next":"${longer('a')}"}`,
    'many escapes': () => `{"items":[{"id":"a","x":"${longer('\\"')}"}]}`,
    'no end': () => `{"items":[${longer('{"a":')}`,
    'no JSON': () => longer('<p>'),
  };

  for (const [name, makeText] of Object.entries(answers)) {
    test(`a response with ${name} blocks nothing`, () => {
      const text = makeText();
      assertQuick({ page: () => readAnswer(text) });
    });
  }

  /** Reads a page or a failure, because a failure is a response, too. */
  function* readAnswer(text: string): Generator<undefined> {
    try {
      yield* readPage(text, { kind: 'live', limit: 100 });
    } catch (error) {
      assert.ok(isFailure(error), String(error));
    }
  }

  /** Stored states of an earlier session, which may be damaged. */
  const states: Readonly<Record<string, () => unknown>> = {
    'many watched jobs': () => ({ version: 1, jobs: filled({ kind: 'live', id: 'a', connection: 'a', sinceMs: 1 }) }),
    'many failures': () => ({ version: 1, jobs: filled('a') }),
    'many long failures': () => ({ version: 1, jobs: filled(longText, 2000 * scale) }),
    'a deep value': () => deepValue,
    'many members': () => ({ version: 1, jobs: [Object.fromEntries(filled(1).map((_, index) => [`k${index}`, 1]))] }),
  };

  for (const [name, makeState] of Object.entries(states)) {
    test(`a stored state with ${name} blocks nothing`, () => {
      const state = makeState();
      assertQuick({
        watched: () => storedWatchedJobs.read(state),
        failures: () => storedFailures.read(state),
        handled: () => attempt(() => decodeHandledRecord(state), undefined),
      });
    });
  }

  /** Texts for documents and models. */
  const texts: Readonly<Record<string, () => string>> = {
    controls: () => long('\u202e'),
    surrogates: () => long('\ud800'),
    'tags of languages': () => long('\u{e0041}'),
    blanks: () => long(' '),
    'line breaks': () => long('\r\n'),
    addresses: () => long('https://a.example/?k=1 '),
  };

  for (const [name, makeText] of Object.entries(texts)) {
    test(`a text of ${name} blocks no document and no model`, () => {
      const text = makeText();
      const keyMask = new KeyMask(markedKey);
      assertQuick({
        document: () => harmlessJson(text),
        bounded: () => bounded(text),
        answer: () => jsonAnswer({ text }, (each) => keyMask.apply(each)),
      });
    });
  }

  test('there are at least 160 hostile inputs', () => {
    const all = [
      items,
      settings,
      messages,
      commandArguments,
      links,
      requests,
      results,
      scripts,
      pages,
      answers,
      states,
      texts,
    ];
    const inputs = all.reduce((sum, each) => sum + Object.keys(each).length, 0);
    assert.ok(inputs >= 160, String(inputs));
  });
}
