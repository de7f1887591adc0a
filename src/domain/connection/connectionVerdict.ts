import type { FilterQuestion } from './connectionQuestion.ts';
import type { Job } from '../job.ts';

/** How a service treats a filter. */
export type FilterVerdict =
  | 'obeyed'
  /** It returned jobs that do not match. */
  | 'ignored'
  /** It returned none of the jobs that do match. */
  | 'misread'
  /** It answered with an error. */
  | 'refused'
  /** The jobs at hand cannot show it. */
  | 'unclear';

/** A question and the jobs that came back. */
export interface FilterAnswer {
  readonly question: FilterQuestion;
  readonly returned: readonly Job[];
}

/**
 * Judges all answers about one filter.
 * @param seen the jobs of the unfiltered list that the questions were made from.
 */
export function filterVerdict(answers: readonly FilterAnswer[], seen: readonly Job[]): FilterVerdict {
  if (answers.some(({ question, returned }) => !returned.every(question.allows))) return 'ignored';
  if (answers.some((answer) => !returnsWhatMatches(answer))) return 'misread';
  const selects = answers.some(({ returned }) => returned.length > 0);
  const excludes = answers.some(({ question }) => !seen.every(question.allows));
  return selects && excludes ? 'obeyed' : 'unclear';
}

function returnsWhatMatches({ question, returned }: FilterAnswer): boolean {
  return question.mustReturn.every((ids) => returned.some(({ id }) => ids.has(id)));
}
