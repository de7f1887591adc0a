import { decodePage, type ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import { Failure, isFailure } from '../../../../../src/base/failure.ts';
import type { ListEndpoint, ListParams } from '../../../../../src/jobs/common/listParams.ts';
import { encodeListQuery, listPath } from '../../../../../src/jobs/node/api/listQuery.ts';
import { BrokenConnection, type World } from '../../../../support/worlds/world.ts';
import type { ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { fakeReader } from '../../../../support/lists/fakeLists.ts';

/** Attempts per GET before its failure is reported, as in the HTTP client. */
const maxAttempts = 4;

/** Max requests: more than any reader needs, unless it is in an endless loop. */
const maxRequests = 20_000;

/** True if a reader was stopped because it was in an endless loop. */
export function isEndless(world: World): boolean {
  return world.requests.length >= maxRequests;
}

/** Reads the lists of a world without a network. */
export function worldSource(world: World): ListReader {
  return fakeReader(async (endpoint, params, signal) => {
    if (isEndless(world)) throw new Failure('rejected', { status: 404 });
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted === true) throw new Failure('cancelled');
      try {
        return await askOnce(world, endpoint, params);
      } catch (error) {
        const isPassing = ['serverFailed', 'rateLimited', 'offline'].some(
          (code) => error instanceof Failure && error.code === code,
        );
        if (!isPassing || attempt === maxAttempts) throw error;
      }
    }
  });
}

async function askOnce(world: World, endpoint: ListEndpoint, params: ListParams): Promise<ListPage> {
  const query = encodeListQuery(params, { arrayFormat: 'repeat', metadataFormat: 'json' });
  const path = `${listPath(endpoint)}?${query}`;
  try {
    const { status, headers, body } = await world.handle('GET', path, { 'x-service-key': 'key' });
    if (status !== 200) throw new Failure(codeOf(status), { status });
    const date = Date.parse(headers['date'] ?? '');
    return {
      ...decodePage(body, endpoint === 'combined' ? undefined : endpoint, { limit: params.limit }),
      serviceDateMs: Number.isNaN(date) ? undefined : date,
    };
  } catch (error) {
    if (error instanceof BrokenConnection) throw new Failure('offline');
    if (isFailure(error)) throw error;
    throw error;
  }
}

function codeOf(status: number): 'keyRejected' | 'notFound' | 'rateLimited' | 'serverFailed' | 'rejected' {
  if (status === 401 || status === 403) return 'keyRejected';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 429) return 'rateLimited';
  return status >= 500 || status === 408 ? 'serverFailed' : 'rejected';
}
