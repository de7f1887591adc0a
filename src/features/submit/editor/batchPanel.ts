import * as vscode from 'vscode';
import { findServiceKnowledge, statusOfErrorCode } from '../../../known/serviceKnowledge.ts';
import { delay } from '../../../base/clock.ts';
import { digest } from '../../../base/digest.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { describeError, isFailure } from '../../../base/failure.ts';
import { readStored } from '../../../base/stateStore.ts';
import { formatHours, formatMoment, formatNumber } from '../../../base/format.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { isUnfinished, jobKey, withoutWholeText, type Job } from '../../../jobs/common/job.ts';
import type { JournalOwner } from '../../../jobs/common/submission.ts';
import type { Services } from '../../../services.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';
import { pollDelayMs } from '../../../jobs/node/store/jobPoller.ts';
import type { StoreChange } from '../../../jobs/node/store/listState.ts';
import { openRequest } from '../../../language/editor/requestDocuments.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { commandStep, showBriefly, showMessage, UserError } from '../../../platform/editor/messages.ts';
import { errorSentence, knownErrorSentence } from '../../../platform/editor/showError.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';
import { WebviewChannel } from '../../../platform/editor/webviewChannel.ts';
import type { BatchFiles } from '../../deliver/common/delivery.ts';
import {
  firstRows,
  maxSliceRows,
  type GridState,
  type ChosenColumn,
  type PlaceRange,
} from '../../board/common/boardProtocol.ts';
import { PlaceSelection } from '../../board/common/placeSelection.ts';
import type { Watchable } from '../../watch/common/watchPlan.ts';
import { itemOf, namedItems, pendingCount, type Batch } from '../common/batch.ts';
import {
  batchColumnKeys,
  batchRowsText,
  commonTimeFormat,
  decodeBatchWidths,
  emptyBatchColumns,
  encodeBatchWidths,
  showBatchRows,
  sortBatchRows,
  usualBatchLayout,
} from '../common/batchColumns.ts';
import { batchFates, batchSource, jobsOfBatch } from '../common/batchCounts.ts';
import {
  batchToHost,
  encodeBatchName,
  type BatchRowAction,
  type BatchAction,
  type BatchName,
  type BatchToHost,
  type HostToBatch,
} from '../common/batchProtocol.ts';
import { batchRows, fateOf, withJobs, type BatchRow } from '../common/batchRows.ts';
import { echoedFile } from '../common/resubmission.ts';
import { loadSubmitted } from '../node/loadJobs.ts';
import { describeCause } from '../common/retryAdvice.ts';
import { unloadedJob } from './planResubmission.ts';
import { resubmitFailed } from './resubmitFailed.ts';
import { redrawEveryMs, type Submissions } from './submissions.ts';
import { resumeBatch } from './submitBatch.ts';

/** In characters. */
const maxTabLength = 40;
const maxFilesLength = 1000;
const widthsName = 'batch.widths';

/** Part of the editor's window that a page needs. */
export type WindowFocus = Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>;

/** Reason for reading jobs: the page was opened, the user asked for it, or it is time. */
type ReadReason = 'open' | 'refresh' | 'poll';

/** The page of one batch: its requests with their jobs, and the left-out rows of its list. Follows the ledger, the journal and the jobs. */
export class BatchPanel extends DisposableOwner {
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: WebviewChannel<HostToBatch, BatchToHost>;
  readonly #window: WindowFocus;
  readonly #submissions: Submissions;
  readonly #closing = new AbortController();
  #name: BatchName;
  /** With the final states of {@link #jobs}. */
  #batch: Batch | undefined;
  /** Jobs that this page has read, by id. */
  readonly #jobs = new Map<string, Job>();
  /** Ids of the jobs whose changes the page shows, by `jobKey`. */
  #followed: ReadonlyMap<string, string> = new Map();
  /** Jobs that changed since they were last recorded in the ledger, by id. */
  #changed: ReadonlySet<string> = new Set();
  /** Ids of jobs that the service's list did not have when they were last read. */
  readonly #missing = new Set<string>();
  /** In the order of their states, and as shown. */
  #unsorted: readonly BatchRow[] = [];
  #rows: readonly BatchRow[] = [];
  /** Keys of the columns that can be shown. */
  #keys: readonly string[] = [];
  /** Columns that the user had resized when the page was opened. */
  readonly #resized: readonly ChosenColumn[];
  /** As the user arranged it. */
  #arranged: ReturnType<typeof usualBatchLayout> | undefined;
  /** Incremented with every change of the rows or their order, so that places of an older view are not applied to this one. */
  #revision = 0;
  #viewport = firstRows;
  #gridState: GridState | undefined;
  #notice: { readonly text: string; readonly isFailure: boolean } | undefined;
  /** As last read. */
  #files: BatchFiles | undefined;
  #areFilesDue = true;
  #hasRead = false;
  #isReading = false;
  #isDue = false;
  #isDrawing = false;
  #timer: Disposable | undefined;
  /** Time when the jobs were last read, in milliseconds since the epoch. */
  #readAtMs: number;
  /** Consecutive reads that failed or found none of the jobs. */
  #failures = 0;
  #retryAtMs: number | undefined;
  #wasWatched = false;
  #hasReturned = false;

  constructor(panel: vscode.WebviewPanel, name: BatchName, submissions: Submissions, window: WindowFocus) {
    super();
    this.#panel = panel;
    this.#window = window;
    this.#name = name;
    this.#submissions = submissions;
    const { services, journal, batches } = submissions;
    this.#readAtMs = services.clock.now();
    this.#resized = readWidths(services);
    panel.title = vscode.l10n.t('Batch');
    this.own({ dispose: () => this.#closing.abort() });
    this.own(panel.onDidDispose(() => this.dispose()));
    this.#channel = this.own(
      new WebviewChannel(panel, 'batch', batchToHost, services, {
        onReady: (language) => {
          this.#channel.send({ type: 'hello', ...language, state: encodeBatchName(this.#name) });
          return this.#sendAll();
        },
        onMessage: (message) => this.#answer(message),
      }),
    );
    this.own(journal.onDidChange(() => this.#redraw()));
    this.own(
      batches.onDidChange(({ id }) => {
        if (id === this.#name.id || (this.#batch && resubmissions(this.#batch).batches.has(id))) this.#redraw();
      }),
    );
    this.own(services.jobs.onDidChange((change) => this.#follow(change)));
    this.own(services.facts.onDidChange(() => this.#redraw()));
    this.own(services.actions.deliver.onDidChangeFiles(() => this.#redrawFiles()));
    this.own(services.settings.onDidChange(() => this.#replan()));
    this.own(panel.onDidChangeViewState(() => this.#handleVisibility()));
    this.own(window.onDidChangeWindowState(() => this.#handleVisibility()));
    this.own({ dispose: () => this.#timer?.dispose() });
    void runQuietly(services.log, () => this.#begin());
  }

  get name(): BatchName {
    return this.#name;
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  readonly #mask = (text: string): string => this.#submissions.services.service.keyMask.apply(text);

  #follow(change: StoreChange): void {
    if (change.type === 'reset') return this.#redraw();
    const changed = [...change.jobs].flatMap((key) => this.#followed.get(key) ?? []);
    if (changed.length === 0) return;
    for (const id of changed) this.#missing.delete(id);
    // A hidden page reads its jobs when it is visible again.
    if (this.#panel.visible) this.#changed = new Set([...this.#changed, ...changed]);
    this.#redraw();
  }

  /** Reads again what other windows have written, when the user returns to the page or the window. */
  #handleVisibility(): void {
    if (this.isDisposed) return;
    const isWatched = this.#panel.visible && this.#window.state.focused;
    if (isWatched && !this.#wasWatched) {
      this.#hasReturned = true;
      this.#redrawFiles();
    }
    this.#wasWatched = isWatched;
    this.#replan();
  }

  /** Plans when the ledger and the jobs are read again: at the interval of automatic refresh while something can still change. */
  #replan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.isDisposed || this.#isReading) return;
    const { clock, log, settings } = this.#submissions.services;
    const delayMs = pollDelayMs({
      intervalMs: settings.get('autoRefresh.intervalSeconds') * 1000,
      visible: this.#panel.visible,
      focused: this.#window.state.focused,
      unfinished: this.#batch !== undefined && mayChange(this.#batch),
      nowMs: clock.now(),
      lastMs: this.#readAtMs,
      failures: this.#failures,
      retryAtMs: this.#retryAtMs,
      returned: this.#hasReturned,
    });
    if (delayMs !== undefined) this.#timer = clock.after(delayMs, () => void runQuietly(log, () => this.#read('poll')));
  }

  async #answer(message: BatchToHost): Promise<void> {
    switch (message.type) {
      case 'slice':
        if (message.revision !== this.#revision) return;
        this.#viewport = message;
        return this.#channel.send({ type: 'rows', revision: this.#revision, slice: this.#slice });
      case 'gridState':
        if (message.revision === this.#revision) this.#gridState = message;
        return;
      case 'layout':
        this.#viewport = message;
        this.#arranged = { columns: message.columns, order: message.order };
        this.#show(this.#unsorted);
        return this.#keepWidths(message.columns);
      case 'act':
        return message.revision === this.#revision ? this.#act(message.what, message.selected) : undefined;
      case 'run':
        return this.#run(message.what);
    }
  }

  /** Sends everything to a page that has started or restarted. Reads the jobs once. */
  async #sendAll(): Promise<void> {
    await this.#draw();
    if (this.#gridState?.revision === this.#revision) this.#channel.send({ type: 'gridState', ...this.#gridState });
    if (this.#hasRead) return;
    this.#hasRead = true;
    await this.#read('open');
  }

  #redrawFiles(): void {
    this.#areFilesDue = true;
    this.#redraw();
  }

  /** Draws soon: at once, and not again for a while. */
  #redraw(): void {
    this.#isDue = true;
    if (this.#isDrawing || this.isDisposed || !this.#panel.visible) return;
    this.#isDrawing = true;
    void runQuietly(this.#submissions.services.log, async () => {
      try {
        while (this.#isDue && !this.isDisposed) {
          await this.#draw();
          await delay(this.#submissions.services.clock, redrawEveryMs, this.#closing.signal);
        }
      } finally {
        this.#isDrawing = false;
      }
    });
  }

  /** Reads the ledger and the journal, and shows them with the jobs as last observed. */
  async #draw(): Promise<void> {
    this.#isDue = false;
    const { batches, services } = this.#submissions;
    const isOwn = await this.#isOfConnectionInUse();
    if (isOwn) await this.#record();
    const batch = await batches.read(await batches.find(this.#owner, this.#name.id));
    if (this.isDisposed) return;
    const jobOf = (id: string): Job | undefined => this.#jobOf(id, isOwn);
    this.#batch = batch && withJobs(batch, jobOf);
    this.#replan();
    if (this.#batch === undefined) return this.#show([]);
    if (this.#areFilesDue) {
      this.#areFilesDue = false;
      this.#files = await services.actions.deliver.filesOfBatch(this.#owner, this.#name.id, jobIds(this.#batch));
      if (this.isDisposed) return;
    }
    const { errorLabels } = services.facts;
    const untried = namedItems(this.#batch.plan.source, digest)
      .filter(({ item }) => this.#batch?.items.has(item) === false && !this.#batch.skipped.has(item))
      .map(({ file = echoedFile, label }) => ({ file, label }));
    const titleOf = (job: Job): string => services.facts.titleOf(job);
    const { current } = services.connections;
    const knowledge = isOwn && current ? findServiceKnowledge(current.service, current.baseUrl) : undefined;
    const explainCode = (code: number): string | undefined =>
      describeCause({ status: statusOfErrorCode(code, knowledge), label: undefined });
    const mask = (text: string): string => services.service.keyMask.applyToBeginning(text);
    const followed = [...jobIds(this.#batch), ...resubmissions(this.#batch).ids];
    this.#followed = new Map(followed.map((id) => [jobKey({ kind, id }), id]));
    this.#nameTab(this.#batch);
    this.#show(batchRows(this.#batch, untried, { jobOf, titleOf, errorLabels, explainCode, locale, mask }));
  }

  /** Sets the tab's title before the HTML, because the webview's frame keeps the first title as its accessible name. */
  async #begin(): Promise<void> {
    const { batches } = this.#submissions;
    try {
      const batch = await batches.read(await batches.find(this.#owner, this.#name.id));
      if (batch !== undefined && !this.isDisposed) this.#nameTab(batch);
    } finally {
      this.#channel.load();
    }
  }

  /** The time distinguishes batches of the same list. */
  #nameTab(batch: Batch): void {
    const startedAt = formatHours(
      batch.plan.startedAtMs,
      this.#submissions.services.settings.get('times'),
      this.#channel.locale,
    );
    this.#panel.title = vscode.l10n.t('Batch: {0}, {1}', oneLine(batchSource(batch), maxTabLength), startedAt);
  }

  /** Records the states of jobs that changed. */
  async #record(): Promise<void> {
    const jobs = [...this.#changed].flatMap((id) => this.#jobOf(id, true) ?? []);
    this.#changed = new Set();
    for (const job of jobs) this.#jobs.set(job.id, job);
    await this.#note(jobs);
  }

  /** Records the states of jobs that were just observed. Failed jobs that are queued again are watched again, to save their files. */
  async #note(jobs: readonly Job[]): Promise<void> {
    const { batches, services } = this.#submissions;
    const failed = new Set(jobsOfBatch(this.#batch ?? nothing).failed);
    const again = jobs.flatMap((job): readonly Watchable[] => {
      const { id, createdAtMs } = job;
      return isUnfinished(job) && failed.has(id) ? [{ kind, id, createdAtMs, label: services.facts.titleOf(job) }] : [];
    });
    await batches.noteFates(this.#owner, new Map(jobs.map((job) => [job.id, fateOf(job)])), [this.#name.id]);
    const { current } = services.connections;
    if (current !== undefined && again.length > 0) services.actions.watch.watchJobs(current, again);
  }

  get #layout() {
    const { settings } = this.#submissions.services;
    const source = this.#batch?.plan.source;
    return this.#arranged ?? usualBatchLayout(source, this.#keys, settings.get('labelKeys'), this.#resized);
  }

  /** Stores the widths that the user has chosen, for other batches. */
  async #keepWidths(columns: readonly ChosenColumn[]): Promise<void> {
    const { globalState } = this.#submissions.services;
    await globalState.update(widthsName, encodeBatchWidths(readWidths(this.#submissions.services), columns));
  }

  get #owner(): JournalOwner {
    return { name: this.#name.connection, baseUrl: this.#name.baseUrl };
  }

  /** True if the batch was sent by the connection in use, possibly under an earlier name. */
  async #isOfConnectionInUse(): Promise<boolean> {
    const { batches, services } = this.#submissions;
    const { current } = services.connections;
    return current !== undefined && (await batches.ids(current)).includes(this.#name.id);
  }

  /** @throws Failure without a connection; UserError if another one is in use */
  async #service(): Promise<SubmitTarget> {
    const { l10n } = vscode;
    const target = this.#submissions.target();
    if (!(await this.#isOfConnectionInUse())) {
      throw new UserError(
        l10n.t('This batch belongs to the connection {0}. Switch to it to continue.', this.#name.connection),
        [commandStep(l10n.t('Switch Connection'), commandIds.switchConnection)],
      );
    }
    return target;
  }

  /** Returns a job as last observed, by the lists or by this page. */
  #jobOf(id: string, isOwn: boolean): Job | undefined {
    if (this.#missing.has(id)) return undefined;
    const { jobs } = this.#submissions.services;
    return (isOwn ? jobs.get(kind, id) : undefined) ?? this.#jobs.get(id);
  }

  /** Shows rows. Those that were selected stay selected, wherever they are now. */
  #show(rows: readonly BatchRow[]): void {
    const before = this.#rows;
    this.#unsorted = rows;
    this.#keys = batchColumnKeys(this.#batch?.plan.source, rows, this.#mask);
    this.#rows = sortBatchRows(rows, this.#layout.order, this.#channel.locale);
    const keys = this.#rows.map(keyOf);
    const hasSameRows = keys.length === before.length && before.every((row, place) => keyOf(row) === keys[place]);
    const gridState = this.#gridState;
    if (!hasSameRows || this.#revision === 0) this.#revision++;
    this.#sendView();
    if (hasSameRows || gridState === undefined) return;
    const selection = new PlaceSelection(gridState.selected);
    const selected = new Set(before.flatMap((row, place) => (selection.has(place) ? [keyOf(row)] : [])));
    const active = before[gridState.row];
    const row = active === undefined ? gridState.row : Math.max(0, keys.indexOf(keyOf(active)));
    const moved = rangesOf(keys.flatMap((key, place) => (selected.has(key) ? [place] : [])));
    this.#gridState = { ...gridState, revision: this.#revision, selected: moved, row };
    this.#channel.send({ type: 'gridState', ...this.#gridState });
  }

  #sendView(): void {
    const batch = this.#batch;
    const { l10n } = vscode;
    const number = (value: number): string => formatNumber(value, this.#channel.locale);
    const isGone = batch === undefined && this.#revision > 0;
    const leftOut = batch?.plan.leftOut?.length ?? 0;
    const counts = batch === undefined ? [] : [batchFates(batch)];
    if (leftOut > 0) counts.push(leftOut === 1 ? l10n.t('1 left out') : l10n.t('{0} left out', number(leftOut)));
    const excluded = batch?.skipped.size ?? 0;
    if (excluded > 0)
      counts.push(
        excluded === 1 ? l10n.t('1 excluded before sending') : l10n.t('{0} excluded before sending', number(excluded)),
      );
    const { done, toResubmit, open } = jobsOfBatch(batch ?? nothing);
    const isSending = this.#submissions.batches.isSending(this.#name.id);
    this.#channel.send({
      type: 'view',
      revision: this.#revision,
      title: batch === undefined ? l10n.t('Batch') : oneLine(batchSource(batch)),
      origin: batch === undefined ? '' : originText(batch, this.#channel.locale, number),
      counts: counts.join(' · '),
      files: this.#files && oneLine(this.#files.text, maxFilesLength),
      hasFiles: this.#files?.show !== undefined,
      notice: isGone ? { text: l10n.t('This batch is no longer stored.'), isFailure: true } : this.#notice,
      done: done.length,
      failed: toResubmit.length,
      left: batch === undefined || isSending ? 0 : pendingCount(batch),
      open: open.length,
      rows: this.#rows.length,
      ...this.#layout,
      keys: this.#keys,
      numeric: [],
      empty: emptyBatchColumns(
        this.#rows,
        this.#layout.columns.map(({ key }) => key),
        this.#channel.locale,
      ),
      slice: this.#slice,
    });
  }

  get #slice() {
    const { locale } = this.#channel;
    const from = Math.min(this.#viewport.from, this.#rows.length);
    const rows = this.#rows.slice(from, Math.min(this.#viewport.to, from + maxSliceRows));
    return {
      from,
      rows: showBatchRows(rows, this.#layout.columns, locale, this.#mask, commonTimeFormat(this.#rows, locale)),
    };
  }

  /** Reads the ledger, then the jobs whose state may have changed, and shows on the page what hinders that. */
  async #read(why: ReadReason): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      if (why !== 'open') await this.#draw();
      const isFound = await this.#readJobs(why);
      this.#notice = undefined;
      this.#failures = isFound ? 0 : this.#failures + 1;
      this.#retryAtMs = undefined;
    } catch (error) {
      if (this.isDisposed) return;
      if (isFailure(error)) {
        this.#failures++;
        this.#retryAtMs = error.facts.retryAtMs;
      } else if (knownErrorSentence(error) === undefined) this.#submissions.services.log.error(describeError(error));
      this.#notice = { text: errorSentence(error), isFailure: true };
    } finally {
      this.#isReading = false;
      this.#hasReturned = false;
      this.#readAtMs = this.#submissions.services.clock.now();
    }
    await this.#draw();
  }

  /** @returns false if the service's list has none of the jobs that were sought */
  async #readJobs(why: ReadReason): Promise<boolean> {
    const { actions } = this.#submissions.services;
    const service = await this.#service();
    const isPoll = why === 'poll';
    const ids = (isPoll ? jobsOfBatch(this.#batch ?? nothing).open : jobIds(this.#batch)).filter((id) => {
      const job = this.#jobOf(id, true);
      // A job that failed may be queued again.
      if (job === undefined || (why === 'refresh' && job.status === 'error')) return true;
      return isUnfinished(job) && !(isPoll && actions.tree.isListed(job));
    });
    if (ids.length === 0) return true;
    if (!isPoll) {
      this.#notice = { text: vscode.l10n.t('Reading the jobs of the batch…'), isFailure: false };
      this.#sendView();
    }
    return this.#load(service, ids, this.#closing.signal);
  }

  /**
   * Finds jobs in the service's list, by the times when they were submitted, and records how they ended.
   * @returns false if the list has none of them
   * @throws Failure
   */
  async #load({ api }: SubmitTarget, ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    const { services } = this.#submissions;
    const batch = this.#batch;
    if (batch === undefined) return true;
    const wanted = new Set(ids);
    const times = new Map<string, number>();
    for (const { outcome, sentAtMs } of batch.items.values()) {
      if (outcome.type === 'accepted' && outcome.id !== undefined && wanted.has(outcome.id))
        times.set(outcome.id, sentAtMs ?? batch.plan.startedAtMs);
    }
    const observe = services.jobs.observing();
    let found: readonly Job[] = [];
    try {
      found = await loadSubmitted(api.lists, times, signal);
    } finally {
      observe(found);
    }
    const isFound = new Set(found.map(({ id }) => id));
    for (const id of ids) {
      if (isFound.has(id) || services.jobs.placeOf(kind, id) !== undefined) this.#missing.delete(id);
      else this.#missing.add(id);
    }
    // The store keeps jobs without their results, and what later requests observed.
    for (const job of found) this.#jobs.set(job.id, services.jobs.get(kind, job.id) ?? withoutWholeText(job));
    await this.#note(found.map((job) => this.#jobs.get(job.id) ?? job));
    return found.length > 0;
  }

  /**
   * Returns jobs of the batch that are final, after reading those that are not known, or known only from before they ended: their end may
   * have been recorded by another window. @throws UserError or Failure
   */
  async #jobsWith(ids: readonly string[]): Promise<readonly Job[]> {
    const service = await this.#service();
    const unknown = ids.filter((id) => {
      const job = this.#jobOf(id, true);
      return job === undefined || isUnfinished(job);
    });
    if (unknown.length > 0) {
      const title = vscode.l10n.t('Reading the jobs of the batch');
      await withCancel(title, (signal) => this.#load(service, unknown, signal));
    }
    return ids.flatMap((id) => this.#jobOf(id, true) ?? []);
  }

  async #run(what: BatchAction): Promise<void> {
    const { toResubmit, done } = jobsOfBatch(this.#batch ?? nothing);
    switch (what) {
      case 'saveAll':
        return this.#save(done);
      case 'showFiles':
        return this.#files?.show?.();
      case 'resubmitFailed':
        return this.#resubmit(toResubmit);
      case 'submitRest':
        return resumeBatch(this.#submissions, await this.#service(), this.#name.id);
      case 'refresh':
        return this.#read('refresh');
    }
  }

  async #save(ids: readonly string[]): Promise<void> {
    const jobs = await this.#jobsWith(ids);
    if (jobs.length === 0) throw new UserError(vscode.l10n.t("The service's list doesn't have these jobs."));
    const missing = ids.length - jobs.length;
    if (missing > 0)
      void showMessage(
        'warning',
        missing === 1
          ? vscode.l10n.t("The service's list doesn't have 1 of these jobs. Its transcript is not saved.")
          : vscode.l10n.t(
              "The service's list doesn't have {0} of these jobs. Their transcripts are not saved.",
              formatNumber(missing, locale),
            ),
      );
    await this.#submissions.services.actions.details.saveTranscripts(jobs);
  }

  async #resubmit(ids: readonly string[]): Promise<void> {
    const jobs = new Map((await this.#jobsWith(ids)).map((job) => [job.id, job]));
    await resubmitFailed(
      this.#submissions,
      ids.map((id) => jobs.get(id) ?? unloadedJob(id)),
    );
  }

  async #act(what: BatchRowAction, selected: readonly PlaceRange[]): Promise<void> {
    const rows = selected.flatMap(({ from, to }) => this.#rows.slice(from, to));
    const idsOf = (...states: readonly BatchRow['state'][]): readonly string[] =>
      rows.flatMap(({ id, state }) => (id !== undefined && states.includes(state) ? [id] : []));
    const [row] = rows;
    if (row === undefined) return;
    switch (what) {
      case 'open':
        return this.#open(row);
      case 'saveTranscript':
        return this.#save(idsOf('done', 'partly'));
      case 'resubmit':
        return this.#resubmit(idsOf('error', 'partly'));
      case 'findJob':
        return this.#findJob(row);
      case 'openRequest':
        return openFileOf(row);
      case 'copy':
        await vscode.env.clipboard.writeText(
          batchRowsText(rows, this.#layout.columns, this.#channel.locale, this.#mask),
        );
        return showBriefly(vscode.l10n.t('Copied'));
    }
  }

  /** Opens the job of a row, or else its request. */
  async #open(row: BatchRow): Promise<void> {
    const { id, submittedAtMs: sentAtMs } = row;
    if (id === undefined) return openFileOf(row);
    const { connection } = await this.#service();
    const { actions } = this.#submissions.services;
    const job = this.#jobOf(id, true);
    if (job !== undefined) return actions.details.openJob(job);
    return actions.details.openNamedJob({ connection: connection.name, kind, id, sentAtMs });
  }

  async #findJob({ item }: BatchRow): Promise<void> {
    const service = await this.#service();
    const batch = this.#batch;
    const { submissions } = await this.#submissions.readJournal(service.connection);
    const submission = submissions.find(
      (each) => batch !== undefined && each.batch === this.#name.id && itemOf(batch, each, digest) === item,
    );
    if (submission === undefined) throw new UserError(vscode.l10n.t('The journal no longer has this submission.'));
    await this.#submissions.findJob(service, submission);
  }
}

function readWidths({ globalState, log }: Services): readonly ChosenColumn[] {
  return readStored(globalState, widthsName, decodeBatchWidths, (line) => log.warn(line)) ?? [];
}

const kind = 'pre-recorded';
const nothing: Pick<Batch, 'items' | 'resubmitted'> = { items: new Map(), resubmitted: new Map() };

function jobIds(batch: Batch | undefined): readonly string[] {
  const { done, failed, open } = jobsOfBatch(batch ?? nothing);
  return [...new Set([...done, ...failed, ...open])];
}

/** Returns the ids of the jobs that repeat jobs of a batch, and of their batches. */
function resubmissions({ resubmitted }: Batch): {
  readonly ids: readonly string[];
  readonly batches: ReadonlySet<string>;
} {
  const sent = [...resubmitted.values()];
  return {
    ids: sent.flatMap(({ outcome }) => (outcome.type === 'accepted' ? (outcome.id ?? []) : [])),
    batches: new Set(sent.flatMap(({ batch }) => batch ?? [])),
  };
}

/** True if a request of the batch is or may be sent, or a job may end. */
function mayChange(batch: Batch): boolean {
  const isSending = [...batch.items.values()].some(({ outcome }) => outcome.type === 'sending');
  return isSending || pendingCount(batch) > 0 || jobsOfBatch(batch).open.length > 0;
}

function originText(
  { plan: { total, connection, startedAtMs } }: Batch,
  where: Parameters<typeof formatMoment>[1],
  number: (value: number) => string,
): string {
  const { l10n } = vscode;
  const when = formatMoment(startedAtMs, where);
  return total === 1
    ? l10n.t('1 request to {0}, {1}', oneLine(connection), when)
    : l10n.t('{0} requests to {1}, {2}', number(total), oneLine(connection), when);
}

/** Identifies a row among those of its batch. */
function keyOf({ item, file, title }: BatchRow): string {
  return item ?? `${file ?? ''} ${title}`;
}

/** @param places in ascending order */
function rangesOf(places: readonly number[]): readonly PlaceRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last?.to === place) last.to++;
    else ranges.push({ from: place, to: place + 1 });
  }
  return ranges;
}

async function openFileOf({ file }: BatchRow): Promise<void> {
  const uri = file === undefined || file === echoedFile ? undefined : requestUri(file);
  if (uri !== undefined) return openRequest(uri);
  throw new UserError(vscode.l10n.t('There is no file of this request.'));
}

/** Returns the URI of a file that a ledger names; undefined for URIs that open something else, such as a command. */
function requestUri(written: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(written, true);
    // Editors in a browser have a file system for web pages.
    if (['http', 'https'].includes(uri.scheme)) return undefined;
    const isFile = uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
    return isFile ? uri : undefined;
  } catch {
    return undefined;
  }
}
