import { t } from '@vscode/l10n';
import type { Job } from '../../../jobs/common/job.ts';
import { describeLongEcho, isEchoTooLong } from '../../requests/common/requestFromJob.ts';
import { findLastingCause } from './retryAdvice.ts';
import { httpUrl, readLinkExpiry } from '../../../language/requestLanguage.ts';
import { creationWindow, matchConfidence, type AudioMatch } from './matchConfidence.ts';
import { audioLabel } from './bodyEdits.ts';
import { mayHaveJob, type Submission } from '../../../jobs/common/submission.ts';
import { submittedName } from './submissionText.ts';

/** URI in the journal for a request that was made from the service's echo, without a file. */
export const echoedFile = 'untitled:echo.transcription.json';

/** A request as it could be sent now. */
export interface PresentRequest {
  /** JSON text. */
  readonly body: string;
  readonly audioUrl: string | undefined;
  /** Localised reason why it cannot be sent; undefined if it can. */
  readonly problem: string | undefined;
}

/** A request made from the parameters that the service echoes for a job. */
export interface EchoedRequest extends PresentRequest {
  /** Every echoed parameter has a counterpart in requests. */
  readonly isWhole: boolean;
}

/** The known origin of a failed job's request. */
interface JobOrigin {
  /** The newest submission that created the job; undefined when the journal has none. */
  readonly sent: Submission | undefined;
  /** The first submission in the chain of repeats that leads to it. */
  readonly first: Submission | undefined;
  /** Audio label of that submission, or of the nearest one before it that has one; undefined if the file name is sufficient. */
  readonly label: string | undefined;
  /** The submission's file as it is now; undefined if it no longer exists. */
  readonly file: PresentRequest | undefined;
  /** The file with the job's URL from the list that the user selected again; undefined when the list lacks the URL. */
  readonly listed: PresentRequest | 'noList' | undefined;
  /** The file is a template for a list of audio URLs. */
  readonly isOfList: boolean;
  readonly echo: EchoedRequest | undefined;
  /** The newest submission that repeats the job and may have created one. */
  readonly successor: Submission | undefined;
  /** If the journal has no submission that created the job: a submission of unknown outcome that may have created it. */
  readonly unsettled: Submission | undefined;
}

/** The source of a repeated request. */
type ResendSource =
  /** Exactly the body that was sent for the job. */
  | 'same'
  /** The file, which differs from the body that was sent. */
  | 'changed'
  | 'fileGone'
  /** The audio URL is only in a list, which was not provided. */
  | 'noList'
  /** The provided list lacks the audio URL. */
  | 'notInList'
  /** The parameters that the service echoes. */
  | 'echo'
  /** Neither the journal nor the service has the request (contract 2.2 shows no parameters of pre-recorded jobs). */
  | 'notOurs'
  /** As `notOurs`, but the job may come from a submission whose outcome is unknown. */
  | 'maybeOurs';

/** The request to send for a failed job, and its default selection. */
export interface Resend {
  readonly job: Job;
  readonly source: ResendSource;
  /** The file is a template for a list of audio URLs. */
  readonly isOfList: boolean;
  /** URI of the file, even if it no longer exists; undefined for an echo and for jobs that were not submitted here. */
  readonly file: string | undefined;
  /** Id of the batch in which its request was first sent; undefined if it was in none. */
  readonly batch: string | undefined;
  /** File name of the submitted audio or request; undefined if unknown. */
  readonly name: string | undefined;
  /** Host and file name of the audio, without the query, if the file is only a template or there is none. */
  readonly label: string | undefined;
  /** A submission of unknown outcome that may have created the job: its job is searched for before anything is sent. */
  readonly unsettled: Submission | undefined;
  /** The request to send; undefined if it cannot be sent. */
  readonly request: PresentRequest | undefined;
  readonly isProposed: boolean;
  /** It was repeated already, and that may have created a job. */
  readonly isSentAgain: boolean;
  /** Localised sentences: why it is not selected by default, cannot be sent, or may fail again. */
  readonly remarks: readonly string[];
}

/** Dependencies besides the job's origin. */
interface ResendDeps {
  readonly nowMs: number;
  /** SHA-256, hexadecimal. */
  readonly digest: (text: string) => string;
  readonly isAudio: AudioMatch;
  /** Returns the user's label for an error code. */
  readonly labelOf: (code: number) => string | undefined;
  /** Returns the HTTP status that a job's error code stands for, if known. */
  readonly statusOf: (code: number) => number | undefined;
}

/** Access to the requests of jobs. */
export interface RequestSources {
  /** Reads a request file as it is now; undefined if it no longer exists. */
  readonly readFile: (uri: string) => Promise<PresentRequest | undefined>;
  /**
   * True if a file that differs from the sent body is only the template for a list of audio URLs.
   * @param first the first submission in the chain of repeats that leads to the job.
   */
  readonly isTemplate: (first: Submission, file: PresentRequest) => Promise<boolean>;
  /**
   * Returns the template with the audio URL of a submission, found by its hash; undefined if the provided lists lack it.
   * @param first as for isTemplate: its batch is that of the list.
   */
  readonly readListed: (
    sent: Submission,
    template: PresentRequest,
    first: Submission,
  ) => Promise<PresentRequest | 'noList' | undefined>;
  /** Returns the request that the service echoes; undefined if it echoes none, or no audio URL. */
  readonly echoOf: (job: Job) => EchoedRequest | undefined;
}

/**
 * Decides what to send for failed jobs, from the journal and the current state of their requests.
 * @param journal newest first.
 * @param ownBatch id of the batch that is continued: its own submissions do not prevent sending.
 */
export async function decideResends(
  jobs: readonly Job[],
  journal: readonly Submission[],
  sources: RequestSources,
  deps: ResendDeps,
  ownBatch?: string,
): Promise<readonly Resend[]> {
  const sentAs = new Map<string, Submission>();
  for (const each of journal.toReversed()) {
    if (each.outcome.type === 'accepted' && each.outcome.id !== undefined) sentAs.set(each.outcome.id, each);
  }
  const ofOthers = journal.filter(({ batch }) => batch === undefined || batch !== ownBatch);
  const resends: Resend[] = [];
  // In sequence: the user may have to select a list.
  for (const job of jobs) {
    const sent = sentAs.get(job.id);
    const history = sent === undefined ? [] : historyOf(sent, sentAs);
    const first = history.at(-1);
    const label = history.find((each) => each.label !== undefined)?.label;
    const file = sent === undefined || sent.file === echoedFile ? undefined : await sources.readFile(sent.file);
    const isSame = file !== undefined && deps.digest(file.body) === sent?.bodyHash;
    const isOfList = first !== undefined && file !== undefined && !isSame && (await sources.isTemplate(first, file));
    const listed =
      isOfList && sent !== undefined && file !== undefined ? await sources.readListed(sent, file, first) : undefined;
    const successor = findSuccessor(ofOthers, job.id);
    const unsettled = sent === undefined ? journal.find((each) => mayBe(job, each, deps)) : undefined;
    const echo = sources.echoOf(job);
    const origin: JobOrigin = { sent, first, label, file, listed, isOfList, echo, successor, unsettled };
    resends.push(decideResend(job, origin, deps));
  }
  return withoutRepeats(resends);
}

/**
 * Returns the chain of submissions that a submission repeats, starting with itself, as far back as the journal goes and the file stays the
 * same.
 * @param sentAs by the id of the job
 */
function historyOf(sent: Submission, sentAs: ReadonlyMap<string, Submission>): readonly Submission[] {
  const history = new Set<Submission>();
  let each: Submission | undefined = sent;
  while (each?.file === sent.file && !history.has(each)) {
    history.add(each);
    each = each.replaces === undefined ? undefined : sentAs.get(each.replaces);
  }
  return [...history];
}

/** True if a submission without a known job may have created this job, by the same comparison as the search for its job. */
function mayBe(job: Job, submission: Submission, { isAudio }: ResendDeps): boolean {
  const { outcome } = submission;
  const hasUnknownJob = outcome.type === 'accepted' ? outcome.id === undefined : mayHaveJob(submission);
  if (!hasUnknownJob || submission.replaces === job.id) return false;
  return matchConfidence(submission, job, creationWindow(submission, 0), isAudio) !== undefined;
}

/** Decides what to send for a failed job. It is selected by default only if nothing speaks against it. */
function decideResend(job: Job, origin: JobOrigin, deps: ResendDeps): Resend {
  const { source, request } = chooseSource(origin, deps.digest);
  const isSentAgain = origin.successor !== undefined;
  const { sent, unsettled } = origin;
  const file = source === 'echo' ? undefined : sent?.file;
  const submitted = sent ?? unsettled;
  const knownLabel = origin.label ?? unsettled?.label;
  const name = submitted && submittedName({ file: submitted.file, label: knownLabel?.split('/').at(-1) });
  const isNamed = file !== undefined && !origin.isOfList;
  const label = origin.label ?? (isNamed ? undefined : audioLabel(request?.audioUrl ?? '') || undefined);
  const { isOfList } = origin;
  const batch = origin.first?.batch;
  const known = { job, source, isOfList, file, batch, name, label, unsettled, isSentAgain };
  if (request === undefined || request.problem !== undefined) {
    const why = unsettled === undefined ? (request?.problem ?? absenceText(source, job)) : unsettledText(unsettled);
    return { ...known, request: undefined, isProposed: false, remarks: [why] };
  }
  const against = objections(source, request, origin, deps);
  // An edit may have removed the cause.
  const cause = source === 'changed' || job.errorCode === undefined ? undefined : lastingCause(job.errorCode, deps);
  const hint = cause === undefined ? [] : [t('The error looks permanent. {0}', cause)];
  return { ...known, request, isProposed: against.length === 0, remarks: [...against, ...hint] };
}

function chooseSource(
  { sent, file, listed: given, isOfList, echo, unsettled }: JobOrigin,
  digest: (text: string) => string,
): { readonly source: ResendSource; readonly request: PresentRequest | undefined } {
  const isSame = (each: PresentRequest | undefined): boolean =>
    each !== undefined && digest(each.body) === sent?.bodyHash;
  const listed = given === 'noList' ? undefined : given;
  if (isSame(file)) return { source: 'same', request: file };
  if (isSame(listed)) return { source: 'same', request: listed };
  if (isOfList && listed !== undefined) return { source: 'changed', request: listed };
  if (!isOfList && file !== undefined) return { source: 'changed', request: file };
  if (echo !== undefined) return { source: 'echo', request: echo };
  if (unsettled !== undefined) return { source: 'maybeOurs', request: undefined };
  if (sent === undefined) return { source: 'notOurs', request: undefined };
  if (file === undefined) return { source: 'fileGone', request: undefined };
  return { source: given === 'noList' ? given : 'notInList', request: undefined };
}

function absenceText(source: ResendSource, job: Job): string {
  switch (source) {
    case 'fileGone':
      return t('The request file no longer exists.');
    case 'noList':
      return t('Its audio URL is only in your list, and no list was selected.');
    case 'notInList':
      return t("Its audio URL isn't in any of the lists that you selected.");
    case 'notOurs':
    case 'maybeOurs':
    case 'same':
    case 'changed':
    case 'echo':
      if (isEchoTooLong(job)) return describeLongEcho();
      return t("Its request isn't known here, and the service doesn't return it.");
  }
}

/**
 * Returns why none of these can be sent, in the plural for several; undefined if one of them can be sent, or they have different reasons.
 */
export function commonReason(resends: readonly Resend[]): string | undefined {
  const reasons = new Set(
    resends.map(({ request, remarks }) => (request === undefined ? remarks.join(' ') : undefined)),
  );
  const [reason] = reasons;
  if (reason === undefined || reasons.size > 1) return undefined;
  const [first] = resends;
  if (first === undefined || resends.length === 1) return reason;
  switch (first.source) {
    case 'fileGone':
      return new Set(resends.map(({ file }) => file)).size === 1 ? reason : t('The request files no longer exist.');
    case 'noList':
      return t('Their audio URLs are only in your list, and no list was selected.');
    case 'notInList':
      return t("Their audio URLs aren't in any of the lists that you selected.");
    case 'notOurs':
      if (isEchoTooLong(first.job)) return reason;
      return t("Their requests aren't known here, and the service doesn't return them.");
    case 'maybeOurs':
    case 'same':
    case 'changed':
    case 'echo':
      return reason;
  }
}

function unsettledText(unsettled: Submission): string {
  const name = submittedName(unsettled);
  return unsettled.outcome.type === 'accepted'
    ? t('May be "{0}", whose job ID is unknown: find its job first.', name)
    : t('May be "{0}", whose outcome is unknown: find its job first.', name);
}

function objections(
  source: ResendSource,
  { audioUrl }: PresentRequest,
  { echo, successor, unsettled }: JobOrigin,
  { nowMs }: ResendDeps,
): readonly string[] {
  const remarks: string[] = [];
  if (unsettled !== undefined) remarks.push(unsettledText(unsettled));
  if (successor !== undefined) {
    const { outcome } = successor;
    const id = outcome.type === 'accepted' ? outcome.id : undefined;
    remarks.push(
      id === undefined ? t('Already resubmitted; the outcome is unknown.') : t('Already resubmitted: job {0}.', id),
    );
  }
  if (source === 'changed') remarks.push(t('The request has changed since it was sent.'));
  if (source === 'echo' && echo?.isWhole === false)
    remarks.push(t("The service's copy is missing some of what was sent."));
  const url = httpUrl(audioUrl?.trim());
  const endMs = url && readLinkExpiry(url);
  if (endMs !== undefined && endMs <= nowMs) remarks.push(t('The link to the audio has expired.'));
  return remarks;
}

function lastingCause(code: number, { labelOf, statusOf }: ResendDeps): string | undefined {
  return findLastingCause({ status: statusOf(code), label: labelOf(code) });
}

/** Selects by default only the first of several requests with the same body: more would be billed for the same result. */
function withoutRepeats(resends: readonly Resend[]): readonly Resend[] {
  const seen = new Map<string, string>();
  return resends.map((resend) => {
    const { request, isProposed, job, remarks } = resend;
    if (request === undefined || !isProposed) return resend;
    const first = seen.get(request.body);
    if (first === undefined) {
      seen.set(request.body, job.id);
      return resend;
    }
    return { ...resend, isProposed: false, remarks: [...remarks, t('Same request as job {0}.', first)] };
  });
}

/** Returns the newest submission that repeats a job and may have created one. @param submissions newest first */
export function findSuccessor(submissions: readonly Submission[], job: string): Submission | undefined {
  return submissions.find((each) => each.replaces === job && mayHaveJob(each));
}

/** Returns the ids of the jobs that these jobs repeat, directly or through others that failed as well. */
export function replacedJobs(submissions: readonly Submission[], successors: Iterable<string>): ReadonlySet<string> {
  const replacedBy = new Map<string, string[]>();
  for (const { outcome, replaces } of submissions) {
    if (outcome.type !== 'accepted' || outcome.id === undefined || replaces === undefined) continue;
    replacedBy.set(outcome.id, [...(replacedBy.get(outcome.id) ?? []), replaces]);
  }
  const replaced = new Set<string>();
  const open = [...successors];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const before of replacedBy.get(id) ?? []) {
      if (replaced.has(before)) continue;
      replaced.add(before);
      open.push(before);
    }
  }
  return replaced;
}
