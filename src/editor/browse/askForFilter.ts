import { filterParams, type JobFilter } from '../../domain/filter/jobFilter.ts';
import type { Locale } from '../../domain/format.ts';
import { ParameterError } from '../../domain/failure.ts';
import { parameterText } from '../../domain/failureText.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Connection } from '../../service/ports.ts';
import { encodeListQuery } from '../../service/api/listQuery.ts';
import { askFilter } from './filterSteps.ts';

/** Asks for a filter that can be sent over the connection; undefined when it is called off. */
export async function askForFilter(
  store: JobStore,
  connection: () => Connection | undefined,
  locale: Locale,
): Promise<JobFilter | undefined> {
  return askFilter({
    present: store.filter,
    jobs: store.jobs(),
    locale,
    now: Date.now,
    problem: (draft) => problemOf(draft, connection()),
  });
}

/** Why a filter cannot be sent over a connection. */
function problemOf(filter: JobFilter, connection: Connection | undefined): string | undefined {
  if (connection === undefined) return undefined;
  try {
    encodeListQuery(filterParams(filter, Date.now()), connection);
    return undefined;
  } catch (error) {
    if (error instanceof ParameterError) return parameterText(error);
    throw error;
  }
}
