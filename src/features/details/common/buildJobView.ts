import { t } from '@vscode/l10n';
import { readAudioAddress } from '../../../jobs/common/audioAddress.ts';
import { isJobKind, isLinkable, isUnfinished, type Job, readJobItem } from '../../../jobs/common/job.ts';
import { echoesRequest, waysToRunAgain, type WaysToRunAgain } from '../../../jobs/common/runAgain.ts';
import { isJsonObject } from '../../../base/json/json.ts';
import { omitMember } from '../../../base/json/jsonText.ts';
import { formatsFor, buildMoment, type Formats, textAt, valueAt, type ItemObject, buildPart } from './buildFieldRow.ts';
import type { JobView, ViewNote, ViewPart, ViewSection, ViewTimeline } from './jobView.ts';
import { formatDuration } from '../../../base/duration.ts';
import { formatNumber, type ViewFacts } from '../../../base/format.ts';
import { buildOtherFields, buildOverview, describeDuration, describeErrorWithLabel } from './overview.ts';
import { processingMs } from '../../../jobs/common/processingMs.ts';
import { buildEchoedRequest } from './echoedRequest.ts';
import { buildParameterParts } from './parameters.ts';
import { describeKind, describeStatus } from '../../../jobs/common/jobRow.ts';
import { describeFigures, readResult, type JobResult } from '../../../jobs/common/result/jobResult.ts';
import { buildAddOnParts, buildFiguresPart, describeFailedAddOns } from './buildResultParts.ts';
import { describeCause } from '../../submit/common/retryAdvice.ts';
import type { SpeakerNames } from '../../../jobs/common/result/speakerNames.ts';
import { buildTranscriptView, type TranscriptView } from '../../../jobs/common/result/transcriptView.ts';

/**
 * Builds the view of a job: known fields by purpose, all others under their own names. Never throws.
 * @param speakers names that a person gave to the speakers of its transcript.
 */
export function buildJobView(job: Job, facts: ViewFacts, speakers?: SpeakerNames): JobView {
  const { isSubmitted = false, resubmission, isHandled = false, hasFiles = false, isSample = false } = facts;
  const item: ItemObject = { value: readJobItem(job), text: job.raw };
  const show = formatsFor(facts.locale);
  const result = readResult(item.value);
  const failedAddOns = result === undefined ? [] : describeFailedAddOns(result);
  const hasFailed = job.status === 'error' || (job.status === 'done' && failedAddOns.length > 0);
  const isResubmitted = resubmission !== undefined;
  const ways = waysToRunAgain(job, { isSubmitted, isResubmitted });
  const transcript =
    result?.transcript === undefined
      ? undefined
      : buildTranscriptView(result.transcript, speakers, result.translations);
  const sections = buildSections(job, item, facts, show, result);
  const ids = [...(transcript === undefined ? [] : ['transcript']), ...sections.map(({ id }) => id)];
  return {
    title: facts.title,
    status: describeStatus(job.status),
    reason: reasonOf(job, failedAddOns, facts),
    kind: describeKind(job.kind),
    timeline: timeline(job, facts),
    warnings: [...failedAddOns, ...(hasFailed ? describeFailure(job, facts, ways) : [])],
    facts: buildFacts(job, result, transcript, facts, show),
    sections,
    folds: {
      group: job.kind === 'live' ? 'live' : 'other',
      ids,
      chosen: facts.chosenSections,
      first: ids.find((id) => job.kind === 'live' && id === 'request') ?? ids[0] ?? 'details',
    },
    transcript,
    canSave: transcript !== undefined,
    canRetry: ways.retry,
    hasFailed,
    canMarkHandled: hasFailed && !isHandled,
    canResubmit: ways.resubmit,
    isResubmitted,
    hasAudio: readAudioAddress(item.value, job.kind) !== undefined,
    canWatch: isUnfinished(job) && isJobKind(job.kind),
    canRepeat: job.kind === 'live' || (job.kind === 'pre-recorded' && echoesRequest(job)),
    isSubmitted,
    hasFiles,
    canLink: isLinkable(job) && !isSample,
  };
}

/** Builds the sections in their order; those without content are left out. The transcript is not among them. */
function buildSections(
  job: Job,
  item: ItemObject,
  facts: ViewFacts,
  show: Formats,
  result: JobResult | undefined,
): readonly ViewSection[] {
  const other = otherFields(job, item);
  const sections: readonly ViewSection[] = [
    { id: 'addOns', title: t('Summary and add-ons'), parts: result === undefined ? [] : buildAddOnParts(result) },
    {
      id: 'request',
      title:
        job.kind === 'live'
          ? t('Session')
          : t({ message: 'Request', comment: ['Section of a job: the settings of its request'] }),
      parts: requestParts(job, item, show),
    },
    {
      id: 'details',
      title: t('Details'),
      parts: [
        buildOverview(job, item, facts, show),
        ...metadataParts(item, 'custom_metadata', t('Custom metadata')),
        ...metadataParts(item, 'post_session_metadata', t('Post-session metadata')),
        ...(result === undefined ? [] : [buildFiguresPart(result, facts.locale, show)]),
      ],
    },
  ];
  return [
    ...sections.filter(({ parts }) => parts.length > 0),
    { id: 'raw', title: t('Raw'), parts: other === undefined ? [] : [other] },
  ];
}

/** Describes what failures have in common, and what to do about this one. */
function describeFailure(
  { errorCode, kind, status }: Job,
  { failure, errorLabels, errorStatus, resubmission, isHandled = false }: ViewFacts,
  ways: WaysToRunAgain,
): readonly ViewNote[] {
  const label = Object.hasOwn(errorLabels, String(errorCode)) ? errorLabels[String(errorCode)] : undefined;
  const cause = describeCause({ status: errorStatus, label });
  const next =
    resubmission !== undefined
      ? [resubmission]
      : ways.retry
        ? [t('Resubmit… sends the same request again; Retry with Other Settings opens it first.')]
        : ways.resubmit
          ? [t('Resubmit… sends the same request again.')]
          : [
              kind === 'live'
                ? t("A live session can't be sent again.")
                : t(
                    "This job can't be resubmitted. {0}",
                    t("Its request isn't known here, and the service doesn't return it."),
                  ),
              ...(isHandled
                ? []
                : [
                    status === 'error'
                      ? t(
                          'Mark as Handled removes it from Needs attention. Copy Report for Support is in the menu of its row.',
                        )
                      : t('Mark as Handled removes it from Needs attention.'),
                  ]),
            ];
  return [
    ...(failure === undefined ? [] : [{ id: 'failure', text: failure }]),
    ...(cause === undefined ? [] : [{ id: 'cause', text: cause }]),
    { id: 'next', text: [...next, ...(isHandled ? [t('This failure counts as handled.')] : [])].join(' ') },
  ];
}

/** Returns the facts of the line below the title that are known. */
function buildFacts(
  job: Job,
  result: JobResult | undefined,
  transcript: TranscriptView | undefined,
  { locale }: ViewFacts,
  show: Formats,
): readonly string[] {
  const figures = result === undefined ? [] : describeFigures(result.figures, locale);
  const figure = (wanted: string): readonly string[] =>
    figures.flatMap(({ id, label, text }) => (id === wanted && text !== undefined ? [t('{0}: {1}', label, text)] : []));
  const found = result?.transcript?.languages ?? [];
  const languages = found.length === 0 ? undefined : show.languages(found);
  const speakers = new Set(transcript?.lines.flatMap(({ speaker }) => speaker ?? [])).size;
  const took = processingMs(job);
  return [
    ...figure('audioMs'),
    ...(languages?.type === 'text' ? [languages.text] : []),
    ...(speakers === 0 ? [] : [speakers === 1 ? t('1 speaker') : t('{0} speakers', formatNumber(speakers, locale))]),
    ...figure('billedMs'),
    ...(took === undefined ? [] : [t('{0}: {1}', describeDuration(job), formatDuration(took, locale))]),
  ];
}

/** Maximum size of a job that is shown: characters (three hours of speech with the times of all words), objects and passages. */
const maxShown = { characters: 6_000_000, objects: 100_000, passages: 40_000 } as const;
/** Maximum numbers of members and elements beyond the usual ones, for example in an object of many members or a long list of values. */
const maxExtra = { members: 30_000, elements: 200_000 } as const;
/** Maximum number of line breaks in texts: paragraphs, and lines of subtitles. */
const maxLineBreaks = 200_000;
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
    countOf(raw, ',') > maxExtra.elements + usualMembers * objects ||
    countOf(raw, String.raw`\n`) > maxLineBreaks
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
  return {
    ...view,
    reason,
    canSave: job.status === 'done',
    warnings: [...warnings, ...view.warnings, { id: 'unread', text: why }],
  };
}

/** Returns the text next to the status: why a job failed, or that a part of it did. */
function reasonOf({ status, errorCode }: Job, warnings: JobView['warnings'], facts: ViewFacts): string | undefined {
  if (status === 'error') return errorCode === undefined ? undefined : describeErrorWithLabel(errorCode, facts);
  return status === 'done' && warnings.length > 0 ? t('Failed in part') : undefined;
}

/** Fields shown in no other section. An echoed request is shown in full among the parameters. */
function otherFields(job: Job, item: ItemObject): ViewPart | undefined {
  const other = buildOtherFields(job.raw);
  if (other === undefined || job.kind !== 'pre-recorded' || !isJsonObject(valueAt(item.value, 'request_params')))
    return other;
  const rows = other.rows.filter(({ id }) => !id.startsWith('request_params.'));
  return rows.length === 0 ? undefined : { ...other, rows };
}

/** Builds the parts of the request. The contract has them only for live jobs, but some services also echo a pre-recorded request. */
function requestParts(job: Job, item: ItemObject, show: Formats): readonly ViewPart[] {
  const live = job.kind === 'live';
  const value = valueAt(item.value, 'request_params');
  if (isJsonObject(value)) {
    const params: ItemObject = { value, text: textAt(item.text, 'request_params') };
    return job.kind === 'pre-recorded' ? buildEchoedRequest(params) : buildParameterParts(params, live, show);
  }
  return [];
}

/** Builds the part of metadata. A missing or empty object is a row of the overview. */
function metadataParts(item: ItemObject, field: string, title: string): readonly ViewPart[] {
  const value = valueAt(item.value, field);
  const json = textAt(item.text, field);
  if (value === undefined || value === null) return [];
  if (isJsonObject(value)) {
    return Object.keys(value).length === 0 ? [] : [{ ...buildPart(field, title, []), members: json }];
  }
  const row = { id: field, label: field, named: true, value: { type: 'json', json }, action: undefined } as const;
  return [buildPart(field, title, [{ ...row, remark: t('Unexpected type') }])];
}

function timeline(job: Job, { locale }: ViewFacts): ViewTimeline | undefined {
  if (job.createdAtMs === undefined) return undefined;
  return {
    created: buildMoment(job.createdAtMs, locale),
    running: processingMs(job) === undefined && isUnfinished(job),
  };
}
