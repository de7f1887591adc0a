import { t } from '@vscode/l10n';
import type { Job } from '../../../jobs/common/job.ts';
import { describeLongEcho, isEchoTooLong } from '../../requests/common/requestFromJob.ts';
import { findLastingCause } from './retryAdvice.ts';
import { readLinkExpiry } from '../../../language/rules/audioLinks.ts';
import { httpUrl } from '../../../language/rules/audioUrl.ts';
import { creationWindow, matchConfidence, type AudioMatch } from './matchConfidence.ts';
import { audioLabel } from './bodyEdits.ts';
import { mayHaveJob, type Submission } from '../../../jobs/common/submission.ts';
import { submittedName } from './submissionText.ts';

/** URI in the journal for a request that was made from the service's echo: there is no file. */
export const echoedFile = 'untitled:echo.transcription.json';

/** A request as it could be sent now. */
export interface PresentRequest {
  /** JSON text. */
  readonly body: string;
  readonly audioUrl: string | undefined;
  /** Why it cannot be sent, localised; undefined when it can. */
  readonly problem: string | undefined;
}

/** A request made from what the service echoes of a job. */
export interface EchoedRequest extends PresentRequest {
  /** Everything echoed has a counterpart in requests. */
  readonly isWhole: boolean;
}

/** What is known of how a failed job was requested. */
interface JobOrigin {
  /** The newest submission that became the job; undefined when the journal has none. */
  readonly sent: Submission | undefined;
  /** What that submission, or the nearest before it, called its audio; undefined where the file's name says enough. */
  readonly label: string | undefined;
  /** The submission's file as it is now; undefined when it is gone. */
  readonly file: PresentRequest | undefined;
  /** The file with the job's URL from the list that the user gave again; undefined when the list lacks the URL. */
  readonly listed: PresentRequest | 'noList' | undefined;
  /** The file is a template for a list of audio URLs. */
  readonly isOfList: boolean;
  readonly echo: EchoedRequest | undefined;
  /** The newest submission that repeats the job and may have created one. */
  readonly successor: Submission | undefined;
  /** If the journal has no submission that became the job: one of unknown outcome that may have. */
  readonly unsettled: Submission | undefined;
}

/** What would be sent for a failed job. */
type ResendSource =
  /** Exactly what was sent for the job. */
  | 'same'
  /** The file, which differs from what was sent. */
  | 'changed'
  | 'fileGone'
  /** The audio URL is only in a list, which was not given. */
  | 'noList'
  /** The list that was given lacks the audio URL. */
  | 'notInList'
  /** The parameters that the service echoes. */
  | 'echo'
  /** Neither the journal nor the service tells the request (contract 2.2 shows no parameters of pre-recorded jobs). */
  | 'notOurs'
  /** As before, but a submission whose outcome is unknown may be the job. */
  | 'maybeOurs';

/** What would be sent for a failed job, and whether it is proposed. */
export interface Resend {
  readonly job: Job;
  readonly source: ResendSource;
  /** URI of the file, whether or not it is still there; undefined for an echo and for jobs that are not ours. */
  readonly file: string | undefined;
  /** The file name of the audio or the request that was submitted; undefined where that is not known. */
  readonly name: string | undefined;
  /** Host and file name of the audio, where the file is only a template or there is none; no query. */
  readonly label: string | undefined;
  /** A submission of unknown outcome that may be the job: it is looked for before anything is sent. */
  readonly unsettled: Submission | undefined;
  /** What would be sent; undefined when it cannot be. */
  readonly request: PresentRequest | undefined;
  readonly isProposed: boolean;
  /** It was repeated already, and that may have created a job. */
  readonly isSentAgain: boolean;
  /** Localised sentences: why it is not proposed, or cannot be sent, or may fail again. */
  readonly remarks: readonly string[];
}

/** Facts besides the job's origin. */
interface ResendDeps {
  readonly nowMs: number;
  /** SHA-256, hexadecimal. */
  readonly digest: (text: string) => string;
  readonly isAudio: AudioMatch;
  /** The user's label for an error code. */
  readonly labelOf: (code: number) => string | undefined;
  /** The HTTP status that a job's error code is, where that is known. */
  readonly statusOf: (code: number) => number | undefined;
}

/** Access to what jobs were requested with. */
export interface RequestSources {
  /** A request file as it is now; undefined when it is gone. */
  readonly readFile: (uri: string) => Promise<PresentRequest | undefined>;
  /**
   * Whether a file that differs from what was sent is only the template for a list of audio URLs.
   * @param first the first of the submissions that repeat each other up to the job.
   */
  readonly isTemplate: (first: Submission, file: PresentRequest) => Promise<boolean>;
  /**
   * The template with the audio URL of a submission, found by its hash; undefined when the lists that were given lack it.
   * @param first as for isTemplate: its batch is that of the list.
   */
  readonly readListed: (
    sent: Submission,
    template: PresentRequest,
    first: Submission,
  ) => Promise<PresentRequest | 'noList' | undefined>;
  /** The request that the service echoes; undefined when it does not, or without the audio URL. */
  readonly echoOf: (job: Job) => EchoedRequest | undefined;
}

/**
 * What would be sent for failed jobs, according to the journal and what their requests are now.
 * @param journal newest first.
 * @param ownBatch id of the batch that is continued: what it has sent is no reason against sending.
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
  // One after another: the user may have to be asked for a list.
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
    const origin: JobOrigin = { sent, label, file, listed, isOfList, echo: sources.echoOf(job), successor, unsettled };
    resends.push(decideResend(job, origin, deps));
  }
  return withoutRepeats(resends);
}

/**
 * The submissions of which a submission is the last repeat, itself first, as far as the journal goes and the file is the same one.
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

/** Whether a submission of which no job is known may be a job, by what the search for its job compares. */
function mayBe(job: Job, submission: Submission, { isAudio }: ResendDeps): boolean {
  const { outcome } = submission;
  const hasUnknownJob = outcome.type === 'accepted' ? outcome.id === undefined : mayHaveJob(submission);
  if (!hasUnknownJob || submission.replaces === job.id) return false;
  return matchConfidence(submission, job, creationWindow(submission, 0), isAudio) !== undefined;
}

/** What would be sent for a failed job. Sending again is proposed only where nothing speaks against it. */
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
  const known = { job, source, file, name, label, unsettled, isSentAgain };
  if (request === undefined || request.problem !== undefined) {
    const why = unsettled === undefined ? (request?.problem ?? absenceText(source, job)) : unsettledText(unsettled);
    return { ...known, request: undefined, isProposed: false, remarks: [why] };
  }
  const against = objections(source, request, origin, deps);
  // What was edited may have removed the cause.
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
      return t(
        "Nothing shows that it was submitted from this computer, and the service doesn't return its parameters.",
      );
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

/** Proposes only the first of several requests with the same body: more would be billed for the same result. */
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

/** The newest submission that repeats a job and may have created one. @param submissions newest first */
export function findSuccessor(submissions: readonly Submission[], job: string): Submission | undefined {
  return submissions.find((each) => each.replaces === job && mayHaveJob(each));
}

/** Ids of the jobs that these jobs repeat, directly or through others that failed as well. */
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
