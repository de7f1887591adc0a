import * as vscode from 'vscode';
import { formatMoment } from '../../domain/format.ts';
import { readJobFields } from '../../domain/jobs/decodeJob.ts';
import type { Job } from '../../domain/jobs/job.ts';
import {
  chooseJobLabel,
  describeErrorCode,
  describeKind,
  describeStatus,
  type RowFacts,
} from '../../domain/jobs/jobRow.ts';
import { listFailedAddOns } from '../../domain/result/addOns.ts';

/**
 * Tooltip of a job, which tells what failed inside one that is done, too. Plain text, never Markdown, because most of it comes from the
 * service.
 */
export function jobTooltip(job: Job, { errorLabels, labelKeys, locale }: RowFacts): string {
  const { l10n } = vscode;
  const { request_id: requestId } = readJobFields(job);
  const lines = [
    chooseJobLabel(job, labelKeys),
    `${describeKind(job.kind)} · ${describeStatus(job.status).text}`,
    job.errorCode === undefined ? undefined : describeErrorCode(job.errorCode, errorLabels),
    l10n.t('Id: {0}', job.id),
    requestId === undefined ? undefined : l10n.t('Request id: {0}', requestId),
    job.createdAtMs === undefined ? undefined : l10n.t('Created: {0}', formatMoment(job.createdAtMs, locale)),
    job.completedAtMs === undefined ? undefined : l10n.t('Completed: {0}', formatMoment(job.completedAtMs, locale)),
    ...listFailedAddOns(job),
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}
