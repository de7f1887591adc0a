import { t } from '@vscode/l10n';
import { isUnfinished, type Job, jobItem } from '../jobs/job.ts';
import { isJsonObject } from '../json/json.ts';
import { formatsFor, viewMoment, type Formats, textAt, valueAt, type ItemObject, plainSection } from './fields.ts';
import type { JobView, ViewSection, ViewTimeline } from './jobView.ts';
import { durationText, type ViewFacts } from '../format.ts';
import { otherFieldsSection, durationMs, overviewSection } from './overview.ts';
import { parameterSections } from './parameters.ts';
import { kindText, statusOf } from '../jobs/jobRow.ts';
import { readResult } from '../result/jobResult.ts';
import { failedAddOns, resultSections } from '../result/resultSections.ts';
import { buildTranscriptView } from '../result/transcriptView.ts';

/** Everything the service said of a job, laid out for reading: known fields by purpose, the rest under its own names. Never throws. */
export function buildJobView(job: Job, facts: ViewFacts): JobView {
  const item: ItemObject = { value: jobItem(job), text: job.raw };
  const show = formatsFor(facts.locale);
  const other = otherFieldsSection(job.raw);
  const result = readResult(item.value);
  return {
    title: facts.title,
    status: statusOf(job.status),
    kind: kindText(job.kind),
    timeline: timeline(job, facts),
    warnings: result === undefined ? [] : failedAddOns(result),
    sections: [
      overviewSection(job, item, facts, show),
      metadataSection(item, 'custom_metadata', t('Custom metadata')),
      metadataSection(item, 'post_session_metadata', t('Post-session metadata')),
      ...(result === undefined ? [] : resultSections(result, facts.locale, show)),
      ...requestSections(job, item, show),
      ...(other === undefined ? [] : [other]),
    ],
    transcript: result?.transcript === undefined ? undefined : buildTranscriptView(result.transcript),
  };
}

/** The contract promises parameters for live jobs only, but some services echo a pre-recorded request too. */
function requestSections(job: Job, item: ItemObject, show: Formats): readonly ViewSection[] {
  const live = job.kind === 'live';
  const value = valueAt(item.value, 'request_params');
  if (isJsonObject(value)) return parameterSections({ value, text: textAt(item.text, 'request_params') }, live, show);
  return live ? [plainSection('parameters', t('Parameters'), [])] : [];
}

function metadataSection(item: ItemObject, field: string, title: string): ViewSection {
  const value = valueAt(item.value, field);
  const json = textAt(item.text, field);
  if (isJsonObject(value)) return { ...plainSection(field, title, []), members: json };
  if (value === undefined || value === null) return plainSection(field, title, []);
  const row = { id: field, label: field, named: true, value: { type: 'json', json }, action: undefined } as const;
  return plainSection(field, title, [{ ...row, remark: t('Not the expected type') }]);
}

function timeline(job: Job, { locale }: ViewFacts): ViewTimeline | undefined {
  if (job.createdAtMs === undefined) return undefined;
  const length = durationMs(job);
  return {
    created: viewMoment(job.createdAtMs, locale),
    completed:
      length === undefined || job.completedAtMs === undefined ? undefined : viewMoment(job.completedAtMs, locale),
    duration: length === undefined ? undefined : durationText(length, locale),
    running: length === undefined && isUnfinished(job),
  };
}
