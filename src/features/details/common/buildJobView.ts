import { t } from '@vscode/l10n';
import { readAudioAddress } from '../../../jobs/common/audioAddress.ts';
import {
  echoesRequest,
  isJobKind,
  isLinkable,
  isRetryable,
  isUnfinished,
  type Job,
  readJobItem,
} from '../../../jobs/common/job.ts';
import { isJsonObject } from '../../../base/json/json.ts';
import { omitMember } from '../../../base/json/jsonText.ts';
import {
  formatsFor,
  buildMoment,
  type Formats,
  textAt,
  valueAt,
  type ItemObject,
  buildSection,
} from './buildFieldRow.ts';
import type { JobView, ViewSection, ViewTimeline } from './jobView.ts';
import { formatDuration } from '../../../base/duration.ts';
import { type ViewFacts } from '../../../base/format.ts';
import { buildOtherFields, buildOverview, describeErrorWithLabel } from './overview.ts';
import { processingMs } from '../../../jobs/common/processingMs.ts';
import { buildEchoedRequest } from './echoedRequest.ts';
import { buildParameterSections } from './parameters.ts';
import { describeKind, describeStatus } from '../../../jobs/common/jobRow.ts';
import { readResult } from '../../../jobs/common/result/jobResult.ts';
import { describeFailedAddOns, buildResultSections } from './buildResultSections.ts';
import type { SpeakerNames } from '../../../jobs/common/result/speakerNames.ts';
import { buildTranscriptView } from '../../../jobs/common/result/transcriptView.ts';

/**
 * Builds the view of a job: known fields by purpose, all others under their own names. Never throws.
 * @param speakers names that a person gave to the speakers of its transcript.
 */
export function buildJobView(job: Job, facts: ViewFacts, speakers?: SpeakerNames): JobView {
  const { isSubmitted = false, hasFiles = false, isSample = false } = facts;
  const item: ItemObject = { value: readJobItem(job), text: job.raw };
  const show = formatsFor(facts.locale);
  const other = otherFields(job, item);
  const result = readResult(item.value);
  const warnings = result === undefined ? [] : describeFailedAddOns(result);
  const hasFailed = job.status === 'error' || (job.status === 'done' && warnings.length > 0);
  return {
    title: facts.title,
    status: describeStatus(job.status),
    reason: reasonOf(job, warnings, facts),
    kind: describeKind(job.kind),
    timeline: timeline(job, facts),
    warnings,
    sections: [
      buildOverview(job, item, facts, show),
      ...metadataSections(item, 'custom_metadata', t('Custom metadata')),
      ...metadataSections(item, 'post_session_metadata', t('Post-session metadata')),
      ...(result === undefined ? [] : buildResultSections(result, facts.locale, show)),
      ...requestSections(job, item, show),
      ...(other === undefined ? [] : [other]),
    ],
    transcript:
      result?.transcript === undefined
        ? undefined
        : buildTranscriptView(result.transcript, speakers, result.translations),
    canRetry: isRetryable(job) && (isSubmitted || echoesRequest(job)),
    hasFailed,
    canResubmit: hasFailed && job.kind === 'pre-recorded',
    hasAudio: readAudioAddress(item.value, job.kind) !== undefined,
    canWatch: isUnfinished(job) && isJobKind(job.kind),
    canRepeat: job.kind === 'live' || (job.kind === 'pre-recorded' && echoesRequest(job)),
    isSubmitted,
    hasFiles,
    canLink: isLinkable(job) && !isSample,
  };
}

/** Maximum size of a job that is shown: characters (three hours of speech with the times of all words), objects and passages. */
const maxShown = { characters: 6_000_000, objects: 100_000, passages: 40_000 } as const;
/** Maximum numbers of members and elements beyond the usual ones, for example in an object of many members or a long list of values. */
const maxExtra = { members: 30_000, elements: 200_000 } as const;
/** Number of members that an object usually has at most. */
const usualMembers = 12;

/** True if a job is too large to show at once: building its view would block the editor. Decided without parsing it. */
export function isTooLargeToShow({ raw }: Pick<Job, 'raw'>): boolean {
  if (raw.length > maxShown.characters) return true;
  const objects = countOf(raw, '{');
  return (
    objects > maxShown.objects ||
    countOf(raw, '"text"') > maxShown.passages ||
    countOf(raw, '":') > maxExtra.members + usualMembers * objects ||
    countOf(raw, ',') > maxExtra.elements + usualMembers * objects
  );
}

function countOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count++;
  return count;
}

/**
 * Builds the view of a job whose result is not available. Shows its known failures and does not report the rest as missing.
 * @param why text shown instead of the result.
 */
export function buildUnreadJobView(job: Job, facts: ViewFacts, why: string): JobView {
  const failed = readResult(readJobItem(job));
  const view = buildJobView({ ...job, raw: omitMember(job.raw, 'result').left }, facts);
  const warnings = failed === undefined ? [] : describeFailedAddOns(failed);
  const reason = reasonOf(job, warnings, facts);
  return { ...view, reason, warnings: [...warnings, { id: 'unread', text: why }] };
}

/** Returns the text next to the status: why a job failed, or that a part of it did. */
function reasonOf({ status, errorCode }: Job, warnings: JobView['warnings'], facts: ViewFacts): string | undefined {
  if (status === 'error') return errorCode === undefined ? undefined : describeErrorWithLabel(errorCode, facts);
  return status === 'done' && warnings.length > 0 ? t('Failed in part') : undefined;
}

/** Fields shown in no other section. An echoed request is shown in full among the parameters. */
function otherFields(job: Job, item: ItemObject): ViewSection | undefined {
  const other = buildOtherFields(job.raw);
  if (other === undefined || job.kind !== 'pre-recorded' || !isJsonObject(valueAt(item.value, 'request_params')))
    return other;
  const rows = other.rows.filter(({ id }) => !id.startsWith('request_params.'));
  return rows.length === 0 ? undefined : { ...other, rows };
}

/** Builds the sections of parameters. The contract has them only for live jobs, but some services also echo a pre-recorded request. */
function requestSections(job: Job, item: ItemObject, show: Formats): readonly ViewSection[] {
  const live = job.kind === 'live';
  const value = valueAt(item.value, 'request_params');
  if (isJsonObject(value)) {
    const params: ItemObject = { value, text: textAt(item.text, 'request_params') };
    return job.kind === 'pre-recorded' ? buildEchoedRequest(params) : buildParameterSections(params, live, show);
  }
  return [];
}

/** Builds the section of metadata. An object without entries has none. */
function metadataSections(item: ItemObject, field: string, title: string): readonly ViewSection[] {
  const value = valueAt(item.value, field);
  const json = textAt(item.text, field);
  if (value === undefined || value === null) return [];
  if (isJsonObject(value)) {
    return Object.keys(value).length === 0 ? [] : [{ ...buildSection(field, title, []), members: json }];
  }
  const row = { id: field, label: field, named: true, value: { type: 'json', json }, action: undefined } as const;
  return [buildSection(field, title, [{ ...row, remark: t('Unexpected type') }])];
}

function timeline(job: Job, { locale }: ViewFacts): ViewTimeline | undefined {
  if (job.createdAtMs === undefined) return undefined;
  const length = processingMs(job);
  return {
    created: buildMoment(job.createdAtMs, locale),
    completed:
      length === undefined || job.completedAtMs === undefined ? undefined : buildMoment(job.completedAtMs, locale),
    duration: length === undefined ? undefined : formatDuration(length, locale),
    running: length === undefined && isUnfinished(job),
  };
}
