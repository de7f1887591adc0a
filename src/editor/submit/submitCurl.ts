import { curlCommand, submitHeaders } from '../../domain/request/curl.ts';
import { listPath } from '../../service/listPath.ts';
import type { Connection } from '../../service/ports.ts';

/** The POST of a submission (contract 4.4) as a shell command that takes the key from a variable and the body from its own text. */
export function submitCurl({ baseUrl, apiKeyHeader }: Connection, body: string): string {
  const url = `${baseUrl}${listPath('pre-recorded')}`;
  return curlCommand({ method: 'POST', url, headers: submitHeaders, keyHeader: apiKeyHeader, body });
}
