import { jobItem } from './worldItems.ts';
import type { JobState, WorldJob } from './worldJobs.ts';
import type { PostKnob, WorldKnobs } from './worldSpec.ts';

/** A POST as the service received it, and what it made of it. */
export interface ReceivedPost {
  /** Number of the request, 1 for the first of the world. */
  readonly request: number;
  /** Virtual time, service's clock. */
  readonly at: number;
  readonly body: string;
  /** The job that was made; undefined where none was. */
  readonly jobId: string | undefined;
  /** The status that was answered; undefined where the connection broke before one was. */
  readonly answered: number | undefined;
}

/** Answers that say by HTTP's own meaning that nothing was processed. */
export const unprocessedStatuses = [400, 401, 403, 404, 405, 411, 413, 414, 415, 417, 422, 426, 429, 431, 451] as const;

/** The text that answers a POST. */
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
