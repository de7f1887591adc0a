import * as vscode from 'vscode';
import { jobFields } from '../../domain/jobs/decodeJob.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { errorText, jobLabel, kindText, statusOf } from '../../domain/jobs/jobRow.ts';
import { momentText } from '../../domain/format.ts';
import type { ItemFacts } from './jobTreeItems.ts';

/** What hovering a row tells: plain text, never markup, because most of it is the service's. */
export function jobTooltip(job: Job, { errorLabels, labelKeys, locale }: ItemFacts): string {
  const { l10n } = vscode;
  const { request_id: requestId } = jobFields(job);
  const lines = [
    jobLabel(job, labelKeys),
    `${kindText(job.kind)} · ${statusOf(job.status).text}`,
    job.errorCode === undefined ? undefined : errorText(job.errorCode, errorLabels),
    l10n.t('Id: {0}', job.id),
    requestId === undefined ? undefined : l10n.t('Request id: {0}', requestId),
    job.createdAtMs === undefined ? undefined : l10n.t('Created: {0}', momentText(job.createdAtMs, locale)),
    job.completedAtMs === undefined ? undefined : l10n.t('Completed: {0}', momentText(job.completedAtMs, locale)),
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}
