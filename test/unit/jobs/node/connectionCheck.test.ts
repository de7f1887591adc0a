import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isFailure } from '../../../../src/base/failure.ts';
import { type SampleService, startSampleService } from '../../../../src/sample/sampleService.ts';
import { checkConnection, type ConnectionCheck } from '../../../../src/jobs/node/connectionCheck.ts';
import { HttpClient } from '../../../../src/platform/http/httpClient.ts';
import { JobsApi } from '../../../../src/jobs/node/api/jobsApi.ts';
import type { Connection } from '../../../../src/connections/common/connection.ts';
import { SkippingClock } from '../../../support/faults/faultRun.ts';
import { startTranslatingService } from '../../../support/remote/translatingService.ts';
import { workConnection } from '../../../support/builders/workConnection.ts';
import { ListReader } from '../../../../src/jobs/node/list/listReader.ts';

type Styles = Pick<Connection, 'arrayFormat' | 'metadataFormat'> & Partial<Pick<Connection, 'listSource'>>;
type Translate = (query: URLSearchParams) => URLSearchParams | undefined;

const asDeclared: Styles = { arrayFormat: 'repeat', metadataFormat: 'json' };
const maxRequests = 18;

/** Ways in which services may read queries: the effect on `status`, `custom_metadata` and dates. */
const readers = {
  lastStatusOnly: (query) => withStatuses(query, query.getAll('status').slice(-1)),
  firstStatusOnly: (query) => withStatuses(query, query.getAll('status').slice(0, 1)),
  bracketsOnly: (query) => withStatuses(query, query.getAll('status[]')),
  commaOnly: (query) => withStatuses(query, (query.getAll('status').at(-1) ?? '').split(',').filter(Boolean)),
  commaIsRefused: (query) => (query.getAll('status').some((each) => each.includes(',')) ? undefined : query),
  noStatus: (query) => without(query, /^status/),
  metadataBracketsOnly: (query) => without(query, /^custom_metadata$/),
  metadataJsonIsRefused: (query) => (query.has('custom_metadata') ? undefined : query),
  noDate: (query) => without(query, /^date$/),
  noRange: (query) => without(query, /^(before|after)_date$/),
} as const satisfies Record<string, Translate>;

function withStatuses(query: URLSearchParams, statuses: readonly string[]): URLSearchParams {
  const translated = without(query, /^status/);
  for (const status of statuses) translated.append('status', status);
  return translated;
}

function without(query: URLSearchParams, name: RegExp): URLSearchParams {
  return new URLSearchParams([...query].filter(([key]) => !name.test(key)));
}

async function check(baseUrl: string, key: string, styles: Styles): Promise<ConnectionCheck> {
  const connection: Connection = { ...workConnection, baseUrl, ...styles };
  const silent = (): void => {};
  const pagesFor = (each: Connection): ListReader => {
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const surroundings = { clock: new SkippingClock(), log, random: () => 0.5 };
    const api = new JobsApi(each, new HttpClient(each, async () => key, surroundings));
    return new ListReader(() => Promise.resolve(api));
  };
  return checkConnection(connection, pagesFor, new AbortController().signal);
}

describe('Checking a connection', () => {
  let sample: SampleService;
  before(async () => {
    sample = await startSampleService({ clock: () => Date.UTC(2026, 10, 20) });
  });
  after(async () => sample.stop());

  async function checkReader(
    translate: Translate,
    styles: Styles,
    closed?: RegExp,
  ): Promise<ConnectionCheck & { paths: readonly string[] }> {
    const service = await startTranslatingService(sample.baseUrl, translate, closed);
    try {
      return { ...(await check(service.baseUrl, sample.key, styles)), paths: service.paths };
    } finally {
      await service.stop();
    }
  }

  it('recognizes a service that obeys every filter, with one or two requests for each', async () => {
    const { lists, filters, paths } = await checkReader((query) => query, asDeclared);
    assert.deepEqual(
      lists.map(({ endpoint, type }) => [endpoint, type]),
      [
        ['pre-recorded', 'answered'],
        ['live', 'answered'],
      ],
    );
    assert.deepEqual(
      filters,
      (['status', 'date', 'range', 'metadata'] as const).map((filter) => ({
        filter,
        verdict: 'obeyed',
        remedy: undefined,
      })),
    );
    assert.equal(paths.length, 10);
    assert(paths.every((path) => /limit=(?:20|100)\b/.test(path) && !path.startsWith('/v2/transcription')));
  });

  for (const [reader, styles, filter, verdict, remedy] of [
    ['lastStatusOnly', asDeclared, 'status', 'misread', { arrayFormat: 'comma' }],
    ['firstStatusOnly', asDeclared, 'status', 'misread', { arrayFormat: 'comma' }],
    ['bracketsOnly', asDeclared, 'status', 'ignored', { arrayFormat: 'brackets' }],
    ['bracketsOnly', { ...asDeclared, arrayFormat: 'brackets' }, 'status', 'obeyed', undefined],
    ['commaOnly', asDeclared, 'status', 'misread', { arrayFormat: 'comma' }],
    ['commaIsRefused', { ...asDeclared, arrayFormat: 'comma' }, 'status', 'refused', { arrayFormat: 'repeat' }],
    ['noStatus', asDeclared, 'status', 'ignored', undefined],
    ['metadataBracketsOnly', asDeclared, 'metadata', 'ignored', { metadataFormat: 'brackets' }],
    ['metadataJsonIsRefused', asDeclared, 'metadata', 'refused', { metadataFormat: 'brackets' }],
    ['noDate', asDeclared, 'date', 'ignored', undefined],
    ['noRange', asDeclared, 'range', 'ignored', undefined],
  ] as const) {
    it(`reports ${filter} as ${verdict} for a service with ${reader} and the styles ${Object.values(styles).join(' and ')}`, async () => {
      const { filters, paths } = await checkReader(readers[reader], styles);
      assert.deepEqual(
        filters.find((each) => each.filter === filter),
        { filter, verdict, remedy },
      );
      for (const other of filters) if (other.filter !== filter) assert.equal(other.verdict, 'obeyed', other.filter);
      assert(paths.length <= maxRequests, `${paths.length} requests`);
    });
  }

  it('reports how lists are limited, ordered and filtered by date', async () => {
    const { paging } = await checkReader((query) => query, asDeclared);
    assert(paging !== undefined && paging.largestItemBytes > 200);
    assert.deepEqual(
      { ...paging, largestItemBytes: 0, clockOffsetMs: 0 },
      {
        given: 100,
        isClamped: false,
        order: 'newest',
        clockOffsetMs: 0,
        largestItemBytes: 0,
        beforeIncludes: false,
        afterIncludes: false,
      },
    );
    const clamped = await checkReader((query) => {
      const limited = without(query, /^limit$/);
      limited.set('limit', String(Math.min(30, Number(query.get('limit')))));
      return limited;
    }, asDeclared);
    assert.deepEqual([clamped.paging?.given, clamped.paging?.isClamped], [30, true]);
    const { paging: unbounded } = await checkReader(readers.noRange, asDeclared);
    assert.deepEqual([unbounded?.beforeIncludes, unbounded?.afterIncludes], [undefined, undefined]);
  });

  it('stays within its max of requests if the service obeys nothing', async () => {
    const { filters, paths } = await checkReader((query) => without(query, /^(?!limit)/), asDeclared);
    assert(filters.every(({ verdict }) => verdict === 'ignored'));
    assert(paths.length <= maxRequests, `${paths.length} requests`);
  });

  it('reports filters as unclear if there are no jobs to test them with', async () => {
    const empty = await startSampleService({ count: 0 });
    try {
      const { lists, filters } = await check(empty.baseUrl, empty.key, asDeclared);
      assert.equal(lists.length, 2);
      assert.deepEqual(filters, []);
      empty.add({ status: 'queued' });
      const alone = await check(empty.baseUrl, empty.key, asDeclared);
      assert.deepEqual(
        alone.filters.map(({ filter, verdict }) => [filter, verdict]),
        [
          ['status', 'unclear'],
          ['date', 'obeyed'],
          ['range', 'unclear'],
          ['metadata', 'unclear'],
        ],
      );
    } finally {
      await empty.stop();
    }
  });

  it('tests status and metadata even if all jobs are done and alike', async () => {
    const alike = await startSampleService({ count: 0, clock: () => Date.UTC(2026, 10, 20) });
    try {
      for (let nth = 0; nth < 3; nth++) alike.add({ status: 'done', fields: { custom_metadata: { show: 'Tides' } } });
      const { filters } = await check(alike.baseUrl, alike.key, asDeclared);
      const verdicts = Object.fromEntries(filters.map(({ filter, verdict }) => [filter, verdict]));
      assert.equal(verdicts['status'], 'obeyed');
      assert.equal(verdicts['metadata'], 'obeyed');
      assert.equal(verdicts['range'], 'unclear');
    } finally {
      await alike.stop();
    }
  });

  it('queries only the combined endpoint for a connection that uses it', async () => {
    const { lists, paths } = await checkReader((query) => query, { ...asDeclared, listSource: 'combined' });
    assert.deepEqual(
      lists.map(({ endpoint, type }) => [endpoint, type]),
      [['combined', 'answered']],
    );
    assert(paths.every((path) => path.startsWith('/v2/transcription')));
  });

  it('keeps the results of one list if the other one fails', async () => {
    const { lists, filters } = await checkReader((query) => query, asDeclared, /^\/v2\/live/);
    assert.deepEqual(
      lists.map((list) => (list.type === 'failed' ? list.failure.code : list.type)),
      ['answered', 'rejected'],
    );
    assert.equal(filters.length, 4);
  });

  it('fails with the cause if no list responds', async () => {
    await assert.rejects(check(sample.baseUrl, 'wrong', asDeclared), (error) => isFailure(error, 'keyRejected'));
  });
});
