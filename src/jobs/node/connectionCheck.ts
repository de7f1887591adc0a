import {
  buildFilterQueries,
  type ObservedFilter,
  judgeFilter,
  type FilterAnswer,
  type FilterVerdict,
} from '../common/filterProbe.ts';
import { arrayFormats, metadataFormats, type Connection } from '../../connections/common/connection.ts';
import { isFailure, type Failure, type FailureCode } from '../../base/failure.ts';
import type { Job } from '../common/job.ts';
import type { ListEndpoint } from '../common/listParams.ts';
import { observeOrder, unseenOrder, type TimeOrder } from '../common/listOrder.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { bulkLimit } from './list/jobPager.ts';
import type { ListPage } from '../common/decodePage.ts';
import type { ListReader } from './list/listReader.ts';

/** Items to request from each list: the largest `limit` in the examples of contract 8. */
const jobsPerList = 20;

/** The response of a list endpoint to a request without filters. */
export type ListObservation =
  | { readonly endpoint: ListEndpoint; readonly type: 'answered'; readonly jobs: number; readonly hasMore: boolean }
  | { readonly endpoint: ListEndpoint; readonly type: 'failed'; readonly failure: Failure };

/** Result of checking whether a filter is obeyed, and the connection fields that make it work, if the check found any. */
export interface FilterObservation {
  readonly filter: ObservedFilter;
  readonly verdict: FilterVerdict;
  readonly remedy: QueryStyle | undefined;
}
export type QueryStyle = Partial<Pick<Connection, 'arrayFormat' | 'metadataFormat'>>;

/** How a service pages, orders and dates its lists, derived from a few responses. */
export interface PagingObservation {
  /** Number of items received when {@link bulkLimit} were requested. */
  readonly given: number;
  /** The service returned fewer items although there are more: it limits the page size. */
  readonly isClamped: boolean;
  /** Order of creation times. */
  readonly order: TimeOrder;
  /** The service's `Date` minus the local clock; undefined when the response has none. */
  readonly clockOffsetMs: number | undefined;
  /** Size of the largest item as text. */
  readonly largestItemBytes: number;
  /** Whether the bound includes a job created at that exact instant; undefined when not observed. */
  readonly beforeIncludes: boolean | undefined;
  readonly afterIncludes: boolean | undefined;
}

/** Results of checking a connection. */
export interface ConnectionCheck {
  readonly lists: readonly ListObservation[];
  /** Undefined when no list had a job, or the paging requests got no response. */
  readonly paging: PagingObservation | undefined;
  /** Empty when no list had a job to test with. */
  readonly filters: readonly FilterObservation[];
}

/**
 * Checks a service: which lists respond; whether filters are obeyed in the connection's styles or, if not, in
 * another style; and how lists are paged, ordered and dated. Sends at most 18 GETs, unless limits are
 * refused: one per list (at most 2), 2 per style of several statuses (3 styles), 2 for a day, 1 for a range, 2 per style of metadata
 * (2 styles), 1 for a long page, 2 for the bounds of a range.
 * @param pagesFor returns a page source for a connection; also called for the connection with other styles.
 * @throws Failure when no list responds, or on a transport failure.
 */
export async function checkConnection(
  connection: Connection,
  pagesFor: (connection: Connection) => ListReader,
  signal: AbortSignal,
  clock: Pick<Clock, 'now'> = systemClock,
): Promise<ConnectionCheck> {
  const lists: ListObservation[] = [];
  let readable: { readonly endpoint: ListEndpoint; readonly seen: readonly Job[] } | undefined;
  const endpoints: readonly ListEndpoint[] =
    connection.listSource === 'combined' ? ['combined'] : ['pre-recorded', 'live'];
  for (const endpoint of endpoints) {
    const page = await answerOf(() => pagesFor(connection).readPage(endpoint, { limit: jobsPerList }, signal));
    if (isFailure(page)) {
      lists.push({ endpoint, type: 'failed', failure: page });
      continue;
    }
    const seen = jobsOf(page);
    lists.push({ endpoint, type: 'answered', jobs: page.entries.length, hasMore: page.hasMore });
    if (seen.length > (readable?.seen.length ?? 0)) readable = { endpoint, seen };
  }
  const failures = lists.flatMap((list) => (list.type === 'failed' ? [list.failure] : []));
  if (failures[0] !== undefined && failures.length === lists.length) throw failures[0];
  if (readable === undefined) return { lists, paging: undefined, filters: [] };

  const { endpoint, seen } = readable;
  const verdict = (filter: ObservedFilter, style: QueryStyle): Promise<FilterVerdict> =>
    observe(filter, seen, (params) =>
      pagesFor({ ...connection, ...style }).readPage(endpoint, { ...params, limit: jobsPerList }, signal),
    );
  return {
    lists,
    paging: await observePaging(pagesFor(connection), endpoint, seen, signal, clock),
    filters: [
      await remedied('status', connection, arrayStyles, verdict),
      await remedied('date', connection, [], verdict),
      await remedied('range', connection, [], verdict),
      await remedied('metadata', connection, metadataStyles, verdict),
    ],
  };
}

async function observePaging(
  source: ListReader,
  endpoint: ListEndpoint,
  seen: readonly Job[],
  signal: AbortSignal,
  clock: Pick<Clock, 'now'>,
): Promise<PagingObservation | undefined> {
  const page = await answerOf(() => source.readPage(endpoint, { offset: 0, limit: bulkLimit }, signal));
  if (isFailure(page)) return undefined;
  const { entries, hasMore, serviceDateMs } = page;
  const includes = async (bound: 'beforeDate' | 'afterDate'): Promise<boolean | undefined> => {
    const job = middleJob(seen);
    if (job?.createdAtMs === undefined) return undefined;
    const atMs = job.createdAtMs;
    const params = { [bound]: new Date(atMs).toISOString(), limit: jobsPerList };
    const answer = await answerOf(() => source.readPage(endpoint, params, signal));
    if (isFailure(answer)) return undefined;
    const jobs = jobsOf(answer);
    const isObeyed = jobs.every(({ createdAtMs = atMs }) =>
      bound === 'beforeDate' ? createdAtMs <= atMs : createdAtMs >= atMs,
    );
    return isObeyed && jobs.length > 0 ? jobs.some(({ id }) => id === job.id) : undefined;
  };
  return {
    given: entries.length,
    isClamped: hasMore && entries.length < bulkLimit,
    order: observeOrder(unseenOrder, entries).created,
    clockOffsetMs: serviceDateMs === undefined ? undefined : serviceDateMs - clock.now(),
    largestItemBytes: Math.max(0, ...entries.map(({ raw }) => Buffer.byteLength(raw))),
    beforeIncludes: await includes('beforeDate'),
    afterIncludes: await includes('afterDate'),
  };
}

/** Returns a job from the middle of the list whose creation time is unique. */
function middleJob(seen: readonly Job[]): Job | undefined {
  const alone = seen.filter(
    ({ createdAtMs }) =>
      createdAtMs !== undefined && seen.filter((job) => job.createdAtMs === createdAtMs).length === 1,
  );
  return alone.length < 3 ? undefined : alone[Math.floor(alone.length / 2)];
}

const arrayStyles: readonly QueryStyle[] = arrayFormats.map((arrayFormat) => ({ arrayFormat }));
const metadataStyles: readonly QueryStyle[] = metadataFormats.map((metadataFormat) => ({ metadataFormat }));

/** Returns the result for the present style or, if that is not obeyed, for the first other style that is. */
async function remedied(
  filter: ObservedFilter,
  connection: Connection,
  styles: readonly QueryStyle[],
  verdictOn: (filter: ObservedFilter, style: QueryStyle) => Promise<FilterVerdict>,
): Promise<FilterObservation> {
  const verdict = await verdictOn(filter, {});
  if (verdict === 'obeyed' || verdict === 'unclear') return { filter, verdict, remedy: undefined };
  for (const style of styles.filter((each) => !isStyleOf(connection, each))) {
    if ((await verdictOn(filter, style)) === 'obeyed') return { filter, verdict, remedy: style };
  }
  return { filter, verdict, remedy: undefined };
}

async function observe(
  filter: ObservedFilter,
  seen: readonly Job[],
  ask: (params: FilterAnswer['question']['params']) => Promise<ListPage>,
): Promise<FilterVerdict> {
  const answers: FilterAnswer[] = [];
  for (const question of buildFilterQueries(filter, seen)) {
    const page = await answerOf(() => ask(question.params));
    if (isFailure(page)) return 'refused';
    answers.push({ question, returned: jobsOf(page) });
  }
  return judgeFilter(answers, seen);
}

/** Returns the page, or the failure if the service itself refused the query. Throws transport failures. */
async function answerOf(ask: () => Promise<ListPage>): Promise<ListPage | Failure> {
  try {
    return await ask();
  } catch (error) {
    if (isFailure(error) && serviceAnswers.has(error.code)) return error;
    throw error;
  }
}

const serviceAnswers: ReadonlySet<FailureCode> = new Set([
  'keyRejected',
  'notFound',
  'rejected',
  'serverFailed',
  'notJson',
  'unexpectedShape',
  'redirected',
]);

function isStyleOf(connection: Connection, style: QueryStyle): boolean {
  return (
    (style.arrayFormat ?? connection.arrayFormat) === connection.arrayFormat &&
    (style.metadataFormat ?? connection.metadataFormat) === connection.metadataFormat
  );
}

function jobsOf(page: ListPage): readonly Job[] {
  return page.entries.flatMap((entry) => (entry.type === 'job' ? [entry] : []));
}
