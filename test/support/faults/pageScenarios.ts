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
 * Lists that page oddly. Each answers any `offset` and `limit` (default 0 and 2) over {@link scenarioIds}, so that it shows
 * what one request does and what a pager makes of the whole.
 */
export const pageScenarios = {
  /** Correct pages, but for `next`, which points at another origin. */
  nextOnAnotherHost: scenario(({ offset, limit, stage }) => ({
    ids: scenarioIds.slice(offset, offset + limit),
    next: offset + limit < scenarioIds.length ? `${stage.otherOrigin}/v2/transcription?offset=${offset + limit}` : null,
  })),
  /** Correct pages, but for `next`, which points at the page it is on, for ever. */
  nextToItself: scenario(({ offset, limit, stage }) => ({
    ids: scenarioIds.slice(offset, offset + limit),
    next: `${stage.origin}${stage.request.url}`,
  })),
  /** Says that there is more and then has nothing. */
  nextWithAnEmptyPage: scenario(({ offset, limit, stage }) => ({
    ids: offset === 0 ? scenarioIds.slice(0, limit) : [],
    next: `${stage.origin}/v2/transcription?offset=${offset + limit}`,
  })),
  /** The first page, whatever was asked. */
  samePageAgain: scenario(({ limit, stage }) => ({
    ids: scenarioIds.slice(0, limit),
    next: `${stage.origin}/v2/transcription?offset=${limit}`,
  })),
  /** Correct pages in no order of time. */
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
