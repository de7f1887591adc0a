import * as vscode from 'vscode';
import { originOf, sampleName } from '../../../connections/common/connectionInput.ts';
import { Failure, isFailure, mayPass } from '../../../base/failure.ts';
import { formatMoment, formatNumber } from '../../../base/format.ts';
import { failureSentence } from '../../../base/failureText.ts';
import { isJobKind, isSameContent, jobKey, withoutWholeText, type Job } from '../../../jobs/common/job.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import { findServiceKnowledge, statusOfErrorCode } from '../../../known/serviceKnowledge.ts';
import { shortenTitle } from '../../tree/common/shortenLabel.ts';
import { buildJobView, buildUnreadJobView, isTooLargeToShow } from '../common/buildJobView.ts';
import { chosenSections, type ViewNote } from '../common/jobView.ts';
import { pageToHost, type AbsentView, type HostToPage, type PageJob, type PageToHost } from '../common/protocol.ts';
import { groupSentence } from '../../attention/common/attentionText.ts';
import { fateOf } from '../../submit/common/batchRows.ts';
import { describeResubmission } from '../../submit/common/submissionText.ts';
import { attempt, optional, record, Undecodable, type Decoded } from '../../../base/decode/decoder.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import type { StoreChange } from '../../../jobs/node/store/listState.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { showInFolder } from '../../../platform/editor/showInFolder.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';
import { WebviewChannel } from '../../../platform/editor/webviewChannel.ts';
import { copyJobs } from './copyJobs.ts';
import { otherConnectionError } from './openNamedJob.ts';
import { openAudio, openWebAddress } from './openAudio.ts';
import { OpenJobPoller, type PolledPage } from './openJobPoller.ts';
import type { NamedSpeakersOf, SpeakerNaming } from './speakerNaming.ts';
import { saveTranscripts } from './saveTranscript.ts';
import type { Services } from '../../../services.ts';
import { editErrorLabel } from './editErrorLabel.ts';
import { useAsLabel } from './useAsLabel.ts';

/** The job that a webview shows. */
export interface ShownJob {
  readonly jobRef: PageJob;
  /** Undefined if it is not loaded. */
  readonly job: Job | undefined;
  /** Texts to search in the transcript, best first. */
  readonly find?: readonly string[] | undefined;
}

/** Global state key: the sections that the user opened and closed, of version 2. */
const sectionsKey = 'openSections.2';
const storedSections = record({ live: optional(chosenSections), other: optional(chosenSections) });
type StoredSections = Decoded<typeof storedSections>;

/** State of the search for a job that is not loaded. It starts by itself if the time of its creation is known. */
type Search =
  | { readonly type: 'notStarted' }
  | { readonly type: 'running'; readonly abort: AbortController }
  | { readonly type: 'stopped' }
  | { readonly type: 'nothingFound' }
  | { readonly type: 'failed'; readonly failure: Failure };

/** The result of the shown job. It is kept, because the store has only some results, and those of the current connection. */
type Reading =
  | { readonly type: 'running'; readonly of: Job; readonly abort: AbortController }
  | { readonly type: 'read'; readonly of: Job; readonly whole: Job }
  | { readonly type: 'failed'; readonly of: Job; readonly failure: Failure };

/** One details webview: shows a job, follows its changes and handles its buttons. */
export class JobPanel extends DisposableOwner implements PolledPage {
  readonly panel: vscode.WebviewPanel;
  readonly #channel: WebviewChannel<HostToPage, PageToHost>;
  readonly #services: Services;
  readonly #speakers: SpeakerNaming;
  readonly #openJson: (job: Job) => Promise<void>;
  readonly #poller: OpenJobPoller;
  #jobRef: PageJob;
  #origin = '';
  #job: Job | undefined;
  /** Time since which the service does not return the job; undefined if it does. */
  #missingSinceMs: number | undefined;
  #search: Search = { type: 'notStarted' };
  /** The state of the job for which its saved files were looked up, and if there are any. */
  #files: { readonly of: string; readonly areSaved: boolean } | undefined;
  #reading: Reading | undefined;
  #shownFailure: string | undefined;
  /** Texts to search in the transcript, until the page has searched it. */
  #wanted: readonly string[] | undefined;

  /**
   * @param shown the job that the webview shows; a restored webview looks for it among the loaded ones.
   * @param speakers names that the user gives to speakers in this window.
   */
  constructor(
    panel: vscode.WebviewPanel,
    shown: ShownJob,
    services: Services,
    speakers: SpeakerNaming,
    openJson: (job: Job) => Promise<void>,
  ) {
    super();
    this.panel = panel;
    this.#jobRef = shown.jobRef;
    this.#services = services;
    this.#speakers = speakers;
    this.#openJson = openJson;
    this.#job = shown.job ?? this.#loaded();
    this.#wanted = shown.find;
    this.#channel = this.own(
      new WebviewChannel(panel, 'job', pageToHost, services, {
        onReady: (language) => {
          this.#channel.send({ type: 'hello', ...language });
          this.refresh();
        },
        onMessage: (request) => this.#answer(request),
      }),
    );
    this.#channel.load();
    this.#poller = this.own(new OpenJobPoller(this, services));
    this.own({ dispose: () => this.#cancelSearch() });
    this.own({ dispose: () => this.#cancelReading() });
    this.own(panel.onDidDispose(() => this.dispose()));
    this.#retitle();
    this.#poller.replan();
  }

  /** Job that the webview shows, loaded or not. */
  get jobRef(): PageJob {
    return this.#jobRef;
  }

  /** Shown job of the current connection. */
  get job(): Job | undefined {
    return this.#isOfCurrentConnection() ? this.#job : undefined;
  }

  /** Shows a newer state of the job that no list has. */
  take(job: Job): void {
    this.#job = job;
    this.refresh();
  }

  setMissing(isMissing: boolean): void {
    const sinceMs = isMissing ? (this.#missingSinceMs ?? this.#services.clock.now()) : undefined;
    if (sinceMs === this.#missingSinceMs) return;
    this.#missingSinceMs = sinceMs;
    this.refresh();
  }

  /** Shows another job. @param find texts to search in its transcript, best first */
  show(jobRef: PageJob, job: Job, find?: readonly string[]): void {
    this.#cancelSearch();
    this.#cancelReading();
    this.#jobRef = jobRef;
    this.#job = job;
    this.#missingSinceMs = undefined;
    this.#wanted = find;
    this.refresh();
  }

  /** Applies a store change. A job that left the store stays visible unchanged. */
  follow(change: StoreChange): void {
    if (this.#isAvailable(change)) this.#readAgain(change);
    const { kind, id } = this.#jobRef;
    const newId = this.#services.facts.resubmittedAs(id);
    if (change.type !== 'reset' && newId !== undefined && change.jobs.has(jobKey({ kind, id: newId }))) this.refresh();
    if (change.type !== 'reset' && this.#job !== undefined && !change.jobs.has(jobKey(this.#jobRef))) return;
    const job = this.#loaded();
    if (job === undefined || job === this.#job) return;
    this.#cancelSearch();
    this.#job = job;
    this.#missingSinceMs = undefined;
    this.refresh();
  }

  /** Shows what a failed job has in common with others now. */
  followAttention(): void {
    if (this.#job !== undefined && this.#describeFailure(this.#job) !== this.#shownFailure) this.refresh();
  }

  /** True if the service answers, after it may have been unavailable. */
  #isAvailable(change: StoreChange): boolean {
    if (change.type === 'reset' || change.jobs.size > 0) return true;
    const lists = change.lists.map((key) => this.#services.jobs.list(key));
    return lists.some(({ loaded, activity, failure }) => loaded && activity === 'none' && failure === undefined);
  }

  /** Reads again what could not be read, and after a change of the service also what is missing. */
  #readAgain(change: StoreChange): void {
    const isNew = change.type === 'reset';
    const isMissed = (state: Search | Reading | undefined): boolean =>
      state?.type === 'failed' && (isNew || mayPass(state.failure));
    const isSearchMissed = isMissed(this.#search) && this.#canFindByTime;
    const isReadingMissed = isMissed(this.#reading);
    if (isSearchMissed) this.#search = { type: 'notStarted' };
    if (isReadingMissed) this.#reading = undefined;
    if (isNew || isSearchMissed || isReadingMissed) this.refresh();
  }

  /** Sends everything again, for example after labels changed. */
  refresh(): void {
    this.#retitle();
    this.#poller.replan();
    const { facts: current, clock } = this.#services;
    if (this.#job === undefined) {
      if (this.#search.type === 'notStarted' && this.#canFindByTime && this.#isConnected) {
        void runQuietly(this.#services.log, () => this.#find('byTime'));
        return;
      }
      this.#channel.send({ type: 'absent', job: this.#jobRef, view: this.#absentView() });
      return;
    }
    this.#shownFailure = this.#describeFailure(this.#job);
    const facts = {
      title: current.titleOf(this.#job),
      nowMs: clock.now(),
      locale: this.#channel.locale,
      errorLabels: current.errorLabels,
      errorStatus: this.#errorStatus(this.#job),
      isSubmitted: this.#isOfCurrentConnection() && current.submittedAs(this.#jobRef.connection).has(this.#job.id),
      resubmission: this.#describeResubmission(this.#job),
      isHandled: this.#isOfCurrentConnection() && current.isHandled(this.#job),
      hasFiles: this.#hasFiles(this.#job),
      isSample: this.#jobRef.connection === sampleName,
      failure: this.#shownFailure,
      chosenSections: this.#chosenSections[this.#job.kind === 'live' ? 'live' : 'other'],
    };
    const whole = this.#wholeOf(this.#job);
    if (whole === undefined || isTooLargeToShow(whole)) {
      const view = buildUnreadJobView(withoutWholeText(this.#job), facts, this.#unreadText(whole));
      this.#channel.send({ type: 'job', job: this.#jobRef, view, find: this.#wanted });
      return;
    }
    this.#keep(this.#job, whole);
    const view = buildJobView(whole, facts, this.#speakers.namesOf(this.#namedJob()));
    const outdated = this.#outdatedNote();
    const warnings = [...view.warnings, ...(outdated === undefined ? [] : [outdated])];
    const timeline = view.timeline && { ...view.timeline, running: view.timeline.running && outdated === undefined };
    this.#channel.send({ type: 'job', job: this.#jobRef, view: { ...view, warnings, timeline }, find: this.#wanted });
  }

  /** Explains why the job may have changed without the page; undefined if the page follows it. */
  #outdatedNote(): ViewNote | undefined {
    const { l10n } = vscode;
    if (!this.#isOfCurrentConnection()) {
      const text = l10n.t(
        'This job belongs to the connection {0}. It is not updated until you switch to it.',
        this.#jobRef.connection,
      );
      return { id: 'elsewhere', text };
    }
    if (this.#missingSinceMs === undefined) return undefined;
    const since = formatMoment(this.#missingSinceMs, this.#channel.locale);
    return {
      id: 'missing',
      text: l10n.t("The service hasn't returned this job since {0}. It may have been deleted.", since),
    };
  }

  /** Describes what a failed job has in common with other new failures; undefined if it is handled or they are not known. */
  #describeFailure(job: Job): string | undefined {
    const { actions, facts } = this.#services;
    if (job.status !== 'error' || !this.#isOfCurrentConnection()) return undefined;
    const attention = actions.attention.current();
    const key = jobKey(job);
    const group = attention?.groups.find(({ jobs }) => jobs.length > 1 && jobs.some((each) => jobKey(each) === key));
    if (attention === undefined || group === undefined) return undefined;
    return groupSentence(group, attention, { locale: this.#channel.locale, errorLabels: facts.errorLabels });
  }

  /** Describes the job that repeats a failed one, as far as it is loaded; undefined if there is none. */
  #describeResubmission({ kind, id }: Job): string | undefined {
    const { facts, jobs, service } = this.#services;
    const newId = facts.resubmittedAs(id);
    if (newId === undefined) return undefined;
    const job = this.#isOfCurrentConnection() ? jobs.get(kind, newId) : undefined;
    return describeResubmission(service.keyMask.apply(newId), job && fateOf(job));
  }

  /** Returns the HTTP status that the error code of a job stands for, if its service is known to use them. */
  #errorStatus({ errorCode }: Job): number | undefined {
    const { current } = this.#services.connections;
    if (current === undefined || !this.#isOfCurrentConnection()) return undefined;
    return statusOfErrorCode(errorCode, findServiceKnowledge(current.service, current.baseUrl));
  }

  get #chosenSections(): StoredSections {
    const stored = attempt(storedSections, this.#services.globalState.get(sectionsKey) ?? {});
    return stored instanceof Undecodable ? { live: undefined, other: undefined } : stored;
  }

  /** True if files of the job were saved. Looks it up once for each state of the job; false until then. */
  #hasFiles(job: Job): boolean {
    const state = JSON.stringify([this.#jobRef, job.status]);
    if (this.#files?.of === state) return this.#files.areSaved;
    this.#files = { of: state, areSaved: false };
    const { log, connections, actions } = this.#services;
    const { current } = connections;
    if (job.status === 'done' && current !== undefined && this.#isOfCurrentConnection()) {
      void runQuietly(log, async () => {
        if ((await actions.deliver.savedFile(current, job)) === undefined || this.#files?.of !== state) return;
        this.#files = { of: state, areSaved: true };
        this.refresh();
      });
    }
    return false;
  }

  /**
   * Returns the job with its result, which rows do not keep. If the result is not available, reads it again, once; undefined until then.
   */
  #wholeOf(job: Job): Job | undefined {
    const whole = this.#services.jobs.whole(job);
    if (whole !== undefined) return whole;
    const reading = this.#reading;
    if (reading !== undefined && isSameContent(reading.of, job))
      return reading.type === 'read' ? reading.whole : undefined;
    this.#cancelReading();
    if (this.#isConnected) void runQuietly(this.#services.log, () => this.#readWhole(job));
    return undefined;
  }

  #keep(job: Job, whole: Job): void {
    if (this.#reading?.type === 'read' && this.#reading.whole === whole) return;
    this.#cancelReading();
    this.#reading = { type: 'read', of: job, whole };
  }

  /** The shown job with its result, if that is shown. */
  get #shownJob(): Job | undefined {
    return this.#reading?.type === 'read' ? this.#reading.whole : this.#job;
  }

  /** Explains why the result is not shown. @param whole the job with a result that is too long; undefined when that is not available */
  #unreadText(whole: Job | undefined): string {
    if (whole !== undefined) {
      const size = formatNumber(Math.ceil(whole.raw.length / 1e6), this.#channel.locale);
      return vscode.l10n.t(
        'The result, of {0} MB, has too much to be shown here. Save Transcript and Open as JSON have all of it.',
        size,
      );
    }
    if (this.#reading?.type === 'failed')
      return vscode.l10n.t('The result could not be read again. {0}', failureSentence(this.#reading.failure));
    if (this.#services.connections.state.type === 'noKey' && this.#isOfCurrentConnection())
      return vscode.l10n.t('The result could not be read again. {0}', failureSentence(new Failure('noKey')));
    return this.#isOfCurrentConnection()
      ? vscode.l10n.t('Reading the result…')
      : vscode.l10n.t('This job belongs to the connection {0}. Switch to it to see the job.', this.#jobRef.connection);
  }

  async #readWhole(job: Job): Promise<void> {
    const running: Reading = { type: 'running', of: job, abort: new AbortController() };
    this.#reading = running;
    let reading: Reading;
    try {
      reading = { type: 'read', of: job, whole: await this.#services.jobs.readWhole(job, running.abort.signal) };
    } catch (error) {
      if (!isFailure(error)) throw error;
      reading = { type: 'failed', of: job, failure: error };
      if (isInterruption(error) && this.#reading === running) {
        this.#reading = undefined;
        return;
      }
    }
    // Another job is shown meanwhile.
    if (this.#reading !== running) return;
    this.#reading = reading;
    this.refresh();
  }

  #cancelReading(): void {
    if (this.#reading?.type === 'running') this.#reading.abort.abort();
    this.#reading = undefined;
  }

  #loaded(): Job | undefined {
    return this.#isOfCurrentConnection() ? this.#services.jobs.get(this.#jobRef.kind, this.#jobRef.id) : undefined;
  }

  /** Identifies the job for the names of its speakers. The origin stays known if another connection becomes the current one. */
  #namedJob(): NamedSpeakersOf {
    const { current } = this.#services.connections;
    if (current !== undefined && this.#isOfCurrentConnection()) this.#origin = originOf(current.baseUrl);
    return { origin: this.#origin, kind: this.#jobRef.kind, id: this.#jobRef.id };
  }

  /** True if the service of the job can be queried. */
  get #isConnected(): boolean {
    return this.#isOfCurrentConnection() && this.#services.connections.state.type === 'ready';
  }

  /** True if the job can be found with one request. A hidden page becomes ready again when it is shown. */
  get #canFindByTime(): boolean {
    const { kind, createdAtMs } = this.#jobRef;
    return createdAtMs !== undefined && isJobKind(kind) && this.panel.visible;
  }

  #isOfCurrentConnection(): boolean {
    return this.#services.connections.current?.name === this.#jobRef.connection;
  }

  /** A restored panel keeps its title until its job is found. */
  #retitle(): void {
    if (this.#job !== undefined) this.panel.title = this.#tab(this.#job);
    else if (this.panel.title === '') this.panel.title = vscode.l10n.t('Job {0}', shortenId(this.#jobRef.id));
  }

  /** Distinguishes pages side by side whose jobs have the same title. */
  #tab(job: Job): string {
    const title = shortenTitle(this.#services.facts.titleOf(job));
    const id = shortenId(job.id);
    return this.#jobRef.side && !title.includes(id) ? `${title} · ${id}` : title;
  }

  #absentView(): AbsentView {
    const { title } = this.panel;
    if (!this.#isOfCurrentConnection()) {
      const text = vscode.l10n.t(
        'This job belongs to the connection {0}. Switch to it to see the job.',
        this.#jobRef.connection,
      );
      return { title, text, search: 'none' };
    }
    switch (this.#search.type) {
      case 'notStarted':
        if (this.#canFindByTime && this.#services.connections.state.type === 'lookingForKey')
          return { title, text: vscode.l10n.t('Searching for this job…'), search: 'running' };
        return { title, text: vscode.l10n.t('This job is not loaded.'), search: 'offered' };
      case 'stopped':
        return { title, text: vscode.l10n.t('This job is not loaded.'), search: 'offered' };
      case 'running':
        return { title, text: vscode.l10n.t('Searching for this job…'), search: 'running' };
      case 'nothingFound':
        return { title, text: vscode.l10n.t('This job was not found among the jobs searched.'), search: 'offered' };
      case 'failed':
        return { title, text: failureSentence(this.#search.failure), search: 'offered' };
    }
  }

  async #answer(request: PageToHost): Promise<void> {
    if (needsConnection(request) && !this.#isOfCurrentConnection()) throw otherConnectionError(this.#jobRef.connection);
    switch (request.type) {
      case 'found':
        this.#wanted = undefined;
        return;
      case 'search':
        return this.#find('all');
      case 'cancelSearch':
        this.#cancelSearch();
        this.#search = { type: 'stopped' };
        return this.refresh();
      case 'openLink':
        return openWebAddress(request.url);
      case 'editErrorLabel':
        await editErrorLabel(this.#services.settings, request.code);
        return;
      case 'useAsLabel':
        return useAsLabel(this.#services.settings, request.key);
      case 'copy':
        if (this.#shownJob === undefined) return;
        await copyJobs([this.#shownJob], request.what, this.#services);
        return this.#channel.send({ type: 'copied', what: request.what });
      case 'copyText':
        await vscode.env.clipboard.writeText(request.text);
        return this.#channel.send({ type: 'copied', what: request.what });
      case 'openJson':
        return this.#shownJob && this.#openJson(this.#shownJob);
      case 'saveTranscript':
        if (this.#shownJob !== undefined) {
          await saveTranscripts([this.#shownJob], this.#services, () => this.#speakers.namesOf(this.#namedJob()));
          this.#files = undefined;
          this.refresh();
        }
        return;
      case 'renameSpeaker':
        if (this.#job !== undefined) await this.#speakers.rename(this.#namedJob(), request.speaker);
        return;
      case 'openAudio':
        return this.#job && openAudio(this.#job, this.#services.facts);
      case 'foldSections':
        await this.#services.globalState.update(sectionsKey, {
          ...this.#chosenSections,
          [request.group]: request.chosen,
        });
        return;
      case 'retry':
        return this.#job && this.#services.actions.requests.retryJob(this.#job);
      case 'resubmit':
        return this.#job && this.#services.actions.submit.resubmit([this.#job]);
      case 'openResubmitted':
        return this.#openResubmitted();
      case 'markHandled':
        return this.#job && this.#services.actions.attention.markHandled([this.#job]);
      case 'mute':
        return this.#job && this.#services.actions.attention.muteFailures([this.#job]);
      case 'watch':
        return this.#job && this.#services.actions.watch.watchListed([this.#job]);
      case 'saveWhenDone':
        return this.#job && this.#services.actions.deliver.saveWhenDone([this.#job]);
      case 'newRequest':
        return this.#job && this.#services.actions.requests.newRequestFromJob(this.#job);
      case 'openRequest':
        return this.#job && this.#services.actions.requests.openRequestOf(this.#job);
      case 'showFiles':
        return this.#showFiles();
      case 'openSession':
      case 'openDiff':
        return this.#services.log.debug(`a details page asked for ${request.type}`);
    }
  }

  async #openResubmitted(): Promise<void> {
    const { connection, kind, id } = this.#jobRef;
    const newId = this.#services.facts.resubmittedAs(id);
    if (newId !== undefined) await this.#services.actions.details.openNamedJob({ connection, kind, id: newId });
  }

  async #showFiles(): Promise<void> {
    const { current } = this.#services.connections;
    if (this.#job === undefined || current === undefined) return;
    const file = await this.#services.actions.deliver.savedFile(current, this.#job);
    if (file === undefined)
      throw new UserError(vscode.l10n.t('The saved files of this job are no longer in their place.'));
    await showInFolder(file);
  }

  /**
   * Searches the service for the job: with one request by its time of creation, or in all ways. Shows a failure in the webview, where the
   * search was started.
   */
  async #find(how: 'byTime' | 'all'): Promise<void> {
    if (this.#search.type === 'running' || this.#job !== undefined) return;
    const running: Search = { type: 'running', abort: new AbortController() };
    const { kind, id, createdAtMs } = this.#jobRef;
    this.#search = running;
    this.refresh();
    let outcome: Search = { type: 'nothingFound' };
    let job: Job | undefined;
    try {
      const { service } = this.#services;
      const { signal } = running.abort;
      job =
        how === 'byTime' && isJobKind(kind)
          ? await service.findCreated({ kind, id, createdAtMs }, signal)
          : await service.findJob(kind, id, signal, { createdAtMs });
    } catch (error) {
      if (!isFailure(error)) throw error;
      outcome = isInterruption(error) ? { type: 'notStarted' } : { type: 'failed', failure: error };
    } finally {
      // An aborted search was cancelled or replaced, or the job was found in another way: nothing to report.
      if (this.#search === running) {
        this.#search = outcome;
        this.#job = job;
        this.refresh();
      }
    }
  }

  #cancelSearch(): void {
    if (this.#search.type === 'running') this.#search.abort.abort();
    this.#search = { type: 'notStarted' };
  }
}

/** True if a request failed because another connection came into use, not because of the service. */
function isInterruption({ code }: Failure): boolean {
  return code === 'cancelled' || code === 'noConnection';
}

/** True if a request needs the job's service, or data stored for it. */
function needsConnection(request: PageToHost): boolean {
  switch (request.type) {
    case 'copy':
      return request.what === 'link' || request.what === 'curl';
    case 'search':
    case 'retry':
    case 'resubmit':
    case 'openResubmitted':
    case 'markHandled':
    case 'mute':
    case 'watch':
    case 'saveWhenDone':
    case 'openRequest':
    case 'showFiles':
      return true;
    default:
      return false;
  }
}
