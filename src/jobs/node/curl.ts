import { isJobKind, type Job } from '../common/job.ts';
import { findingParams, type ListEndpoint, type ListParams } from '../common/listParams.ts';
import { formatCurl, submitHeaders } from '../../connections/common/curl.ts';
import { listPath, encodeListQuery } from './api/listQuery.ts';
import type { Connection } from '../../connections/common/connection.ts';
import { bulkLimit } from './list/jobPager.ts';

/** Returns the list request that finds a job, as a shell command: its kind, from just before its creation to just after. */
export function jobCurl(job: Job, connection: Connection): string {
  const endpoint: ListEndpoint = isJobKind(job.kind) ? job.kind : 'combined';
  return listCurl(endpoint, { ...findingParams(job), limit: bulkLimit }, connection);
}

/** Returns a list request as a shell command that takes the key from a variable. */
export function listCurl(endpoint: ListEndpoint, params: ListParams, connection: Connection): string {
  const query = encodeListQuery(params, connection);
  return formatCurl({
    method: 'GET',
    url: `${connection.baseUrl}${listPath(endpoint)}${query === '' ? '' : `?${query}`}`,
    headers: { accept: 'application/json' },
    keyHeader: connection.apiKeyHeader,
  });
}

/**
 * Returns the POST of a submission (contract 4.4) as a shell command that takes the key from a variable and the body
 * from the given text.
 */
export function submitCurl({ baseUrl, apiKeyHeader }: Connection, body: string): string {
  const url = `${baseUrl}${listPath('pre-recorded')}`;
  return formatCurl({ method: 'POST', url, headers: submitHeaders, keyHeader: apiKeyHeader, body });
}
