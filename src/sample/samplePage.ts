import type { JsonObject } from '../domain/json/json.ts';
import type { SamplePage } from './sampleJobs.ts';
import type { SampleQuery } from './sampleQuery.ts';

/**
 * The page of contract 2.1. Its URLs lead to `/v2/transcription` and keep nothing of the query but status, offset and
 * limit, whichever endpoint was asked: clients have to cope with that.
 */
export function samplePage(query: SampleQuery, page: SamplePage, baseUrl: string): JsonObject {
  const { statuses, offset, limit } = query;
  const urlAt = (start: number): string => {
    const parameters = new URLSearchParams(statuses.map((status): [string, string] => ['status', status]));
    parameters.append('offset', String(start));
    parameters.append('limit', String(limit));
    return `${baseUrl}/v2/transcription?${parameters.toString()}`;
  };
  return {
    first: urlAt(0),
    current: urlAt(offset),
    next: page.hasMore ? urlAt(offset + limit) : null,
    items: page.items,
  };
}
