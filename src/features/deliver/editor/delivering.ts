import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { BoundedMap } from '../../../base/boundedMap.ts';
import {
  attempt,
  list,
  number,
  record,
  shortText,
  Undecodable,
  uriText,
  type Decoded,
} from '../../../base/decode/decoder.ts';
import { describeError } from '../../../base/failure.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { dayMs, minuteMs } from '../../../base/time.ts';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { isJobKind, isUnfinished, type Job } from '../../../jobs/common/job.ts';
import type { JournalOwner } from '../../../jobs/common/submission.ts';
import { asUserError } from '../../../jobs/editor/workspaceTarget.ts';
import { Debouncer } from '../../../jobs/node/debouncer.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { showInFolder } from '../../../platform/editor/showInFolder.ts';
import { showBriefly, showMessage, UserError, type NextStep } from '../../../platform/editor/messages.ts';
import { runCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import type { Services } from '../../../services.ts';
import type { Watchable, WatchedJob } from '../../watch/common/watchPlan.ts';
import {
  wantedKey,
  type BatchFiles,
  type Delivery,
  type DeliveryEnd,
  type DeliveryOrder,
  type DeliveryResult,
  type Wanted,
} from '../common/delivery.ts';
import { batchFilesText, deliveryText, summarizeDeliveries } from '../common/deliveryText.ts';
import { Deliverer } from '../node/deliverer.ts';
import { deliveryKey, DeliveryStore } from '../node/deliveryStore.ts';
import { openDeliveryFolder } from './deliveryFolder.ts';
import { choosePlan, folderName, planOfSetting } from './deliveryPlans.ts';
import { makeJobFiles, type FileFacts } from '../node/jobFiles.ts';

/** Files that could not be written are written again after this time, in milliseconds. */
const retryMs = minuteMs;
const maxRetries = 1000;
const maxPostponed = 1000;
const maxReported = 1000;
/** Global state key: connections and origins of services that were reported to send no results, the latest last. */
const withoutResultsKey = 'servicesWithoutResults.1';
const maxServices = 100;
const decodeServices = list(shortText(3000), maxServices);
/** Global state key: a file that the user saved of each of these jobs, the latest last. */
const savedFilesKey = 'savedFiles.1';
const maxSavedFiles = 500;
/** Maximum number of files of a batch that are looked for before they count as gone. */
const maxSought = 20;
const decodeSavedFile = record({ job: shortText(64), file: uriText, atMs: number });
const decodeSavedFiles = list(decodeSavedFile, maxSavedFiles);

/** Saves the files of jobs that are done, once, and reports them. */
export class Delivering extends DisposableOwner {
  readonly #services: Services;
  readonly #onDidChange: () => void;
  readonly #store: DeliveryStore;
  readonly #deliverer: Deliverer;
  readonly #reports: Debouncer<Wanted>;
  /** Groups that may get more jobs. */
  readonly #open = new Set<string>();
  /** What was last reported of groups: their number of jobs, and when the last one ended. */
  readonly #reported = new BoundedMap<string, string>(maxReported);
  /** Jobs that were not finished in time, and are not watched, by {@link deliveryKey}; undefined until their records are read. */
  readonly #postponed = new BoundedMap<string, Wanted | undefined>(maxPostponed);
  /** The wish after which no job was left whose files are wanted. */
  #settledAtMs: unknown;
  /** Names of connections whose groups of the last day were completed. */
  readonly #completed = new Set<string>();
  /** When the files of jobs may be written again. */
  readonly #retryAtMs = new BoundedMap<string, number>(maxRetries);
  /** Problems that were shown. */
  readonly #shown = new Set<string>();

  /** @param onDidChange called after what is recorded of files has changed */
  constructor(services: Services, onDidChange: () => void) {
    super();
    this.#onDidChange = onDidChange;
    const { clock, log, globalStorageUri } = services;
    this.#services = services;
    this.#store = new DeliveryStore(join(globalStorageUri.fsPath, 'deliveries'), clock, log);
    this.own(
      this.#store.onDidFindLater(() => {
        const sentence = vscode.l10n.t(
          'Records of saved results from a later version are not read. Some results may not be saved, or be saved again.',
        );
        void showMessage('information', sentence);
      }),
    );
    this.#deliverer = new Deliverer({
      store: this.#store,
      clock,
      openFolder: openDeliveryFolder,
      isKnownWithoutResults: (wanted) => this.#servicesWithoutResults().includes(serviceKey(wanted)),
    });
    this.#reports = this.own(new Debouncer<Wanted>(clock, (ended) => void runQuietly(log, () => this.#report(ended))));
  }

  /** Writes the files of a job that is final, if they are wanted. Never rejects. @param job as listed */
  async deliver(watched: WatchedJob, job: Job): Promise<DeliveryResult> {
    try {
      return await this.#deliver(watched, job);
    } catch (error) {
      this.#showProblem(error);
      return 'none';
    }
  }

  async #deliver(watched: WatchedJob, job: Job): Promise<DeliveryResult> {
    // Wanted files stay recorded until the workspace is trusted.
    if (!vscode.workspace.isTrusted) return 'none';
    const { clock, log } = this.#services;
    const key = deliveryKey(watched);
    const waitMs = (this.#retryAtMs.get(key) ?? 0) - clock.now();
    // The clock may have been set back.
    if (waitMs > 0 && waitMs <= retryMs) return 'held';
    const known = await this.#store.read(key);
    if (known.wanted !== undefined && known.ended?.end.type === 'failed' && job.status === 'done') {
      // The failure did not last.
      await this.#store.want([{ ...known.wanted, pid: process.pid, atMs: clock.now() }]);
    } else if (known.ended !== undefined) return known.ended.end.type === 'saved' ? 'delivered' : 'none';
    const recorded = known.wanted ?? (await this.#wantAlways(watched));
    if (recorded === undefined) return 'none';
    const wanted = { ...recorded, label: this.#labelOf(job, recorded) };
    if (job.status !== 'done') {
      await this.#end(wanted, { type: 'failed' });
      // The report of a group names those that failed.
      return wanted.group === undefined ? 'none' : 'delivered';
    }
    const outcome = await this.#deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, this.#factsOf(wanted)));
    if (outcome.type === 'claimed' || outcome.type === 'failed') {
      this.#retryAtMs.set(key, clock.now() + retryMs);
      if (outcome.type === 'failed') {
        log.warn(`delivery: ${describeError(outcome.error)}`);
        this.#showProblem(asUserError(outcome.error, vscode.Uri.parse(wanted.plan.folder)));
      }
      return 'held';
    }
    this.#retryAtMs.delete(key);
    this.#onDidChange();
    if (outcome.type === 'ended') return 'delivered';
    await this.#noteResults(wanted, outcome.type === 'delivered');
    this.#reports.add([wanted], false);
    return outcome.type === 'noResult' && outcome.isKnown ? 'none' : 'delivered';
  }

  /** Returns the title of a job if it has one. */
  #labelOf(job: Job, { label }: Wanted): string {
    const title = this.#services.facts.titleOf(job);
    return title === job.id ? label : title;
  }

  /** Records that the files of jobs are wanted. They are not delivered unless the jobs are watched. */
  async want(connection: JournalOwner, jobs: readonly Watchable[], { plan, group }: DeliveryOrder): Promise<void> {
    const origin = originOf(connection.baseUrl);
    const { clock, globalState, service } = this.#services;
    const atMs = clock.now();
    await globalState.update(wantedKey, atMs);
    await this.#store.want(
      jobs.map(({ kind, id, label }) => ({
        type: 'wanted',
        job: deliveryKey({ origin, kind, id }),
        group,
        connection: connection.name,
        origin,
        kind,
        id,
        label: service.keyMask.apply(label),
        plan,
        pid: process.pid,
        atMs,
      })),
    );
    this.#onDidChange();
  }

  /** Records that the files of jobs are wanted that are not watched yet, if the setting says so. */
  async queue(connection: JournalOwner, jobs: readonly Watchable[]): Promise<void> {
    const plan = vscode.workspace.isTrusted ? planOfSetting(this.#services) : undefined;
    if (plan !== undefined) await this.want(connection, jobs, { plan, group: undefined });
  }

  /**
   * Records that the files of further jobs of a group are wanted, if those of its other jobs are, and watches them. Files that the user no
   * longer wants stay unwanted.
   */
  async completeGroup(connection: JournalOwner, group: string, jobs: readonly Watchable[]): Promise<void> {
    const known = (await this.#store.readGroup(group)).flatMap(({ wanted }) => wanted ?? []);
    const plan = known.at(-1)?.plan;
    if (plan === undefined) return;
    const origin = originOf(connection.baseUrl);
    const added = jobs.filter(({ kind, id }) => {
      const key = deliveryKey({ origin, kind, id });
      return !known.some(({ job }) => job === key);
    });
    if (added.length === 0) return;
    await this.want(connection, added, { plan, group });
    this.#services.actions.watch.watchJobs(connection, added);
  }

  /** Completes the groups of the last day, once in this window: the window that submitted their jobs may have ended before it recorded all. */
  async #completeGroups(connection: JournalOwner): Promise<void> {
    if (this.#completed.has(connection.name)) return;
    this.#completed.add(connection.name);
    const { clock, actions } = this.#services;
    const owner = { connection: connection.name, origin: originOf(connection.baseUrl) };
    for (const group of await this.#store.groupsSince(clock.now() - dayMs, owner))
      await this.completeGroup(connection, group, await actions.submit.jobsOfBatch(connection, group));
  }

  /** Keeps the report of a group back until the result is called: it may get more jobs. */
  openGroup(group: string): () => void {
    this.#open.add(group);
    return () => {
      this.#open.delete(group);
      void runQuietly(this.#services.log, () => this.#reportGroup(group));
    };
  }

  /** Prompts for the files of unfinished jobs, and watches the jobs. @throws UserError */
  async saveWhenDone(jobs: readonly Job[]): Promise<void> {
    const { l10n } = vscode;
    const { service, facts, actions } = this.#services;
    const [first] = jobs;
    const connection = service.current?.connection;
    if (first === undefined || connection === undefined) return;
    if (!vscode.workspace.isTrusted)
      throw new UserError(
        l10n.t('Results are not saved by themselves in Restricted Mode. Trust this workspace first.'),
      );
    const unfinished = jobs.flatMap((job): readonly Watchable[] => {
      const { kind, id, createdAtMs } = job;
      const undated = createdAtMs === undefined;
      return isUnfinished(job) && isJobKind(kind)
        ? [{ kind, id, createdAtMs, undated, label: facts.titleOf(job) }]
        : [];
    });
    if (unfinished.length === 0)
      throw new UserError(l10n.t('These jobs have already finished. Use Save Transcript As.'));
    const what = jobs.length === 1 ? facts.titleOf(first) : l10n.t('{0} jobs', jobs.length);
    const plan = await choosePlan(this.#services, what);
    if (plan === undefined || plan === 'none') return;
    await this.want(connection, unfinished, { plan, group: unfinished.length === 1 ? undefined : randomUUID() });
    actions.watch.watchJobs(connection, unfinished);
  }

  /** Records that the files of unfinished jobs are no longer wanted. */
  async abandon(watched: readonly WatchedJob[]): Promise<void> {
    for (const each of watched) {
      const { wanted, ended } = await this.#store.read(deliveryKey(each));
      if (wanted !== undefined && ended === undefined) await this.#end(wanted, { type: 'abandoned' });
    }
  }

  /**
   * Records that jobs are no longer watched, because they take long. Their files are written when they are next seen done.
   * @returns the jobs that were not recorded as such before
   */
  async postpone(watched: readonly WatchedJob[]): Promise<readonly WatchedJob[]> {
    const added: WatchedJob[] = [];
    // At once, so that none is watched again while records are read.
    for (const each of watched) this.#postponed.set(deliveryKey(each), undefined);
    for (const each of watched) {
      const job = deliveryKey(each);
      const { wanted, postponed, ended } = await this.#store.read(job);
      if (postponed === undefined) added.push(each);
      if (wanted === undefined || ended !== undefined) {
        this.#postponed.delete(job);
        continue;
      }
      this.#postponed.set(job, wanted);
      if (postponed !== undefined) continue;
      await this.#store.postpone(wanted);
      this.#reports.add([wanted], false);
    }
    return added;
  }

  /**
   * Writes the files of jobs that were not finished in time, if a list that was read since has them as done. Watches a job
   * again if the list is no longer in memory. Never rejects.
   */
  async resume(): Promise<void> {
    const { service, jobs, actions } = this.#services;
    const connection = service.current?.connection;
    if (connection === undefined || !vscode.workspace.isTrusted) return;
    const origin = originOf(connection.baseUrl);
    const postponed = [...this.#postponed.values()].flatMap((each) => each ?? []);
    const final = postponed.flatMap(({ job, kind, id, label, atMs: sinceMs, ...of }) => {
      const listed = jobs.get(kind, id);
      const isHere = of.origin === origin && of.connection === connection.name;
      if (!isHere || listed === undefined || isUnfinished(listed)) return [];
      this.#postponed.delete(job);
      const common = { connection: connection.name, origin, kind, id, label };
      const watched: WatchedJob = { ...common, createdAtMs: listed.createdAtMs, sinceMs, misses: 0 };
      return [{ watched, whole: listed.status === 'done' ? jobs.whole(listed) : undefined }];
    });
    const left: WatchedJob[] = [];
    for (const { watched, whole } of final)
      if (whole === undefined || (await this.deliver(watched, whole)) !== 'delivered') left.push(watched);
    if (left.length > 0) actions.watch.watchWanted(connection, left);
  }

  /** Returns a file of a job from when files of it were last saved, by the user or when it was done, if one still exists. */
  async savedFile({ baseUrl }: JournalOwner, { kind, id }: Pick<Job, 'kind' | 'id'>): Promise<vscode.Uri | undefined> {
    if (!isJobKind(kind)) return undefined;
    const job = deliveryKey({ origin: originOf(baseUrl), kind, id });
    const { wanted, files, ended } = await this.#store.read(job);
    const delivered = wanted === undefined ? [] : files.map(({ name }) => fileOf(wanted, name));
    const own = this.#savedByUser().filter((each) => each.job === job);
    const isNewer = own.some(({ atMs }) => atMs >= (ended?.atMs ?? 0));
    const ownFiles = own.map(({ file }) => vscode.Uri.parse(file));
    return firstExisting(isNewer ? [...ownFiles, ...delivered] : [...delivered, ...ownFiles]);
  }

  /** Returns what is recorded of the files of a batch; undefined if none were wanted or saved. @param ids of its jobs */
  async filesOfBatch(
    { baseUrl }: JournalOwner,
    group: string,
    ids: readonly string[],
  ): Promise<BatchFiles | undefined> {
    const origin = originOf(baseUrl);
    const jobs = new Set(ids.map((id) => deliveryKey({ origin, kind: 'pre-recorded', id })));
    const deliveries = await this.#store.readGroup(group);
    const byJob = new Map(deliveries.flatMap((each) => (each.wanted ? [[each.wanted.job, each] as const] : [])));
    const own = this.#savedByUser()
      .filter(({ job }) => jobs.has(job))
      .map(({ job, file, atMs }) => ({ job, uri: vscode.Uri.parse(file), atMs }));
    const folders = new Map(own.map(({ job, uri }) => [job, vscode.Uri.joinPath(uri, '..').toString()]));
    const text = batchFilesText(byJob, folders, folderName, locale);
    if (text === '') return undefined;
    const delivered = deliveries.flatMap(({ wanted, files, ended }) =>
      wanted !== undefined && ended?.end.type === 'saved'
        ? files.map(({ name }) => ({ uri: fileOf(wanted, name), atMs: ended.atMs }))
        : [],
    );
    const files = [...own, ...delivered].toSorted((a, b) => b.atMs - a.atMs).map(({ uri }) => uri);
    if (files.length === 0) return { text, show: undefined };
    const show = async (): Promise<void> => {
      const file = await firstExisting(files.slice(0, maxSought));
      if (file === undefined)
        throw new UserError(vscode.l10n.t('The saved files are no longer where they were saved.'));
      await showInFolder(file);
    };
    return { text, show };
  }

  /** Records files that the user saved, one of each job. */
  async noteSavedFiles(
    { baseUrl }: JournalOwner,
    files: ReadonlyMap<Pick<Job, 'kind' | 'id'>, vscode.Uri>,
  ): Promise<void> {
    const origin = originOf(baseUrl);
    const atMs = this.#services.clock.now();
    const added = [...files].flatMap(([{ kind, id }, file]) =>
      isJobKind(kind) ? [{ job: deliveryKey({ origin, kind, id }), file: file.toString(), atMs }] : [],
    );
    const jobs = new Set(added.map(({ job }) => job));
    const others = this.#savedByUser().filter(({ job }) => !jobs.has(job));
    await this.#services.globalState.update(savedFilesKey, [...others, ...added].slice(-maxSavedFiles));
    this.#onDidChange();
  }

  #savedByUser(): Decoded<typeof decodeSavedFiles> {
    const stored = attempt(decodeSavedFiles, this.#services.globalState.get(savedFilesKey));
    return stored instanceof Undecodable ? [] : stored;
  }

  /**
   * Watches the jobs of the connection in use whose files are wanted, except those that another open window watches. Jobs
   * that are watched already do not change.
   */
  async catchUp(): Promise<void> {
    const { service, globalState, actions } = this.#services;
    const connection = service.current?.connection;
    const lastMs = globalState.get(wantedKey);
    if (connection === undefined || !vscode.workspace.isTrusted || lastMs === this.#settledAtMs) return;
    await this.#completeGroups(connection);
    const pending = await this.#store.pending();
    // The state is not changed: other machines have records of their own.
    if (pending.length === 0) this.#settledAtMs = lastMs;
    const origin = originOf(connection.baseUrl);
    const isPostponed = ({ job }: Wanted): boolean => this.#postponed.has(job);
    const own = pending.flatMap(({ wanted, isWatchedElsewhere }) =>
      wanted.origin === origin &&
      wanted.connection === connection.name &&
      !isWatchedElsewhere &&
      !isPostponed(wanted) &&
      // Files that could not be written in this window are tried again in the next one.
      this.#retryAtMs.get(wanted.job) === undefined &&
      vscode.workspace.fs.isWritableFileSystem(vscode.Uri.parse(wanted.plan.folder).scheme) !== undefined
        ? wanted
        : [],
    );
    if (own.length === 0) return;
    await this.#store.take(own);
    // Some may have been postponed meanwhile.
    const left = own.filter((each) => !isPostponed(each));
    actions.watch.watchWanted(
      connection,
      left.map(({ kind, id, label, atMs }) => ({ kind, id, label, createdAtMs: undefined, sinceMs: atMs })),
    );
  }

  #factsOf({ origin, kind, id }: Wanted): FileFacts {
    const { facts, service, actions } = this.#services;
    return {
      titleOf: (job) => facts.titleOf(job),
      keyMask: service.keyMask,
      names: actions.details.speakersOf(origin, { kind, id }),
      link: { origin, scheme: vscode.env.uriScheme },
    };
  }

  async #wantAlways({ connection, origin, kind, id, label }: WatchedJob): Promise<Wanted | undefined> {
    const plan = planOfSetting(this.#services);
    if (plan === undefined) return undefined;
    const job: Watchable = { kind, id, label, createdAtMs: undefined };
    await this.want({ name: connection, baseUrl: origin }, [job], { plan, group: undefined });
    // Another window may have recorded the job first.
    return (await this.#store.read(deliveryKey({ origin, kind, id }))).wanted;
  }

  async #end(wanted: Wanted, end: DeliveryEnd): Promise<void> {
    await this.#store.end(wanted, end);
    this.#onDidChange();
    this.#reports.add([wanted], false);
  }

  /** Records if a service sends results. */
  async #noteResults(wanted: Wanted, hasResults: boolean): Promise<void> {
    const known = this.#servicesWithoutResults();
    const key = serviceKey(wanted);
    if (hasResults !== known.includes(key)) return;
    const others = known.filter((each) => each !== key);
    const now = hasResults ? others : [...others, key].slice(-maxServices);
    await this.#services.globalState.update(withoutResultsKey, now);
  }

  #servicesWithoutResults(): readonly string[] {
    const stored = attempt(decodeServices, this.#services.globalState.get(withoutResultsKey));
    return stored instanceof Undecodable ? [] : stored;
  }

  /** Reports jobs without a group together, and each group once none of its jobs is watched any more. */
  async #report(ended: readonly Wanted[]): Promise<void> {
    const single: Delivery[] = [];
    const groups = new Set<string>();
    for (const { job, group } of ended) {
      const delivery = await this.#store.read(job);
      // The group of a job that finished late was reported before.
      const isLate = delivery.postponed !== undefined && delivery.ended !== undefined;
      if (group === undefined || isLate) single.push(delivery);
      else groups.add(group);
    }
    // Failed ones are reported by the watch.
    const shown = single.filter(({ ended: last }) => last?.end.type === 'saved' || isNewsWithoutResult(last?.end));
    if (shown.length > 0) this.#show(shown, []);
    for (const group of groups) await this.#reportGroup(group);
  }

  async #reportGroup(group: string): Promise<void> {
    if (this.#open.has(group)) return;
    const deliveries = await this.#store.readGroup(group);
    const last = deliveries
      .flatMap(({ ended, postponed }) => ended ?? postponed ?? [])
      .toSorted((a, b) => a.atMs - b.atMs)
      .at(-1);
    // The window that wrote the last files reports the group.
    if (last?.run !== this.#store.run) return;
    if (deliveries.some(({ ended, postponed }) => ended === undefined && postponed === undefined)) return;
    // The last job may have ended while the group was read for the report of another one, and then has a report of its own.
    const state = `${deliveries.length} ${last.atMs}`;
    if (this.#reported.get(group) === state) return;
    this.#reported.set(group, state);
    // The watch has reported jobs of a service that is known to send no results.
    const isKnown = ({ ended }: Delivery): boolean => ended?.end.type === 'noResult' && ended.end.isKnown;
    if (deliveries.every(isKnown)) return;
    const { connection: name = '', origin: baseUrl = '' } = deliveries[0]?.wanted ?? {};
    const { log, actions } = this.#services;
    const page = await actions.submit.batchPage({ name, baseUrl }, group);
    const show = { title: vscode.l10n.t('Show Batch'), run: () => runCommand(log, () => page?.show()) };
    this.#show(deliveries, page === undefined ? [] : [show], page?.isInFront);
  }

  /** @param isInSight a page shows how the jobs ended */
  #show(deliveries: readonly Delivery[], steps: readonly NextStep[], isInSight = false): void {
    const summary = summarizeDeliveries(deliveries);
    const folder = deliveries[0]?.wanted?.plan.folder ?? '';
    const name = deliveries.flatMap(({ files }) => files).at(-1)?.name;
    const hasRemarks = summary.remarks.size + summary.withoutResult.length + summary.abandoned > 0;
    const isWarning = hasRemarks || summary.failed.length > 0;
    const showFolder: readonly NextStep[] =
      name === undefined || summary.files === 0
        ? []
        : [
            {
              title: vscode.l10n.t('Show in Folder'),
              run: () => showInFolder(vscode.Uri.joinPath(vscode.Uri.parse(folder), name)),
            },
          ];
    const text = deliveryText(summary, folderName(folder), locale);
    if (text === '') return;
    if (isInSight && !hasRemarks) showBriefly(text);
    else void showMessage(isWarning ? 'warning' : 'information', text, [...steps, ...showFolder]);
  }

  /** Shows why files are not saved, each reason once. */
  #showProblem(error: unknown): void {
    const text =
      error instanceof UserError
        ? error.message
        : vscode.l10n.t('Results could not be saved: {0}', error instanceof Error ? error.message : String(error));
    if (this.#shown.has(text)) return;
    this.#shown.add(text);
    void showMessage('error', text);
  }
}

/** Identifies a service. Another connection may have access to more. */
function serviceKey({ connection, origin }: Wanted): string {
  return JSON.stringify([connection, origin]);
}

function fileOf({ plan }: Wanted, name: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(plan.folder), name);
}

async function firstExisting(files: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
  for (const uri of files) {
    const exists = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (exists) return uri;
  }
  return undefined;
}

function isNewsWithoutResult(end: DeliveryEnd | undefined): boolean {
  return end?.type === 'noResult' && !end.isKnown;
}
