import { csvHeader, csvJob } from '../../domain/jobs/csv.ts';
import type { ListEntry } from '../../domain/jobs/job.ts';

export const exportFormats = ['json', 'ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** How a file of jobs is put together. */
export interface FileForm {
  readonly head: string;
  /** The text of an entry; undefined when the form has no place for it. */
  entry(entry: ListEntry, isFirst: boolean): string | undefined;
  readonly tail: string;
}

/** The form of a format. JSON and NDJSON hold every item as it was received, to the last digit of its numbers. */
export function fileForm(format: ExportFormat): FileForm {
  switch (format) {
    case 'json':
      return { head: '[', entry: ({ raw }, isFirst) => `${isFirst ? '' : ','}\n${raw}`, tail: '\n]\n' };
    case 'ndjson':
      return { head: '', entry: ({ raw }) => `${oneLine(raw)}\n`, tail: '' };
    case 'csv':
      // An item without an id has no place among columns.
      return { head: csvHeader, entry: (entry) => (entry.type === 'job' ? csvJob(entry) : undefined), tail: '' };
  }
}

/** JSON has line ends between tokens only, where a space says the same. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json;
}
