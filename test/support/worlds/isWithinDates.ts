import type { Job } from '../../../src/jobs/common/job.ts';
import type { ListParams } from '../../../src/jobs/common/listParams.ts';

/** True if a service would list a job, assuming that it applies date conditions to the creation time, with inclusive bounds in UTC. */
export function isWithinDates({ createdAtMs }: Job, { date, afterDate, beforeDate }: ListParams): boolean {
  if (createdAtMs === undefined) return true;
  return (
    (afterDate === undefined || createdAtMs >= Date.parse(afterDate)) &&
    (beforeDate === undefined || createdAtMs <= Date.parse(beforeDate)) &&
    (date === undefined || new Date(createdAtMs).toISOString().startsWith(date))
  );
}
