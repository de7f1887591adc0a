import { posix } from 'node:path';
import * as vscode from 'vscode';
import { countDeadLinks, sampleProcessing } from '../../requests/common/linkRunway.ts';
import { isKnownToFail } from '../../../language/requestLanguage.ts';
import { isRecent, type Submission } from '../../../jobs/common/submission.ts';
import { echoedFile, replacedJobs } from '../common/resubmission.ts';
import { nextTurn, WorkSlices } from '../../../base/clock.ts';
import { digest } from '../../../base/digest.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { askInModal, showSubmissionsStep } from '../../../platform/editor/messages.ts';
import {
  deliveryButton,
  deliveryLines,
  formatSent,
  presentFacts,
  repeatedText,
  sameBodyText,
  warningLines,
} from './confirmSubmission.ts';
import type { Submissions } from './submissions.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';
import type { DeliveryProposal } from '../../deliver/common/delivery.ts';
import { warningsByCode, type ListFacts, type PlannedBatch, type PlannedRequest } from './planBatch.ts';

/** Variations of the question that {@link confirmBatch} shows. */
export interface BatchQuestion {
  /** The batch is continued. */
  readonly isRest?: boolean;
  /** Results that are saved when the jobs are done. */
  readonly delivery: DeliveryProposal;
}

/**
 * Confirms all requests of a batch with one question.
 * @returns the requests to send, `chooseDelivery` to choose the results to save; undefined when the user cancels.
 */
export async function confirmBatch(
  submissions: Submissions,
  service: SubmitTarget,
  planned: PlannedBatch,
  { isRest = false, delivery }: BatchQuestion,
): Promise<readonly PlannedRequest[] | 'chooseDelivery' | undefined> {
  const { l10n } = vscode;
  const { connection } = service;
  const { requests, leftOut } = planned;
  const nowMs = submissions.services.clock.now();
  const { sameBody, sameAudio, notSame, newAudio } = await findSent(submissions, connection, requests, nowMs);
  const warnings = warningsByCode(requests).map(([{ message }, labels]) =>
    whoseWarning(message, labels, requests.length),
  );
  const equal = requests.length - new Set(requests.map(({ request }) => request.body)).size;
  const deadLinks = await deadLinksText(submissions, requests, nowMs);
  const isAgain = sameBody.length === requests.length;
  const [same] = sameBody;
  const again = requests.length === 1 && same !== undefined ? submissions.withLoadedFate(same) : undefined;
  const sent = sameBody.length + sameAudio.length;
  const all = isAgain
    ? l10n.t('Submit Again')
    : warnings.length > 0 || deadLinks.length > 0 || sent > 0 || equal > 0
      ? l10n.t('Submit Anyway')
      : l10n.t('Submit');
  // Enter sends nothing that is known to fail.
  const isGood = (each: PlannedRequest): boolean => !each.warnings.some(isKnownToFail);
  const [good, fresh] = [notSame.filter(isGood), newAudio.filter(isGood)];
  const others = good.length === 1 ? l10n.t('Submit the Other') : l10n.t('Submit the Other {0}', good.length);
  const ofNewAudio = l10n.t('Submit New Audio ({0})', fresh.length);
  const remarks = [
    ...(again === undefined ? sentLines(sameBody, sameAudio, nowMs) : [sameBodyText(again, nowMs)]),
    ...(equal > 0 ? [l10n.t('Identical to another request in this batch: {0}', equal)] : []),
    ...deadLinks,
    ...warningLines(warnings),
    ...(leftOut.length > 0 ? [l10n.t('Left out:'), ...warningLines(leftOut)] : []),
  ];
  const source = sourceLines(submissions, planned);
  // A small window cuts the end off.
  const lines = [
    ...(remarks.length > 0 ? [...remarks, ''] : []),
    ...(source.length > 0 ? [...source, ''] : []),
    ...(again === undefined ? [] : [l10n.t('Connection: {0}', connection.name)]),
    ...(await presentFacts(
      connection,
      requests.map(({ request }) => request),
      again !== undefined,
    )),
    ...deliveryLines(delivery),
  ];
  const chooseDelivery = deliveryButton(delivery);
  const showSent = again === undefined ? showSubmissionsStep() : submissions.stepInstead(service, again);
  const showProblems = l10n.t('Show Problems');
  const isDoubtful = warnings.length > 0 || deadLinks.length > 0;
  const instead = sent > 0 ? [showSent.title] : isDoubtful ? [showProblems] : [];
  const isPart = ({ length }: readonly PlannedRequest[]): boolean => length > 0 && length < requests.length;
  const first = isPart(good) ? [others] : isPart(fresh) ? [ofNewAudio] : instead;
  const buttons = [...first, all, ...(delivery.canChange ? [chooseDelivery] : [])];
  const message =
    again === undefined
      ? questionText(planned, { isRest, isAgain }, connection.name)
      : repeatedText(requests[0]?.label ?? '', again, nowMs);
  switch (await askInModal('warning', message, lines, buttons)) {
    case all:
      return requests;
    case chooseDelivery:
      return 'chooseDelivery';
    case showSent.title:
      await showSent.run();
      return undefined;
    case showProblems:
      await vscode.commands.executeCommand('workbench.actions.view.problems');
      return undefined;
    case others:
      return good;
    case ofNewAudio:
      return fresh;
    default:
      return undefined;
  }
}

/** The requests of a batch by what was already submitted within a day. */
interface SentRequests {
  /** Submissions of the same bodies. */
  readonly sameBody: readonly Submission[];
  /** Submissions of the same audio with another body: other settings, or another title. */
  readonly sameAudio: readonly Submission[];
  /** The requests whose bodies were not submitted. */
  readonly notSame: readonly PlannedRequest[];
  /** Those of them whose audio was not submitted either. */
  readonly newAudio: readonly PlannedRequest[];
}

async function findSent(
  submissions: Submissions,
  connection: Connection,
  requests: readonly PlannedRequest[],
  nowMs: number,
): Promise<SentRequests> {
  const slices = new WorkSlices();
  const hashed: (readonly [PlannedRequest, string, string])[] = [];
  for (const each of requests) {
    await slices.rest();
    const { body, audioUrl } = each.request;
    hashed.push([each, digest(body), audioUrl === undefined ? '' : submissions.audio.of(audioUrl)]);
  }
  const read = await submissions.readSame(connection, new Set(hashed.flatMap(([, body, audio]) => [body, audio])));
  const recent = withoutReplaced(read, requests).filter((each) => isRecent(each, nowMs));
  // The newest comes first.
  const byBody = new Map(recent.toReversed().map((each) => [each.bodyHash, each]));
  const byAudio = new Map(recent.toReversed().map((each) => [each.audioHash, each]));
  const sameBody: Submission[] = [];
  const sameAudio: Submission[] = [];
  const notSame: PlannedRequest[] = [];
  const newAudio: PlannedRequest[] = [];
  for (const [request, body, audio] of hashed) {
    const same = byBody.get(body);
    const other = byAudio.get(audio);
    if (same !== undefined) sameBody.push(same);
    else notSame.push(request);
    if (same !== undefined) continue;
    if (other !== undefined) sameAudio.push(other);
    else newAudio.push(request);
  }
  return { sameBody, sameAudio, notSame, newAudio };
}

function sentLines(
  sameBody: readonly Submission[],
  sameAudio: readonly Submission[],
  nowMs: number,
): readonly string[] {
  const { l10n } = vscode;
  const last = Math.max(...sameAudio.map(({ sentAtMs }) => sentAtMs));
  return [
    ...(sameBody.length > 0 ? [l10n.t('Already submitted unchanged in the last 24 hours: {0}', sameBody.length)] : []),
    ...(sameAudio.length > 0
      ? [
          l10n.t(
            'Same audio with other settings or metadata already submitted in the last 24 hours: {0} (last: {1})',
            sameAudio.length,
            formatSent(last, nowMs),
          ),
        ]
      : []),
  ];
}

/** Describes where the requests come from, unless the question names the only one, and what the service would do with them. */
function sourceLines(submissions: Submissions, { source, requests, list }: PlannedBatch): readonly string[] {
  const { l10n } = vscode;
  const [first] = requests;
  if (first === undefined) return [];
  const firstLine = requests.length === 1 ? [] : [l10n.t('First: {0}', first.label)];
  const effect = l10n.t('Effect: {0}', submissions.effect(first.request.body));
  if (source.type === 'resubmit') {
    const { file } = first.request;
    // Requests of the same file have the same settings.
    const isOneFile = file !== echoedFile && requests.every(({ request }) => request.file === file);
    return requests.length === 1 || isOneFile ? [effect, ...firstLine] : firstLine;
  }
  if (source.type === 'files') return firstLine;
  const keys = [...(source.metadataKeys ?? []), ...(source.titleKey === undefined ? [] : [source.titleKey])];
  const unused = list?.unused ?? [];
  return [
    l10n.t('Request file: {0}', posix.basename(vscode.Uri.parse(source.template, true).path)),
    effect,
    ...(list === undefined ? [] : [rowsText(source.list, list, requests.length)]),
    ...firstLine,
    ...(keys.length > 0 ? [l10n.t('Metadata from the list: {0}', [...new Set(keys)].join(', '))] : []),
    ...(unused.length > 0 ? [l10n.t('Columns that are not used: {0}', unused.join(', '))] : []),
  ];
}

/** Accounts for each row of a list. */
function rowsText(list: string | undefined, { rows, leftOut, isHeaded }: ListFacts, requests: number): string {
  const { l10n } = vscode;
  const name = list === undefined ? l10n.t('The clipboard') : posix.basename(vscode.Uri.parse(list, true).path);
  const before = rows - leftOut - requests;
  const parts = [
    l10n.t('{0} to submit', requests),
    ...(leftOut > 0 ? [l10n.t('{0} left out', leftOut)] : []),
    ...(before > 0 ? [l10n.t('{0} submitted before', before)] : []),
  ].join(' + ');
  return isHeaded
    ? l10n.t('{0}: {1} rows below the headings = {2}', name, rows, parts)
    : l10n.t('{0}: {1} rows = {2}', name, rows, parts);
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
  { requests, source }: PlannedBatch,
  { isRest, isAgain }: { readonly isRest: boolean; readonly isAgain: boolean },
  connection: string,
): string {
  const { l10n } = vscode;
  const { length: count } = requests;
  const [first] = requests;
  if (count === 1 && first !== undefined) {
    return source.type === 'resubmit'
      ? l10n.t('Resubmit "{0}" to {1}?', first.label, connection)
      : l10n.t('Submit "{0}" to {1}?', first.label, connection);
  }
  if (isAgain) return l10n.t('These {0} requests were already submitted to {1}. Submit them again?', count, connection);
  if (isRest) return l10n.t('Submit the remaining {0} to {1}?', count, connection);
  return source.type === 'resubmit'
    ? l10n.t('Resubmit {0} failed jobs to {1}?', count, connection)
    : l10n.t('Submit {0} requests to {1}?', count, connection);
}

/** Number of links that are counted in one turn. */
const linksPerTurn = 1000;

/**
 * Counts the signed links that will probably expire before they are processed, from the duration of recent jobs; empty if that is unknown.
 */
async function deadLinksText(
  { services }: Submissions,
  requests: readonly PlannedRequest[],
  nowMs: number,
): Promise<readonly string[]> {
  const sample = sampleProcessing(services.jobs.jobs());
  if (sample === undefined) return [];
  let dead = 0;
  for (let at = 0; at < requests.length; at += linksPerTurn) {
    const urls = requests.slice(at, at + linksPerTurn).map(({ request }) => request.audioUrl);
    dead += countDeadLinks(urls, sample, nowMs + at * sample.gapMs);
    await nextTurn();
  }
  return dead === 0
    ? []
    : [vscode.l10n.t('{0} of {1} links will probably expire before their turn', dead, requests.length)];
}

/** Omits the submissions of the failed jobs that these requests repeat: the user repeats them on purpose. */
function withoutReplaced(journal: readonly Submission[], requests: readonly PlannedRequest[]): readonly Submission[] {
  const repeated = requests.flatMap(({ request }) => request.replaces ?? []);
  if (repeated.length === 0) return journal;
  const replaced = new Set([...repeated, ...replacedJobs(journal, repeated)]);
  return journal.filter(({ outcome }) => outcome.type !== 'accepted' || !replaced.has(outcome.id ?? ''));
}
