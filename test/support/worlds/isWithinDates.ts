import type { Job } from '../../../src/jobs/common/job.ts';
import type { ListParams } from '../../../src/jobs/common/listParams.ts';

/** Whether a service that takes conditions on time to be about the creation, with inclusive bounds in UTC, would list a job. */
export function isWithinDates({ createdAtMs }: Job, { date, afterDate, beforeDate }: ListParams): boolean {
  if (createdAtMs === undefined) return true;
  return (
    (afterDate === undefined || createdAtMs >= Date.parse(afterDate)) &&
    (beforeDate === undefined || createdAtMs <= Date.parse(beforeDate)) &&
    (date === undefined || new Date(createdAtMs).toISOString().startsWith(date))
  );
}
