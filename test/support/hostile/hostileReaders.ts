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
import { buildJobView } from '../../../src/features/details/common/buildJobView.ts';
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
import { pageHandshake } from '../../../src/base/pageHandshake.ts';
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
import { extensionId, readJobLink } from '../../../src/jobs/common/jobLink.ts';
import { harmlessJson } from '../../../src/base/outsideText.ts';
import { checkRequest } from '../../../src/language/check.ts';
import { describeEffect } from '../../../src/language/effect.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { understandPaste } from '../../../src/language/pasted.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { decodeHandledRecord } from '../../../src/features/attention/common/handledMarks.ts';
import { storedFailures, storedWatchedJobs } from '../../../src/features/watch/common/watchPlan.ts';
import { readPage } from '../../../src/jobs/node/api/readPage.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { schemaErrors } from '../../unit/language/schemaCheck.ts';
import { markedKey } from './keyForms.ts';
import { isFailure } from '../../../src/base/failure.ts';
import { bareJob } from '../builders/bareJob.ts';
import { assertQuick, joinParts, maxBlockMs, nested } from './quickSteps.ts';

/** Max number of characters of an item that is read completely: only the small fields of a larger item are read. */
const maxItemLength = 250_000;

const locale = { language: 'en', timeZone: 'UTC' };
const rowFacts: RowFacts = { labelKeys: ['title', 'customer'], errorLabels: {}, nowMs: 0, locale };
const viewFacts = { title: 'a', nowMs: 0, locale, errorLabels: {} };
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

  const quick = (readers: Parameters<typeof assertQuick>[0]): void => assertQuick(readers, maxMs);
  const many = (part: (index: number) => string, length = itemLength): string => joinParts(part, length);
  const long = (unit: string): string => unit.repeat(itemLength / unit.length);

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
      quick({
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
            mask: (text) => text,
            maskJson: (json) => json,
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
      quick({
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
      quick({
        views: () => savedViewsSetting().read(value),
        ...Object.fromEntries(Object.entries(shapes).map(([setting, shape]) => [setting, () => shape.read(value)])),
      });
    });
  }

  test('rows with many candidate keys for a label are rendered at once', () => {
    const labelKeys = settingShapes(connections).labelKeys.read(filled('nothing')).value ?? [];
    const raw = `{"id":"a","custom_metadata":{${many((index) => `"key${index}":1`)}}}`;
    assert.equal(labelKeys.length, 200);
    quick({
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
      quick({
        board: () => attempt(boardToHost, message),
        page: () => attempt(pageToHost, message),
        handshake: () => attempt(pageHandshake, message),
        state: () => attempt(pageState, message),
        layout: () => attempt(decodeLayout, message),
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
      quick({ rows: () => rowsOf(given, []) });
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
      quick({ link: () => readJobLink({ authority: extensionId, path: '/job', query, fragment: '' }) });
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
      quick({
        tool: () => attempt(() => readToolInput('checkRequest', { request: text }), undefined),
        parse: () => parseRequest(text),
        check: () => checkRequest(request, schemaErrors, context, { limit: 100 }),
        effect: () => describeEffect(request.body, context.knowledge),
        paste: () => understandPaste(parseRequest('{}'), { offset: 1, length: 0 }, text),
      });
    });
  }

  const longer = (unit: string): string => unit.repeat(resultLength / unit.length);
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
      quick({ page: () => readAnswer(text) });
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
      quick({
        watched: () => attempt(storedWatchedJobs.decode, state),
        failures: () => attempt(storedFailures.decode, state),
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
      quick({
        document: () => harmlessJson(text),
        bounded: () => bounded(text),
        answer: () => jsonAnswer({ text }, (each) => keyMask.apply(each)),
      });
    });
  }

  test('there are at least 120 hostile inputs besides results', () => {
    const all = [items, settings, messages, commandArguments, links, requests, answers, states, texts];
    const inputs = all.reduce((sum, each) => sum + Object.keys(each).length, 0);
    assert.ok(inputs >= 120, String(inputs));
  });
}
