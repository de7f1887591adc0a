import * as vscode from 'vscode';
import { formatDuration } from '../../base/duration.ts';
import { capitalized, formatMoment } from '../../base/format.ts';
import { readJobFields } from '../common/decodeJob.ts';
import { metadataOf, readItemFacts } from '../common/itemFacts.ts';
import { hasResult, readJobItem, type Job } from '../common/job.ts';
import {
  chooseJobLabel,
  describeErrorCode,
  describeKind,
  describeStatus,
  shortenId,
  shownText,
  type RowFacts,
} from '../common/jobRow.ts';
import { formatPair } from '../common/describeFilter.ts';
import { isJsonObject } from '../../base/json/json.ts';
import { processingMs } from '../common/processingMs.ts';
import { describeFigures, readResult } from '../common/result/jobResult.ts';
import { listFailedAddOns } from '../common/failedAddOns.ts';
import { oneLine } from '../../base/outsideText.ts';

const maxPairs = 8;
/** In characters. */
const maxPairLength = 100;

/**
 * Returns the tooltip of a job, including failures inside a job that is done. Plain text, never Markdown, because most
 * of it comes from the service.
 */
export function jobTooltip(job: Job, { errorLabels, labelKeys, submittedAs, resubmittedAs, locale }: RowFacts): string {
  const { l10n } = vscode;
  const { request_id: requestId } = readJobFields(job);
  const { file } = readItemFacts(job, ['file']);
  const name = isJsonObject(file) ? shownText(file, 'filename') : undefined;
  // The duration of a live job is the length of its session.
  const lasted = job.kind === 'live' ? undefined : processingMs(job);
  const result = hasResult(job) ? readResult(readJobItem(job)) : undefined;
  const figures = result === undefined ? [] : describeFigures(result.figures, locale);
  const newId = resubmittedAs?.get(job.id);
  const lines = [
    chooseJobLabel(job, labelKeys, submittedAs),
    `${describeKind(job.kind)} · ${describeStatus(job.status).text}`,
    job.errorCode === undefined ? undefined : capitalized(describeErrorCode(job.errorCode, errorLabels), locale),
    newId === undefined ? undefined : l10n.t('Resubmitted as job {0}.', shortenId(newId)),
    l10n.t('ID: {0}', job.id),
    requestId === undefined ? undefined : l10n.t('Request ID: {0}', requestId),
    name === undefined ? undefined : l10n.t('File: {0}', name),
    job.createdAtMs === undefined ? undefined : l10n.t('Created: {0}', formatMoment(job.createdAtMs, locale)),
    job.completedAtMs === undefined ? undefined : l10n.t('Completed: {0}', formatMoment(job.completedAtMs, locale)),
    lasted === undefined ? undefined : l10n.t('Processing time: {0}', formatDuration(lasted, locale)),
    ...figures.flatMap(({ label, text }) => (text === undefined ? [] : [l10n.t('{0}: {1}', label, text)])),
    ...listFailedAddOns(job),
    ...metadataLines(job),
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

/** Returns the first pairs of the metadata, one line each. */
function metadataLines(job: Job): readonly string[] {
  const pairs = Object.entries(metadataOf(job));
  const lines = pairs.slice(0, maxPairs).map(([key, value]) => oneLine(formatPair(key, value), maxPairLength));
  return pairs.length > maxPairs ? [...lines, '…'] : lines;
}
