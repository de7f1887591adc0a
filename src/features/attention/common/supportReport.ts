import { oneLine } from '../../../base/outsideText.ts';
import { metadataOf, readItemFacts } from '../../../jobs/common/itemFacts.ts';
import { countSince, type FailureGroup, failedAtMs } from './failureGroups.ts';

/** Context of a report besides the failures. Plain text from the user's own settings. */
export interface ReportFacts {
  /** The service's origin; never a full URL. */
  readonly origin: string;
  /** Number of failures that match the filter. The report may cover only some of their groups. */
  readonly all: number;
  /** Description of the filter; undefined if there is none. */
  readonly filter: string | undefined;
  readonly nowMs: number;
  /** The user's label for an error code. */
  readonly labelOf: (code: number) => string | undefined;
  /** Metadata may be confidential, so it is included only on request. */
  readonly withMetadata: boolean;
  /** Masks the key in the beginning of a text. */
  readonly mask: (text: string) => string;
  /** Masks the key in the strings of the beginning of a JSON text, whose escapes are escaped again. */
  readonly maskJson: (json: string) => string;
}

const maxRows = 200;

/**
 * Returns a Markdown report for the service's support: ids, request ids, UTC times, codes and counts. It contains no key and no URL query,
 * and metadata only on request. Text from the service is put in code spans, so that none of it is interpreted as markup.
 */
export function supportReport(groups: readonly FailureGroup[], facts: ReportFacts): string {
  const { origin, all, filter, nowMs, labelOf, withMetadata, mask, maskJson } = facts;
  const code = (text: string): string => codeSpan(mask(text));
  const total = groups.reduce((sum, { jobs }) => sum + jobs.length, 0);
  const head = [
    '# Failed transcription jobs',
    '',
    `- Service: ${code(origin)}`,
    `- Report made: ${utc(nowMs)}`,
    `- Filter: ${filter === undefined ? 'none' : code(filter)}`,
    `- Failures: ${total}${total < all ? ` of ${all}, in the groups below` : ''}`,
  ];
  const parts = groups.map((group) => {
    const { jobs, rise, firstAtMs, lastAtMs } = group;
    const label = group.code === undefined ? undefined : labelOf(group.code);
    const title = group.code === undefined ? 'No error code' : `Error ${group.code}`;
    const shared = withMetadata
      ? code(`${group.pair?.key}=${group.pair?.value}`)
      : 'one value in common, left out here';
    const pair = group.pair === undefined ? [] : [`- Metadata: ${shared}`];
    const columns = [
      'id',
      'request_id',
      'kind',
      'created_at (UTC)',
      'failed at (UTC)',
      ...(withMetadata ? ['custom_metadata'] : []),
    ];
    const rows = jobs.slice(0, maxRows).map((job) => {
      const { request_id: requestId } = readItemFacts(job, ['request_id']);
      const cells = [
        code(job.id),
        typeof requestId === 'string' ? code(requestId) : '',
        code(job.kind),
        utc(job.createdAtMs),
        utc(failedAtMs(job)),
        ...(withMetadata ? [code(maskJson(JSON.stringify(metadataOf(job))))] : []),
      ];
      return `| ${cells.join(' | ')} |`;
    });
    return [
      `## ${title}${label === undefined ? '' : ` (${code(label)})`}`,
      '',
      `- Jobs: ${jobs.length} of ${all}`,
      ...(rise === undefined
        ? []
        : [`- More frequent since: ${utc(rise.sinceMs)}, with ${countSince(jobs, rise.sinceMs)} of these jobs`]),
      `- First: ${utc(firstAtMs)}`,
      `- Last: ${utc(lastAtMs)}`,
      ...pair,
      '',
      `| ${columns.join(' | ')} |`,
      `| ${columns.map(() => '---').join(' | ')} |`,
      ...rows,
      ...(jobs.length > maxRows ? ['', `${jobs.length - maxRows} more are not listed.`] : []),
    ].join('\n');
  });
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
}

/** Describes the failures of a report about Needs attention, in English like the report. */
export function describeReported(sinceMs: number): string {
  return `status=error, failed since ${utc(sinceMs)}, not handled`;
}

function utc(atMs: number | undefined): string {
  return atMs === undefined || Number.isNaN(new Date(atMs).getTime()) ? 'unknown' : new Date(atMs).toISOString();
}

const longest = 300;

/**
 * Formats a code span on one line: truncated, without URL queries, control characters, or characters that would end the span or table cell.
 */
function codeSpan(text: string): string {
  const line = oneLine(text, longest)
    .replace(/(https?:\/\/[^\s?#"']*)[?#][^\s"']*/gi, '$1')
    .replaceAll('`', "'")
    .replaceAll('|', '¦')
    .trim();
  return line === '' ? '(empty)' : `\`${line}\``;
}
