import type { Event, MarkdownString, Uri } from 'vscode';
import type { Clock } from './base/clock.ts';
import type { Disposable } from './base/disposable.ts';
import type { Log } from './base/log.ts';
import type { StateStore } from './base/stateStore.ts';
import type { ActiveConnection } from './connections/editor/activeConnection.ts';
import type { Connection } from './connections/common/connection.ts';
import type { KeyStore, SecretStore } from './connections/node/keyStore.ts';
import type { SampleConnection } from './connections/node/sampleConnection.ts';
import type { Attention } from './features/attention/common/attention.ts';
import type { HandledMarks } from './features/attention/common/handledMarks.ts';
import type { AttentionNode, TreeNode } from './features/tree/common/jobTree.ts';
import type {
  BatchFiles,
  DeliveryOrder,
  DeliveryProposal,
  DeliveryResult,
} from './features/deliver/common/delivery.ts';
import type { FinishedBatch } from './features/submit/common/batch.ts';
import type { FinishedJob, Watchable, WatchedJob } from './features/watch/common/watchPlan.ts';
import type { CopyWhat, Job, ListEntry } from './jobs/common/job.ts';
import type { ListQuery, NamedJob } from './jobs/common/listParams.ts';
import type { JournalOwner, Submission, SubmissionOutcome } from './jobs/common/submission.ts';
import type { ViewPresence } from './jobs/node/viewPresence.ts';
import type { ConnectionFilters } from './jobs/editor/connectionFilters.ts';
import type { CurrentFacts } from './jobs/editor/currentFacts.ts';
import type { ActiveService } from './jobs/node/activeService.ts';
import type { Journal } from './jobs/node/journal/journal.ts';
import type { Exportable } from './jobs/node/export/exporter.ts';
import type { SpeakerNames } from './jobs/common/result/speakerNames.ts';
import type { JobStore } from './jobs/node/store/jobStore.ts';
import type { SentRequest } from './language/editor/requestDocuments.ts';
import type { Settings } from './settings.ts';

/** What features share. Created when the extension is activated; each feature registers itself with it. */
export interface Services {
  readonly log: Log;
  readonly clock: Clock;
  /** Folder of the extension. */
  readonly extensionUri: Uri;
  /** On this machine's disk. */
  readonly globalStorageUri: Uri;
  readonly workspaceState: StateStore;
  readonly globalState: StateStore;
  readonly secrets: SecretStore;
  readonly settings: Settings;
  /** The submissions of all windows. */
  readonly journal: Journal;
  readonly keys: KeyStore;
  readonly sample: SampleConnection;
  /** The connection in use. */
  readonly connections: ActiveConnection;
  /** The service of the connection in use. */
  readonly service: ActiveService;
  /** The loaded jobs of the connection in use. */
  readonly jobs: JobStore;
  /** The filter of the jobs view. */
  readonly filters: ConnectionFilters;
  /** Titles of jobs, labels of error codes, and everything else that rows show besides their jobs. */
  readonly facts: CurrentFacts;
  readonly view: ViewPresence;
  readonly actions: Actions;
}

/** What request files use of the rest of the extension. In a browser there is no connection and no job. */
export interface RequestServices {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Settings;
  /** The loaded jobs. */
  readonly jobs: { jobs(): Iterable<Job> };
  /** The connection that a submission would use. */
  readonly connections: { readonly current: Connection | undefined; readonly onDidChange: Event<unknown> };
  readonly facts: {
    /** The user's labels for error codes, by code. */
    readonly errorLabels: Readonly<Record<string, string>>;
  };
  /** What request files do for other features, and the other way round. */
  readonly actions: {
    provide(feature: 'requests', actions: RequestsActions): void;
    readonly tree: Pick<TreeActions, 'chosenJobs'>;
    readonly details: Pick<DetailsActions, 'openJob'>;
    readonly submit: Pick<SubmitActions, 'findSentRequest' | 'noteRetry'>;
  };
}

/**
 * What features do for each other, by feature. Unless noted, actions throw UserError or Failure, which {@link runCommand} shows.
 */
export interface FeatureActions {
  readonly tree: TreeActions;
  readonly details: DetailsActions;
  readonly browse: BrowseActions;
  readonly attention: AttentionActions;
  readonly watch: WatchActions;
  readonly deliver: DeliverActions;
  readonly submit: SubmitActions;
  readonly requests: RequestsActions;
}

/** What the jobs view does for other features. */
interface TreeActions {
  /** Returns the rows that a command acts on: those in its arguments, or the selected ones. Never throws. */
  chosenRows(given: readonly unknown[]): readonly TreeNode[];
  /** Returns the jobs of these rows. Never throws. */
  chosenJobs(given: readonly unknown[]): readonly Job[];
  /** Returns the same with items that cannot be read. Never throws. */
  chosenEntries(given: readonly unknown[]): readonly ListEntry[];
  /** Returns the query of the list that a command acts on; undefined for other rows. Never throws. */
  chosenQuery(given: readonly unknown[]): ListQuery | undefined;
  /** Returns the same, and the jobs of chosen groups of failures, each once. Never throws. */
  chosenJobsWithin(given: readonly unknown[]): readonly Job[];
  /** True if the jobs view is visible and one of its lists has the job, so that automatic refresh keeps it up to date. */
  isListed(job: Job): boolean;
  /** Selects the row of a loaded job. */
  revealJob(job: Job): Promise<void>;
  /** Refreshes the lists of a kind after a new job, and reveals the job if its id is known. */
  showNewJob(kind: string, id?: string): Promise<void>;
  /** Reveals and focuses a row of Needs attention; expands it on request. */
  showAttention(row: AttentionNode, expand?: boolean): Promise<void>;
}

/** What pages of jobs do for other features. */
interface DetailsActions {
  /** @param find texts to search in the transcript, best first */
  openJob(job: Job, find?: readonly string[]): Promise<void>;
  /** Opens a job that may not be loaded. */
  openNamedJob(job: NamedJob): Promise<void>;
  /** Opens the job of a link, which anybody may have written. Never rejects. */
  openJobLink(link: Uri): Promise<void>;
  compareJobs(jobs: readonly Job[]): Promise<void>;
  /** Prompts for a place and saves the transcripts. */
  saveTranscripts(jobs: readonly Job[]): Promise<void>;
  /** Returns the names that the user gave to the speakers of a job. Never throws. @param origin of its service */
  speakersOf(origin: string, job: Pick<Job, 'kind' | 'id'>): SpeakerNames;
  copyJobs(jobs: readonly Job[], what: CopyWhat): Promise<void>;
}

/** What search and export do for other features. */
interface BrowseActions {
  /** Prompts for a format and a place and exports jobs. */
  exportJobs(what: Exportable): Promise<void>;
}

/** What Needs attention does for other features. */
interface AttentionActions {
  /** Returns Needs attention as shown; undefined if nothing is known to need attention. Never throws. */
  current(): Attention | undefined;
  /** Calls a listener after Needs attention may have changed. Never throws. */
  onDidChange(listener: () => void): Disposable;
  /** Reads Needs attention, unless that is in progress. */
  read(): Promise<Attention>;
  markHandled(jobs: readonly Job[]): Promise<void>;
  /**
   * Prompts for what to include and copies a report about these failures for the service's support.
   * @param rows the chosen rows: the report has the groups of those of Needs attention, as long as they are shown
   */
  copyReport(jobs: readonly Job[], rows?: readonly TreeNode[]): Promise<void>;
  /** Prompts for a time and hides the groups of these failures, with the failures to come. */
  muteFailures(jobs: readonly Job[]): Promise<void>;
  /** Marks failed jobs of any connection as handled, because other jobs repeat them. */
  markReplaced(connection: JournalOwner, jobs: readonly Pick<Job, 'kind' | 'id'>[]): Promise<void>;
  /** Returns which failures of a connection were marked as handled. Never throws. */
  readHandled(connection: JournalOwner): Promise<HandledMarks>;
  /** Calls a listener after failures were marked as handled in this window, or that was undone. Never throws. */
  onDidMarkHandled(listener: () => void): Disposable;
  /** Keeps the marks after a connection was renamed. */
  continueMarks(former: JournalOwner, now: JournalOwner): Promise<void>;
}

/** What watching does for other features. */
interface WatchActions {
  /** Watches jobs of any connection until they finish. Never throws. */
  watchJobs(connection: JournalOwner, jobs: readonly Watchable[]): void;
  /** Watches jobs of the connection in use until they finish. */
  watchListed(jobs: readonly Job[]): void;
  /**
   * Watches these jobs, at most as many as can still be watched. Never throws.
   * @param jobs `sinceMs` is the time of their submission
   */
  watchWanted(connection: JournalOwner, jobs: readonly (Watchable & Pick<WatchedJob, 'sinceMs'>)[]): void;
}

/** What saving results as files does for other features. */
interface DeliverActions {
  /** Prompts for the files of unfinished jobs that are saved when the jobs are done, and watches the jobs. */
  saveWhenDone(jobs: readonly Job[]): Promise<void>;
  /** Saves the files of a final job if they are wanted. Never rejects. @param job as listed */
  deliver(watched: WatchedJob, job: Job): Promise<DeliveryResult>;
  /** Records that the files of jobs are wanted when they are done. The jobs must be watched, too. */
  wantFiles(connection: JournalOwner, jobs: readonly Watchable[], order: DeliveryOrder): Promise<void>;
  /** Like {@link wantFiles}, for jobs that cannot be watched yet. Does nothing unless the setting applies to all jobs. */
  queueFiles(connection: JournalOwner, jobs: readonly Watchable[]): Promise<void>;
  /** Records that the files of unfinished jobs are no longer wanted. */
  abandonFiles(watched: readonly WatchedJob[]): Promise<void>;
  /** Records that jobs take too long to watch them. @returns the jobs that were not recorded as such before */
  postponeFiles(watched: readonly WatchedJob[]): Promise<readonly WatchedJob[]>;
  /** Returns what to propose for a batch: the last answer, unless the setting decides. */
  proposedDelivery(): Promise<DeliveryProposal>;
  /** Prompts for the files of a batch; undefined if the user cancels. */
  chooseDelivery(what: string): Promise<DeliveryProposal | undefined>;
  /**
   * Adds jobs to a delivery group that were submitted by a closed window or found later, and watches them. Does nothing if the group's
   * files are not wanted.
   */
  completeDeliveryGroup(connection: JournalOwner, group: string, jobs: readonly Watchable[]): Promise<void>;
  /** Holds back the report of a group. Call the result when all jobs are added; the group is reported when they have ended. */
  openDeliveryGroup(group: string): Promise<() => void>;
  /** Returns a file of a job from when files of it were last saved, by the user or when it was done; undefined if it no longer exists. */
  savedFile(connection: JournalOwner, job: Pick<Job, 'kind' | 'id'>): Promise<Uri | undefined>;
  /** Returns what is recorded of the files of a batch; undefined if none were wanted or saved. @param jobs ids of its jobs */
  filesOfBatch(connection: JournalOwner, id: string, jobs: readonly string[]): Promise<BatchFiles | undefined>;
  /** Calls a listener after this window recorded that files are wanted, saved or missing. Never throws. */
  onDidChangeFiles(listener: () => void): Disposable;
  /** Records files that the user saved, one of each job. */
  noteSavedFiles(connection: JournalOwner, files: ReadonlyMap<Pick<Job, 'kind' | 'id'>, Uri>): Promise<void>;
  /** Watches jobs whose files are wanted, as many as there is room for. */
  catchUpDeliveries(): Promise<void>;
}

/** What submissions and their batches do for other features. */
interface SubmitActions {
  /** Returns the page of a batch, open or not; undefined if there is no batch with this ID. */
  batchPage(connection: JournalOwner, id: string): Promise<BatchPageState | undefined>;
  /** Shows the page of a batch. */
  showBatch(connection: JournalOwner, id: string): Promise<void>;
  /** Returns the jobs of a batch; none if there is no such batch. */
  jobsOfBatch(connection: JournalOwner, id: string): Promise<readonly Watchable[]>;
  /** Sends the requests of failed jobs again, after confirmation. */
  resubmit(jobs: readonly Job[]): Promise<void>;
  /** Returns the request that a job of the connection in use was submitted with; undefined if it is unknown. */
  findSentRequest(job: Job): Promise<SentRequest | undefined>;
  /** Records that a request was opened to retry a failed job: its next submission to the connection repeats the job. */
  noteRetry(connection: JournalOwner, job: Job, file: Uri): Promise<void>;
  /** Searches for the job of a submission with an unknown outcome. */
  findJobOf(submission: Submission): Promise<void>;
  /** Records how jobs ended that were submitted from here. @returns the batch that all of them belong to */
  noteFinished(finished: readonly FinishedJob[]): Promise<FinishedBatch | undefined>;
  /** Keeps the submissions after a connection was renamed. */
  continueSubmissions(former: JournalOwner, now: JournalOwner): Promise<void>;
  /** Returns what agents may do with requests. */
  openRequestTool(): Promise<RequestTool>;
}

/** What request files do for other features. */
interface RequestsActions {
  /** Opens the request of a failed job. */
  retryJob(job: Job): Promise<void>;
  /** Opens a request with the settings of a job. */
  newRequestFromJob(job: Job): Promise<void>;
  /** Opens the file that a job was submitted from. */
  openRequestOf(job: Job): Promise<void>;
}

/** The page of a batch. */
interface BatchPageState {
  /** It is the active editor. */
  readonly isInFront: boolean;
  show(): void;
}

/** Operations on requests that agents may call. */
interface RequestTool {
  /** Reports if a request can be submitted, and its findings, one per line. */
  check(request: string): string;
  /** Returns the confirmation of a request: the same as for the user's own requests. */
  describe(connection: Connection, request: string): Promise<MarkdownString>;
  /** Sends a request that the user has confirmed for a connection. @throws UserError or Failure when nothing can be sent */
  submit(
    request: string,
    isConfirmed: (connection: Connection) => boolean,
    signal: AbortSignal,
  ): Promise<SubmissionOutcome>;
}

/** The actions of all features. Each feature provides its own when it registers; they can be called from then on. */
export class Actions implements FeatureActions {
  readonly #provided: Partial<FeatureActions> = {};

  /** @throws Error if the feature has provided its actions already */
  provide<N extends keyof FeatureActions>(feature: N, actions: FeatureActions[N]): void {
    if (this.#provided[feature] !== undefined) throw new Error(`${feature} has provided its actions already`);
    this.#provided[feature] = actions;
  }

  get tree(): TreeActions {
    return this.#get('tree');
  }

  get details(): DetailsActions {
    return this.#get('details');
  }

  get browse(): BrowseActions {
    return this.#get('browse');
  }

  get attention(): AttentionActions {
    return this.#get('attention');
  }

  get watch(): WatchActions {
    return this.#get('watch');
  }

  get deliver(): DeliverActions {
    return this.#get('deliver');
  }

  get submit(): SubmitActions {
    return this.#get('submit');
  }

  get requests(): RequestsActions {
    return this.#get('requests');
  }

  #get<N extends keyof FeatureActions>(feature: N): FeatureActions[N] {
    const actions: FeatureActions[N] | undefined = this.#provided[feature];
    if (actions === undefined) throw new Error(`${feature} provides no actions`);
    return actions;
  }
}
