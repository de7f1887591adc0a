import { jobItem } from './worldItems.ts';
import type { JobState, WorldJob } from './worldJobs.ts';
import type { PostKnob, WorldKnobs } from './worldSpec.ts';

/** A POST as received by the service, with its result. */
export interface ReceivedPost {
  /** Number of the request, 1 for the world's first. */
  readonly request: number;
  /** Virtual time of the service's clock. */
  readonly at: number;
  readonly body: string;
  /** The created job; undefined if there is none. */
  readonly jobId: string | undefined;
  /** The response status; undefined if the connection broke before it was sent. */
  readonly answered: number | undefined;
}

/** Statuses that, by HTTP's definition, mean that nothing was processed. */
export const unprocessedStatuses = [400, 401, 403, 404, 405, 411, 413, 414, 415, 417, 422, 426, 429, 431, 451] as const;

/** The body of the response to a POST. */
export function postBody(
  knobs: WorldKnobs,
  { body, processed }: PostKnob,
  made: { readonly job: WorldJob; readonly state: JobState } | undefined,
): string {
  const id = made?.job.id;
  switch (body) {
    case 'id':
      return JSON.stringify({ id, result_url: `https://service.example/v2/pre-recorded/${id}` });
    case 'job':
      return JSON.stringify(made === undefined ? {} : jobItem(knobs, made.job, made.state, 'pre-recorded'));
    case 'nested':
      return JSON.stringify({ data: { job: { id } } });
    case 'withoutId':
      return '{"accepted":true}';
    case 'empty':
      return '';
    case 'text':
      return 'Created';
    case 'list':
      return JSON.stringify([{ id }]);
    case 'null':
      return 'null';
    case 'numberAsId':
      return '{"id":42}';
    case 'hugeId':
      return JSON.stringify({ id: 'i'.repeat(100_000) });
    case 'refusal':
      return JSON.stringify({ message: processed ? 'Something went wrong' : 'Not like this', request_id: 'G-1' });
  }
}
