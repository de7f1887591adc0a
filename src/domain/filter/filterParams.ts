import type { JobFilter } from './jobFilter.ts';
import type { ListParams } from '../listParams.ts';
import { startOfTodayMs } from '../time/zonedTime.ts';

/**
 * The date and metadata parameters that ask for this filter; statuses are the groups' own matter.
 * @param nowMs the moment from which "last hours" counts back, milliseconds since the epoch.
 */
export function filterParams(filter: JobFilter, nowMs: number): ListParams {
  const metadata = Object.keys(filter.metadata).length === 0 ? {} : { customMetadata: filter.metadata };
  const { time } = filter;
  switch (time.type) {
    case 'any':
      return metadata;
    case 'today': {
      const start = startOfTodayMs(nowMs, time.utc ? 'UTC' : undefined);
      return { ...metadata, afterDate: new Date(start).toISOString() };
    }
    case 'day':
      return { ...metadata, date: time.day };
    case 'last':
      return { ...metadata, afterDate: new Date(nowMs - time.hours * 3_600_000).toISOString() };
    case 'range':
      return {
        ...metadata,
        ...(time.after === undefined ? {} : { afterDate: time.after }),
        ...(time.before === undefined ? {} : { beforeDate: time.before }),
      };
  }
}
