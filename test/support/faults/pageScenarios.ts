import { preRecordedItem } from '../builders/jobItem.ts';
import type { Play, Stage } from './faultServer.ts';

/** The jobs that every scenario lists, newest first. */
export const scenarioIds = ['job-5', 'job-4', 'job-3', 'job-2', 'job-1'] as const;

interface Turn {
  readonly offset: number;
  readonly limit: number;
  readonly stage: Stage;
}
interface ScenarioPage {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/**
 * Lists with faulty paging. Each answers any `offset` and `limit` (default 0 and 2) over {@link scenarioIds}, so that
 * tests can check a single request as well as the pager's result.
 */
export const pageScenarios = {
  /** Correct pages, except that `next` points to another origin. */
  nextOnAnotherHost: scenario(({ offset, limit, stage }) => ({
    ids: scenarioIds.slice(offset, offset + limit),
    next: offset + limit < scenarioIds.length ? `${stage.otherOrigin}/v2/transcription?offset=${offset + limit}` : null,
  })),
  /** Correct pages, except that `next` always points to the current page. */
  nextToItself: scenario(({ offset, limit, stage }) => ({
    ids: scenarioIds.slice(offset, offset + limit),
    next: `${stage.origin}${stage.request.url}`,
  })),
  /** Announces a next page, which is empty. */
  nextWithAnEmptyPage: scenario(({ offset, limit, stage }) => ({
    ids: offset === 0 ? scenarioIds.slice(0, limit) : [],
    next: `${stage.origin}/v2/transcription?offset=${offset + limit}`,
  })),
  /** Always the first page, whatever the request. */
  samePageAgain: scenario(({ limit, stage }) => ({
    ids: scenarioIds.slice(0, limit),
    next: `${stage.origin}/v2/transcription?offset=${limit}`,
  })),
  /** Correct pages, not ordered by time. */
  unsorted: scenario(({ offset, limit, stage }) => ({
    ids: ['job-2', 'job-5', 'job-1', 'job-4', 'job-3'].slice(offset, offset + limit),
    next: offset + limit < scenarioIds.length ? `${stage.origin}/v2/transcription?offset=${offset + limit}` : null,
  })),
} as const satisfies Record<string, Play>;

function scenario(turn: (turn: Turn) => ScenarioPage): Play {
  return (stage) => {
    const { searchParams, href } = new URL(stage.request.url ?? '', stage.origin);
    const offset = Number(searchParams.get('offset') ?? 0);
    const { ids, next } = turn({ offset, limit: Number(searchParams.get('limit') ?? 2), stage });
    const items = ids.map((id) => preRecordedItem({ id, created_at: `2026-11-1${id.slice(-1)}T10:00:00.000Z` }));
    stage.response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ first: `${stage.origin}/v2/transcription?offset=0`, current: href, next, items }));
  };
}
