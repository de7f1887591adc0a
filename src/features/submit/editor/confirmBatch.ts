import * as vscode from 'vscode';
import { countDeadLinks, sampleProcessing } from '../../requests/common/linkRunway.ts';
import { isKnownToFail } from '../../../language/rules/audioUrl.ts';
import { sameBodySent, type Submission } from '../../../jobs/common/submission.ts';
import type { BatchSource } from '../common/batch.ts';
import { replacedJobs } from '../common/resubmission.ts';
import { digest } from '../../../base/digest.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { askInModal, showSubmissionsStep } from '../../../platform/editor/messages.ts';
import { presentFacts, warningLines } from './confirmSubmission.ts';
import type { Submissions } from './submissions.ts';
import type { DeliveryProposal } from '../../deliver/common/delivery.ts';
import { warningsByCode, type PlannedBatch, type PlannedRequest } from './planBatch.ts';

/** Variations of the question that {@link confirmBatch} shows. */
export interface BatchQuestion {
  /** The batch is continued. */
  readonly isRest?: boolean;
  /** Metadata key that could hold the file names of the audio; undefined to not offer it. */
  readonly titleKey?: string | undefined;
  /** Results that are saved when the jobs are done. */
  readonly delivery?: DeliveryProposal | undefined;
}

/**
 * Confirms all requests of a batch with one question.
 * @returns the requests to send, `addTitles` to add the file names of their audio first, `chooseDelivery` to choose the results to save; undefined when the user cancels.
 */
export async function confirmBatch(
  submissions: Submissions,
  connection: Connection,
  { requests, leftOut, source }: PlannedBatch,
  { isRest = false, titleKey, delivery }: BatchQuestion = {},
): Promise<readonly PlannedRequest[] | 'addTitles' | 'chooseDelivery' | undefined> {
  const { l10n } = vscode;
  const bodies = new Set(requests.map(({ request }) => request.body));
  const journal = withoutReplaced(await submissions.readSameBodies(connection, bodies), requests);
  const nowMs = submissions.services.clock.now();
  const sameBodies = new Map<string, Submission[]>();
  for (const each of journal) sameBodies.set(each.bodyHash, [...(sameBodies.get(each.bodyHash) ?? []), each]);
  const unsent = requests.filter(({ request }) => {
    const bodyHash = digest(request.body);
    return sameBodySent(sameBodies.get(bodyHash) ?? [], bodyHash, nowMs) === undefined;
  });
  const sent = requests.length - unsent.length;
  const warnings = warningsByCode(requests).map(([{ message }, labels]) =>
    whoseWarning(message, labels, requests.length),
  );
  const equal = requests.length - new Set(requests.map(({ request }) => request.body)).size;
  const deadLinks = deadLinksText(submissions, requests, nowMs);
  const all =
    unsent.length === 0
      ? l10n.t('Submit Again')
      : warnings.length > 0 || deadLinks.length > 0 || sent > 0 || equal > 0
        ? l10n.t('Submit Anyway')
        : l10n.t('Submit');
  // Enter sends nothing that is known to fail.
  const good = unsent.filter((each) => !each.warnings.some(isKnownToFail));
  const others = l10n.t('Submit the Other {0}', good.length);
  const lines = [
    ...(await presentFacts(
      connection,
      requests.map(({ request }) => request),
    )),
    l10n.t('First: {0}', requests[0]?.label ?? ''),
    ...metadataText(source),
    ...(delivery?.text === undefined ? [] : [l10n.t('Saved when done: {0}', delivery.text)]),
    ...section(warnings),
    ...deadLinks,
    ...(sent > 0 ? ['', l10n.t('Already submitted in the last 24 hours: {0}', sent)] : []),
    ...(equal > 0 ? ['', l10n.t('Identical to another request in this batch: {0}', equal)] : []),
    ...(leftOut.length > 0 ? ['', l10n.t('Left out:'), ...warningLines(leftOut)] : []),
  ];
  const showSent = l10n.t('Show Submissions');
  const addTitles = l10n.t('Add File Names to {0}', `custom_metadata.${titleKey}`);
  const chooseDelivery =
    delivery?.text === undefined ? l10n.t('Save Results When Done…') : l10n.t('Change What Is Saved…');
  const first = good.length > 0 && good.length < requests.length ? [others] : sent > 0 ? [showSent] : [];
  const buttons = [
    ...first,
    all,
    ...(titleKey === undefined ? [] : [addTitles]),
    ...(delivery?.canChange === true ? [chooseDelivery] : []),
  ];
  const message = questionText(requests.length, { isRest, isAgain: unsent.length === 0 }, connection.name);
  const pressed = await askInModal('warning', message, lines, buttons);
  switch (pressed) {
    case all:
      return requests;
    case addTitles:
      return 'addTitles';
    case chooseDelivery:
      return 'chooseDelivery';
    case showSent:
      await showSubmissionsStep().run();
      return undefined;
    case others:
      return good;
    default:
      return undefined;
  }
}

/** Prefixes a warning with its requests: one or two by name, "all" if all have it, and otherwise their number. */
function whoseWarning(message: string, labels: readonly string[], all: number): string {
  const { l10n } = vscode;
  const [first = '', ...others] = labels;
  if (labels.length === all && all > 1) return l10n.t('All: {0}', message);
  if (others.length < 2) return `${labels.join(', ')}: ${message}`;
  return `${l10n.t('{0} and {1} more', first, others.length)}: ${message}`;
}

function questionText(
  count: number,
  { isRest, isAgain }: { readonly isRest: boolean; readonly isAgain: boolean },
  connection: string,
): string {
  const { l10n } = vscode;
  if (isAgain) {
    return count === 1
      ? l10n.t('This request was already submitted to {0}. Submit it again?', connection)
      : l10n.t('These {0} requests were already submitted to {1}. Submit them again?', count, connection);
  }
  if (isRest) return l10n.t('Submit the remaining {0} to {1}?', count, connection);
  return count === 1
    ? l10n.t('Submit 1 request to {0}?', connection)
    : l10n.t('Submit {0} requests to {1}?', count, connection);
}

/**
 * Counts the signed links that will probably expire before they are processed, from the duration of recent jobs; empty if that is unknown.
 */
function deadLinksText(
  { services }: Submissions,
  requests: readonly PlannedRequest[],
  nowMs: number,
): readonly string[] {
  const sample = sampleProcessing(services.jobs.jobs());
  const urls = requests.map(({ request }) => request.audioUrl);
  const dead = sample === undefined ? 0 : countDeadLinks(urls, sample, nowMs);
  return dead === 0
    ? []
    : ['', vscode.l10n.t('{0} of {1} links will probably expire before their turn', dead, urls.length)];
}

/** Omits the submissions of the failed jobs that these requests repeat: the user repeats them on purpose. */
function withoutReplaced(journal: readonly Submission[], requests: readonly PlannedRequest[]): readonly Submission[] {
  const repeated = requests.flatMap(({ request }) => request.replaces ?? []);
  if (repeated.length === 0) return journal;
  const replaced = new Set([...repeated, ...replacedJobs(journal, repeated)]);
  return journal.filter(({ outcome }) => outcome.type !== 'accepted' || !replaced.has(outcome.id ?? ''));
}

/** Lists the metadata that come from the list: they are part of what is sent. */
function metadataText(source: BatchSource): readonly string[] {
  const keys = source.type === 'list' ? (source.metadataKeys ?? []) : [];
  return keys.length === 0 ? [] : [vscode.l10n.t('Metadata from the list: {0}', keys.join(', '))];
}

function section(warnings: readonly string[]): readonly string[] {
  return warnings.length === 0 ? [] : ['', ...warningLines(warnings)];
}
