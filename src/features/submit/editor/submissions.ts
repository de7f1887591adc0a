import * as vscode from 'vscode';
import { schemaErrors } from 'request-validator:';
import { measureLinkNeed } from '../../requests/common/linkRunway.ts';
import type { Watchable } from '../../watch/common/watchPlan.ts';
import type { PostAnswer } from '../../../base/postOutcome.ts';
import { Failure } from '../../../base/failure.ts';
import { failureSentence } from '../../../base/failureText.ts';
import {
  confirmationLevels,
  createRequestLanguage,
  type GateResult,
  maxEditorFindings,
  type RequestLanguage,
} from '../../../language/requestLanguage.ts';
import { findServiceKnowledge, type ServiceKnowledge } from '../../../known/serviceKnowledge.ts';
import {
  sameBodySent,
  withFate,
  type JournalOwner,
  type Submission,
  type SubmissionOutcome,
} from '../../../jobs/common/submission.ts';
import { acceptedText, submittedJobs, notSentText, submittedName, unknownText } from '../common/submissionText.ts';
import { findSuccessor } from '../common/resubmission.ts';
import type { DeliveryPlan, DeliveryProposal } from '../../deliver/common/delivery.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { BatchStore } from '../node/journal/batchStore.ts';
import type { Journal, JournalReading } from '../../../jobs/node/journal/journal.ts';
import { digest } from '../../../base/digest.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { AudioHash } from '../node/audioHash.ts';
import { fateOf } from '../common/batchRows.ts';
import { mayStillAppear } from '../common/matchConfidence.ts';
import { listJobMatches } from '../node/jobMatches.ts';
import { JournalUnwritable, Submitter, type OutgoingRequest, type SubmitResult } from '../node/submitter.ts';
import { contextKeys } from '../../../platform/editor/ids.ts';
import {
  showMessage,
  showPlaceStep,
  showSubmissionsStep,
  UserError,
  type NextStep,
} from '../../../platform/editor/messages.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import { readRequest, type RequestText } from '../../../language/editor/requestDocuments.ts';
import { runCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import { nextStepsAfter } from '../../../platform/editor/showError.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { chooseJobMatch, missingText } from './chooseJobMatch.ts';
import { confirmSubmission, presentFacts } from './confirmSubmission.ts';
import {
  blockingText,
  outgoingRequest,
  requireSendable,
  showProblems,
  warningsOf,
  type SendableRequest,
} from './sendableRequest.ts';
import { compareMetadata } from './readSentRequest.ts';
import { JournalLosses } from './journalLosses.ts';
import { RetriedFiles } from './retriedFiles.ts';
import { ServiceComplaints } from './serviceComplaints.ts';
import type { Services } from '../../../services.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';

/**
 * Minimum time between two redraws, in milliseconds: a batch changes its ledger and the journal twice with each request, and rows that
 * change too often cannot be read.
 */
export const redrawEveryMs = 500;

/** Options for submitting one request. */
export interface SubmitOptions {
  /** The submission that this one repeats. */
  readonly earlier?: Submission;
  /** Always confirm, regardless of the setting: the user may not have initiated this submission. */
  readonly mustAsk?: boolean;
}

/**
 * Submits requests, from checking the text to reporting the outcome. Each is confirmed by the user and sent by at most one POST (contract
 * 4.4), which is written to the journal first. Created by the first command about submissions.
 */
export class Submissions extends DisposableOwner {
  readonly services: Services;
  readonly journal: Journal;
  readonly batches: BatchStore;
  readonly audio: AudioHash;
  readonly complaints = this.own(new ServiceComplaints());
  readonly retried: RetriedFiles;
  readonly #submitter: Submitter;
  readonly #language: RequestLanguage;
  /** Names of running submissions, so that invoking a command twice submits once. */
  readonly #busy = new Set<string>();
  readonly #losses = new JournalLosses();

  constructor(services: Services, audio: AudioHash) {
    super();
    const { clock, log, journal } = services;
    this.services = services;
    this.audio = audio;
    this.journal = journal;
    this.batches = new BatchStore(journal, clock, log);
    this.retried = this.own(new RetriedFiles(services));
    const { settings, jobs } = services;
    this.#language = createRequestLanguage({
      schema: schemaErrors,
      now: () => clock.now(),
      knowledge: () => this.#knowledge(),
      rules: () => confirmationLevels(settings.getOfUser('rules'), settings.get('rules')),
      linkNeed: () => measureLinkNeed(jobs.jobs()),
      locale,
      maxFindings: maxEditorFindings,
    });
    this.#submitter = new Submitter(journal, clock, log, audio);
  }

  /** Returns what the service answered to one of the last submissions of this window. */
  answerTo({ key }: Submission): PostAnswer | undefined {
    return this.#submitter.answerTo(key);
  }

  /** Returns the destination of submissions. @throws Failure `noConnection`, or `noKey` if there is certainly no key */
  target(): SubmitTarget {
    return this.services.service.toSubmit();
  }

  /** Refreshes the list of pre-recorded jobs after a submission, and reveals the job if its id is known. */
  showNew(id?: string): void {
    const { log, actions } = this.services;
    void runQuietly(log, () => actions.tree.showNewJob('pre-recorded', id));
  }

  /** Returns knowledge about the current service, or general knowledge if there is none; the submission itself reports that. */
  #knowledge(): ServiceKnowledge | undefined {
    try {
      const { service, baseUrl } = this.target().connection;
      return findServiceKnowledge(service, baseUrl);
    } catch {
      return findServiceKnowledge();
    }
  }

  /** Checks syntax and types to decide if a request may be sent; other findings are warnings, subject to the setting `rules`. */
  gate(text: string): GateResult {
    return this.#language.gate(text);
  }

  /** Describes what the service would do with a body, in plain words. */
  effect(body: string): string {
    return this.#language
      .effect(this.#language.parse(body))
      .map(({ text }) => text)
      .join(' · ');
  }

  /** Runs a function unless the same operation is already running. @param name of the file or of the operation. */
  async once(name: string, body: () => Promise<void>): Promise<void> {
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    try {
      await body();
    } finally {
      this.#busy.delete(name);
    }
  }

  /**
   * Submits one request file as shown in the editor: checked, confirmed, and sent by exactly one POST (contract 4.4).
   * @throws UserError when it cannot be sent in its present form; Failure when there is no service to send to.
   */
  submitFile(uri: vscode.Uri, options: SubmitOptions = {}): Promise<void> {
    return this.once(uri.toString(), async () => {
      const request = await readRequest(uri);
      const sendable = requireSendable(this.gate(request.text), request);
      const service = this.target();
      const outgoing = outgoingRequest(uri.toString(), sendable);
      const confirmed = await this.#confirm(service, request, sendable, outgoing, options);
      if (confirmed === undefined) return;
      this.complaints.clear(uri);
      const title = vscode.l10n.t('Submitting "{0}" to {1}', request.name, service.connection.name);
      const result = await withCancel(title, (signal) => this.send(service, outgoing, signal));
      await this.#wantFiles(service, request, result.submission, confirmed.plan);
      this.#showOutcome(service, request, result);
    });
  }

  /**
   * Submits a text that is not in a file. The caller must have obtained the user's confirmation.
   * @param isConfirmed true if the user agreed to send it over a connection.
   * @throws UserError when it cannot be sent in its present form; Failure when there is no service to send to.
   */
  async submitText(
    text: string,
    isConfirmed: (connection: Connection) => boolean,
    signal: AbortSignal,
  ): Promise<SubmissionOutcome> {
    const gate = this.gate(text);
    if (gate.type === 'blocked') {
      throw new UserError(vscode.l10n.t("The request can't be sent: {0}", blockingText(text, gate)));
    }
    const service = this.target();
    if (!isConfirmed(service.connection)) {
      throw new UserError(
        vscode.l10n.t(
          'Nothing was sent: the user was not asked about the connection {0}, which is now in use. Ask again.',
          service.connection.name,
        ),
      );
    }
    const outgoing = outgoingRequest('untitled:agent.transcription.json', gate);
    const { outcome } = (await this.send(service, outgoing, signal)).submission;
    if (outcome.type === 'accepted') this.showAndWatch(service, outcome.id, vscode.l10n.t('Request from an agent'));
    return outcome;
  }

  /**
   * Sends one POST, recorded in the journal.
   * @throws UserError, caused by JournalUnwritable, when it cannot be recorded and was not sent
   */
  async send(service: SubmitTarget, request: OutgoingRequest, signal: AbortSignal): Promise<SubmitResult> {
    const { connection, api } = service;
    const tagKey = this.services.settings.get('submit.correlationTag');
    const replaces = request.replaces ?? (await this.#retriedJob(connection, request));
    const repeating = replaces === undefined ? request : { ...request, replaces };
    try {
      const result = await this.#submitter.submit({ connection, sink: api }, repeating, tagKey, signal);
      this.services.facts.nameJobs(connection.name, submittedJobs([result.submission]));
      if (result.submission.outcome.type === 'accepted')
        void vscode.commands.executeCommand('setContext', contextKeys.submitted, true);
      return result;
    } catch (error) {
      if (!(error instanceof JournalUnwritable)) throw error;
      const text = vscode.l10n.t('Nothing was sent because the submission could not be recorded: {0}', error.message);
      throw new UserError(text, [], { cause: error });
    }
  }

  /** Returns the id of the failed job that a request was opened to retry; undefined if there is none, or it was repeated already. */
  async #retriedJob(connection: JournalOwner, { file, label }: OutgoingRequest): Promise<string | undefined> {
    // A request with a label is made from a template, which is not about this job alone.
    const job = label === undefined ? this.retried.jobOf(connection, file) : undefined;
    if (job === undefined) return undefined;
    const { submissions } = await this.journal.read(connection);
    return findSuccessor(submissions, job) === undefined ? job : undefined;
  }

  /** Returns the connection's newest submissions, newest first; all by default. Reports lost journal entries. */
  async readJournal(connection: JournalOwner, newest?: number): Promise<JournalReading> {
    const reading = await this.journal.read(connection, newest);
    this.#losses.report(this.journal.folderOf(connection), reading);
    return reading;
  }

  /**
   * Returns the submissions of the last day with one of these bodies or audio files; others are not parsed. Reports lost journal entries of
   * that day.
   * @param hashes digests of bodies, and hashes of audio URLs
   */
  async readSame(connection: JournalOwner, hashes: ReadonlySet<string>): Promise<readonly Submission[]> {
    const reading = await this.journal.readSame(connection, hashes);
    this.#losses.report(this.journal.folderOf(connection), reading);
    return reading.submissions;
  }

  /**
   * Searches the service's list for the job of a submission whose outcome is unknown, and records the result. Sends GETs only.
   * @throws Failure when the list cannot be read.
   */
  async findJob(service: SubmitTarget, submission: Submission): Promise<void> {
    const { clock, facts } = this.services;
    const name = submittedName(submission);
    const lookedAtMs = clock.now();
    const others = (await this.readJournal(service.connection)).submissions.flatMap(({ key, outcome }) =>
      key !== submission.key && outcome.type === 'accepted' && outcome.id !== undefined ? [outcome.id] : [],
    );
    const isAudio = this.audio.matches.bind(this.audio);
    const sought = { source: service.api.lists, clock, isAudio, others: new Set(others) };
    const matches = await withCancel(vscode.l10n.t('Looking for the job of "{0}"', name), (signal) =>
      listJobMatches(sought, submission, signal),
    );
    const chosen = await chooseJobMatch(name, matches, (job) => facts.titleOf(job), await compareMetadata(submission));
    switch (chosen.type) {
      case 'undecided':
        return;
      case 'job':
        return this.#showFound(service, submission, chosen.job.id);
      case 'none':
        return this.#showMissing(
          service,
          submission,
          lookedAtMs,
          missingText(name, matches, mayStillAppear(submission, lookedAtMs)),
        );
      case 'notSeen':
        return void showMessage(
          'warning',
          vscode.l10n.t(
            'The service lists too many jobs from that time to check them all. The outcome remains unknown.',
          ),
        );
    }
  }

  /** Shows a new job in the lists and watches it until it is final. */
  showAndWatch({ connection }: SubmitTarget, id: string | undefined, label: string): void {
    this.showNew(id);
    if (id !== undefined)
      this.services.actions.watch.watchJobs(connection, [{ kind: 'pre-recorded', id, label, createdAtMs: undefined }]);
  }

  /** Returns a submission with the final state of its job: as loaded, otherwise as recorded. */
  withLoadedFate(submission: Submission): Submission {
    const { outcome } = submission;
    if (outcome.type !== 'accepted' || outcome.id === undefined) return submission;
    const job = this.services.jobs.get('pre-recorded', outcome.id);
    return job === undefined ? submission : { ...submission, outcome: withFate(outcome, fateOf(job)) };
  }

  /** Returns the step that opens the job of a submission. */
  openJobStep({ connection }: SubmitTarget, id: string, { sentAtMs }: Submission): NextStep {
    const job = { connection: connection.name, kind: 'pre-recorded', id, sentAtMs };
    return { title: vscode.l10n.t('Open Job'), run: () => this.services.actions.details.openNamedJob(job) };
  }

  /** Returns the alternative to submitting the same body again. */
  stepInstead(service: SubmitTarget, earlier: Submission): NextStep {
    const { outcome } = earlier;
    if (outcome.type === 'sending') return showSubmissionsStep();
    return outcome.type === 'accepted' && outcome.id !== undefined
      ? { ...this.openJobStep(service, outcome.id, earlier), title: vscode.l10n.t('Open That Job') }
      : { title: vscode.l10n.t('Find Job'), run: () => this.findJob(service, earlier) };
  }

  /** Confirms a request, and which results are saved when its job is done. Undefined when nothing is to be sent. */
  async #confirm(
    service: SubmitTarget,
    { uri, name }: RequestText,
    sendable: SendableRequest,
    outgoing: OutgoingRequest,
    { earlier, mustAsk = false }: SubmitOptions,
  ): Promise<Pick<DeliveryProposal, 'plan'> | undefined> {
    const { clock, settings, actions } = this.services;
    const { connection } = service;
    const { body, audioUrl } = outgoing;
    const nowMs = clock.now();
    const bodyHash = digest(body);
    const warnings = warningsOf(sendable);
    const sent = sameBodySent(await this.readSame(connection, new Set([bodyHash])), bodyHash, nowMs);
    const same = sent && this.withLoadedFate(sent);
    const hasChanged = earlier !== undefined && earlier.bodyHash !== bodyHash;
    const isQuiet = settings.getOfUser('submit.confirm') === 'warnings' && !mustAsk;
    // Without a question, only the setting decides what is saved.
    if (isQuiet && warnings.length === 0 && !same && !hasChanged) return { plan: undefined };
    const facts = await presentFacts(connection, [{ body, audioUrl }], same !== undefined);
    const retried = await this.#retriedJob(connection, outgoing);
    const instead = same && this.stepInstead(service, same);
    const asked = { name, connection, facts, warnings, same, instead: instead?.title, hasChanged, retried, nowMs };
    for (let delivery = await actions.deliver.proposedDelivery(); ;) {
      switch (await confirmSubmission({ ...asked, delivery })) {
        case 'submit':
          return delivery;
        case 'chooseDelivery':
          delivery = (await actions.deliver.chooseDelivery(name)) ?? delivery;
          break;
        case 'showProblems':
          await showProblems(uri, sendable.file, warnings[0]);
          return undefined;
        case 'instead':
          await instead?.run();
          return undefined;
        case 'cancel':
          return undefined;
      }
    }
  }

  /** Records that the files of a new job are wanted. */
  async #wantFiles(
    { connection }: SubmitTarget,
    { name }: RequestText,
    { outcome }: Submission,
    plan: DeliveryPlan | undefined,
  ): Promise<void> {
    if (plan === undefined || outcome.type !== 'accepted' || outcome.id === undefined) return;
    const job = { kind: 'pre-recorded', id: outcome.id, label: name, createdAtMs: undefined } as const;
    const { log, actions } = this.services;
    await runQuietly(log, () => actions.deliver.wantFiles(connection, [job], { plan, group: undefined }));
  }

  /** Reports the outcome of a submission with the next step; shows and watches a new job. Does not wait for the notification. */
  #showOutcome(service: SubmitTarget, request: RequestText, result: SubmitResult): void {
    const { submission, failure = new Failure('unexpectedShape') } = result;
    const { outcome } = submission;
    const again = (): unknown => this.#run(() => this.submitFile(request.uri));
    switch (outcome.type) {
      case 'accepted':
        this.showAndWatch(service, outcome.id, request.name);
        return this.#notify('information', acceptedText(request.name, outcome.id), [
          outcome.id === undefined ? showSubmissionsStep() : this.openJobStep(service, outcome.id, submission),
        ]);
      case 'rejected':
        return this.#showRefusal(service, request, failure, again);
      case 'sending':
      case 'unknown':
        return this.#notify('warning', unknownText(request.name, failure), [
          this.#step(vscode.l10n.t('Find Job'), () => this.findJob(service, submission)),
          showSubmissionsStep(),
        ]);
      case 'notSent':
        if (failure.code === 'cancelled') return;
        return this.#notify('error', notSentText(request.name, failure), nextStepsAfter(failure, again));
    }
  }

  #showRefusal({ connection }: SubmitTarget, request: RequestText, failure: Failure, again: () => unknown): void {
    const { fieldErrors = [] } = failure.facts;
    const place = this.complaints.show(request, connection.name, fieldErrors);
    const sentence = `${vscode.l10n.t('"{0}" was not accepted.', request.name)} ${failureSentence(failure)}`;
    // Field errors without a location in the file are listed in the notification.
    const unplaced = place === undefined && fieldErrors.length > 0 ? ` ${fieldErrors.slice(0, 3).join(' · ')}` : '';
    const show: NextStep[] = place === undefined ? [] : [showPlaceStep(place)];
    this.#notify('error', `${sentence}${unplaced}`, [...show, ...nextStepsAfter(failure, again)]);
  }

  async #showFound(service: SubmitTarget, submission: Submission, id: string): Promise<void> {
    await this.#settle(service, submission, { type: 'accepted', status: undefined, id });
    const name = submittedName(submission);
    this.showAndWatch(service, id, name);
    const text = vscode.l10n.t('"{0}" became job {1}.', name, id);
    this.#notify('information', text, [this.openJobStep(service, id, submission)]);
  }

  async #showMissing(service: SubmitTarget, submission: Submission, lookedAtMs: number, text: string): Promise<void> {
    const settled = await this.#settle(service, submission, {
      type: 'unknown',
      code: submission.outcome.type === 'unknown' ? submission.outcome.code : undefined,
      lookedAtMs,
    });
    const again = this.#step(vscode.l10n.t('Check Again'), () => this.findJob(service, settled));
    // A request of a batch is sent again by continuing the batch; an accepted one is never sent again.
    const isDone = settled.batch !== undefined || settled.outcome.type !== 'unknown';
    const uri = vscode.Uri.parse(settled.file, true);
    const send = this.#step(vscode.l10n.t('Submit Again'), () => this.submitFile(uri, { earlier: settled }));
    this.#notify('warning', text, isDone ? [again] : [again, send]);
  }

  /** Returns the jobs of a batch; none if there is no such batch. */
  async jobsOfBatch(connection: JournalOwner, id: string): Promise<readonly Watchable[]> {
    const batch = await this.batches.read(await this.batches.find(connection, id));
    return [...(batch?.items.values() ?? [])].flatMap(({ outcome, label }) =>
      outcome.type === 'accepted' && outcome.id !== undefined
        ? [{ kind: 'pre-recorded', id: outcome.id, label, createdAtMs: undefined } as const]
        : [],
    );
  }

  /** Records the outcome of a submission, also in its batch. */
  async #settle({ connection }: SubmitTarget, submission: Submission, outcome: SubmissionOutcome): Promise<Submission> {
    const settled = await this.journal.settle(connection, submission, outcome);
    this.services.facts.nameJobs(connection.name, submittedJobs([settled]));
    await this.batches.correct(connection, settled);
    if (settled.batch !== undefined && settled.outcome.type === 'accepted' && settled.outcome.id !== undefined) {
      const job = {
        kind: 'pre-recorded',
        id: settled.outcome.id,
        label: submittedName(settled),
        createdAtMs: undefined,
      } as const;
      await this.services.actions.deliver.completeDeliveryGroup(connection, settled.batch, [job]);
    }
    return settled;
  }

  #notify(severity: Parameters<typeof showMessage>[0], text: string, steps: readonly NextStep[]): void {
    void this.#run(() => showMessage(severity, text, steps));
  }

  #run(body: () => Promise<void>): Promise<void> {
    return runCommand(this.services.log, body);
  }

  #step(title: string, body: () => Promise<void>): NextStep {
    return { title, run: () => this.#run(body) };
  }
}
