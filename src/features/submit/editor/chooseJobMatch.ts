import * as vscode from 'vscode';
import { formatMoment } from '../../../base/format.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { describeStatus } from '../../../jobs/common/jobRow.ts';
import type { MatchConfidence } from '../common/matchConfidence.ts';
import type { JobMatch, JobMatches } from '../node/jobMatches.ts';
import { pickOne, plainLabel } from '../../../platform/editor/quickPick.ts';
import { locale } from '../../../platform/editor/locale.ts';

/** Max number of jobs offered, most likely first. */
const maxMatches = 100;

/** The job that a submission created, as far as known. */
export type JobChoice =
  | { readonly type: 'job'; readonly job: Job }
  /** All jobs that the service lists for that time were read, and none matches. */
  | { readonly type: 'none' }
  /** None of the jobs read matches; others were not read. */
  | { readonly type: 'notSeen' }
  | { readonly type: 'undecided' };

/**
 * Selects the job by its tag; if several jobs have no tag, the user chooses.
 * @param hasSameMetadata true if a job has the metadata of the request; false if these are unknown.
 */
export async function chooseJobMatch(
  name: string,
  { candidates, complete }: JobMatches,
  titleOf: (job: Job) => string,
  hasSameMetadata: (job: Job) => boolean,
): Promise<JobChoice> {
  const offered = candidates.slice(0, maxMatches);
  const [first] = offered;
  if (first?.confidence === 'tag') return { type: 'job', job: first.job };
  const none: JobChoice = { type: complete && offered.length === candidates.length ? 'none' : 'notSeen' };
  if (first === undefined) return none;
  const answer = await pickOne<JobChoice>({
    title: vscode.l10n.t('Which job is "{0}"?', name),
    placeholder: vscode.l10n.t('Jobs created at that time'),
    choices: [
      ...offered.map((match) => ({
        ...matchItem(match, titleOf, hasSameMetadata),
        value: { type: 'job', job: match.job } as const,
      })),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: `$(circle-slash) ${vscode.l10n.t('None of These')}`, value: none },
    ],
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value : { type: 'undecided' };
}

/**
 * Returns the message that a job was not found, worded only as definitely as the jobs that were read allow.
 * @param mayAppear its job may still be created
 */
export function missingText(
  name: string,
  { isCertainlyNone, listed, window, isServiceClock }: JobMatches,
  mayAppear: boolean,
): string {
  const { l10n } = vscode;
  if (isCertainlyNone) {
    return mayAppear
      ? l10n.t('The service lists no job for "{0}". One may still appear within minutes.', name)
      : l10n.t('The service lists no job for "{0}".', name);
  }
  const [from, until] = [formatMoment(window.fromMs, locale), formatMoment(window.untilMs, locale)];
  return isServiceClock
    ? l10n.t(
        '"{0}" was not found among the {1} jobs created from {2} to {3} by the service\'s clock; it may still exist.',
        name,
        listed,
        from,
        until,
      )
    : l10n.t(
        '"{0}" was not found among the {1} jobs created from {2} to {3} by this computer\'s clock; it may still exist.',
        name,
        listed,
        from,
        until,
      );
}

function matchItem(
  { job, confidence }: JobMatch,
  titleOf: (job: Job) => string,
  hasSameMetadata: (job: Job) => boolean,
): vscode.QuickPickItem {
  const created = job.createdAtMs === undefined ? [] : [formatMoment(job.createdAtMs, locale)];
  const reasons = [confidenceText(confidence), ...(hasSameMetadata(job) ? [vscode.l10n.t('same metadata')] : [])];
  return {
    label: plainLabel(titleOf(job)),
    description: [...reasons, describeStatus(job.status).text].join(' · '),
    detail: [job.id, ...created].join(' · '),
  };
}

function confidenceText(confidence: MatchConfidence): string {
  switch (confidence) {
    case 'tag':
      return vscode.l10n.t('same tag');
    case 'audio':
      return vscode.l10n.t('same audio');
    case 'time':
      return vscode.l10n.t('same time');
  }
}
