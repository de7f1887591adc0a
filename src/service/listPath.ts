import type { ListEndpoint } from '../domain/jobs/listParams.ts';

/** The path of a list endpoint below the base URL (contract 4.1 to 4.3). */
export function listPath(endpoint: ListEndpoint): string {
  switch (endpoint) {
    case 'pre-recorded':
      return '/v2/pre-recorded';
    case 'live':
      return '/v2/live';
    case 'combined':
      return '/v2/transcription';
  }
}
