import { csvRecord } from './csvCell.ts';
import type { Job } from './job.ts';
import { memberTexts } from './jsonText/jsonText.ts';

/** The fields of contract 2.2, in its order. */
const columns = [
  'id',
  'request_id',
  'version',
  'status',
  'created_at',
  'completed_at',
  'kind',
  'custom_metadata',
  'post_session_metadata',
  'error_code',
  'request_params',
] as const;

/** The first record: the names of the columns. */
export const csvHeader = csvRecord(columns);

/**
 * A job as one record: texts as they are, objects as their JSON text, byte for byte. Metadata does not get a column per key:
 * a file that is written while it is read cannot know the keys to come, and columns that depend on the data serve no script.
 */
export function csvJob(job: Job): string {
  const texts = new Map(memberTexts(job.raw).map(({ key, text }) => [key, text]));
  return csvRecord(
    columns.map((column) => {
      // The list that was asked tells the kind of an item that does not.
      if (column === 'kind') return job.kind;
      return cellText(texts.get(column) ?? 'null');
    }),
  );
}

function cellText(json: string): string {
  if (json === 'null') return '';
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}
