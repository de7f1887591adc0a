import * as vscode from 'vscode';
import { BoardModel } from '../common/boardModel.ts';
import {
  boardToHost,
  firstRows,
  type BoardFinding,
  type GridState,
  type BoardToHost,
  type HostToBoard,
  type PlaceRange,
} from '../common/boardProtocol.ts';
import {
  decodeLayout,
  encodeLayout,
  encodeScope,
  usualLayout,
  type BoardLayout,
  type BoardScope,
} from '../common/boardStorage.ts';
import { filterOfBoard, isSameScope, windowed } from '../common/boardStart.ts';
import { boardTitle, formatInstant, nameConditions } from '../common/boardText.ts';
import { isHandled } from '../../attention/common/handledMarks.ts';
import { withCondition, type FacetCondition } from '../common/boardView.ts';
import { describeError } from '../../../base/failure.ts';
import { failureSentence } from '../../../base/failureText.ts';
import { describeFilter, describeFilterTime } from '../../../jobs/common/describeFilter.ts';
import { isUnfiltered, noFilter, type JobFilter } from '../../../jobs/common/jobFilter.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { toListQueries } from '../../../jobs/common/listKey.ts';
import type { ListQuery } from '../../../jobs/common/listParams.ts';
import { WorkSlices } from '../../../base/clock.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { readStored } from '../../../base/stateStore.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { focusJobsView, showBriefly, showMessage } from '../../../platform/editor/messages.ts';
import { errorSentence, knownErrorSentence } from '../../../platform/editor/showError.ts';
import { runCommand } from '../../../platform/editor/runCommand.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { WebviewChannel } from '../../../platform/editor/webviewChannel.ts';
import { BoardActions } from './boardActions.ts';
import { askTime } from '../../../jobs/editor/filterTimeSteps.ts';
import { BoardReading } from '../node/boardReading.ts';
import type { Services } from '../../../services.ts';

const layoutName = 'board.layout';
/** Minimum time between two renderings while reading, in milliseconds. */
const minPauseMs = 500;
/** Minimum ratio of reading time to rendering time. */
const maxDrawings = 10;

/** Content of a board: the jobs of a reading as last rendered, and the filter that they were read for. */
interface Shown {
  readonly reading: BoardReading;
  readonly model: BoardModel;
  readonly filter: JobFilter;
}

/** One board: reads the jobs of its scope, and answers its page from the results. */
export class BoardPanel extends DisposableOwner {
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: WebviewChannel<HostToBoard, BoardToHost>;
  readonly #services: Services;
  readonly #actions: BoardActions;
  #scope: BoardScope;
  #layout: BoardLayout;
  #shown: Shown | undefined;
  /** Incremented with every change of the rows or their order, so that places of an older view are not applied to this one. */
  #revision = 0;
  /** Rows that the revision stands for, in their order. */
  #sent: { readonly reading: BoardReading; readonly rows: readonly number[] } | undefined;
  #viewport = firstRows;
  #gridState: GridState | undefined;
  /** Reading or count in progress. */
  #running: BoardReading | undefined;
  #failure: string | undefined;
  #finding: BoardFinding | undefined;
  #explains = false;
  #selected: readonly PlaceRange[] = [];
  /** True if the board was restored with its window: only the first page is read automatically. */
  #isRestored: boolean;

  constructor(panel: vscode.WebviewPanel, scope: BoardScope, services: Services, isRestored: boolean) {
    super();
    this.#panel = panel;
    this.#scope = scope;
    this.#services = services;
    this.#layout =
      readStored(services.globalState, layoutName, decodeLayout, (line) => {
        services.log.warn(line);
        const sentence = vscode.l10n.t(
          'The stored columns of the board are damaged or from another version. They were set aside, and the usual ones are shown.',
        );
        void showMessage('information', sentence);
      }) ?? usualLayout;
    this.#actions = new BoardActions(services);
    this.#isRestored = isRestored;
    panel.title = boardTitle(scope, locale);
    this.own(panel.onDidDispose(() => this.dispose()));
    this.#channel = this.own(
      new WebviewChannel(panel, 'board', boardToHost, services, {
        onReady: (language) => {
          this.#channel.send({ type: 'hello', ...language, folded: this.#layout.folded });
          return this.#sendAll();
        },
        onMessage: (message) => this.#answer(message),
      }),
    );
    this.own({
      dispose: () => {
        this.#running?.dispose();
        this.#shown?.reading.dispose();
      },
    });
    this.own(
      services.connections.onDidChange(() => {
        if (!this.#isOfCurrentConnection()) this.#running?.cancel();
        this.#sendScope();
      }),
    );
    this.own(
      services.actions.attention.onDidMarkHandled(() => void runCommand(services.log, () => this.#showHandled())),
    );
    this.#channel.load();
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Current scope. */
  get scope(): BoardScope {
    return this.#scope;
  }

  reveal(preserveFocus: boolean): void {
    this.#panel.reveal(undefined, preserveFocus);
  }

  /** Shows another scope of the same connection. Reads its jobs unless it has the same filter. */
  show(scope: BoardScope): void {
    const { filter } = this.#scope;
    const hasSameFilter = isSameScope({ ...scope, filter }, scope);
    this.#viewport = firstRows;
    this.#finding = undefined;
    this.#channel.send({ type: 'finding', finding: undefined });
    this.#narrow(hasSameFilter ? { ...scope, filter } : scope);
    if (!hasSameFilter) void runCommand(this.#services.log, () => this.#read());
  }

  /** Reads again if the board lacks one of these failures, for example because it was read before they failed. */
  readIfLacking(failed: readonly Pick<Job, 'id'>[]): void {
    if (this.#running !== undefined) return;
    const columns = this.#shown?.reading.columns;
    const [id, status] = [columns?.column('id'), columns?.column('status')];
    const isShown = (each: Pick<Job, 'id'>): boolean =>
      status?.value(id?.codes.indexOf(id.codeOf(each.id) ?? -1) ?? -1) === 'error';
    if (!failed.every(isShown)) void runCommand(this.#services.log, () => this.#read());
  }

  /** Runs What Changed? for the failures, as soon as the jobs have been read. */
  explainWhenRead(): void {
    if (this.#running === undefined && this.#shown?.filter === this.#scope.filter) this.#explainFailures();
    else this.#explains = true;
  }

  /** Runs What Changed? for the selected rows, else for the brushed range, else for the failures. */
  explainWhatIsMarked(): void {
    const jobs = this.#selected.length > 0 ? 'selection' : this.#scope.range === undefined ? 'failures' : 'range';
    void runCommand(this.#services.log, () => this.#explain(jobs, this.#selected));
  }

  get #words() {
    return { locale: this.#channel.locale, errorLabels: this.#services.facts.errorLabels };
  }

  async #answer(message: BoardToHost): Promise<void> {
    switch (message.type) {
      case 'slice':
        return this.#sendRows(message.revision, message);
      case 'gridState':
        if (message.revision !== this.#revision) return;
        this.#gridState = message;
        this.#selected = message.selected;
        return;
      case 'narrow':
        this.#viewport = message;
        return this.#narrow({ ...this.#scope, conditions: message.conditions, range: message.range });
      case 'layout':
        this.#viewport = message;
        return this.#arrange({ ...this.#layout, columns: message.columns, order: message.order });
      case 'fold':
        this.#layout = { ...this.#layout, folded: message.folded };
        return this.#keepLayout();
      case 'window':
        return this.#turnTo({ ...this.#scope.filter, time: { type: 'last', hours: message.hours } });
      case 'customWindow': {
        const title = vscode.l10n.t('Board: Time Range');
        const answer = await askTime(this.#scope.filter.time, locale, this.#services.clock.now(), title);
        return answer.type === 'picked' ? this.#turnTo({ ...this.#scope.filter, time: answer.value }) : undefined;
      }
      case 'takeFilter':
        return this.#turnTo(windowed(this.#services.jobs.filter));
      case 'clearFilter':
        return this.#turnTo({ ...noFilter, time: this.#scope.filter.time });
      case 'useAsFilter':
        return this.#useAsFilter(message.shared);
      case 'read':
        return this.#read();
      case 'readOn':
        return this.#readOn();
      case 'cancel':
        return this.#running?.cancel();
      case 'act': {
        const model = this.#shown?.model;
        if (message.revision !== this.#revision || model === undefined) return;
        const jobs = this.#jobsAt(message.selected, message.what === 'open' || message.what === 'watch');
        return this.#actions.run(message.what, this.#scope.connection, jobs, () =>
          model.table(message.selected, this.#words),
        );
      }
      case 'explain':
        return message.revision === this.#revision ? this.#explain(message.of, message.selected) : undefined;
      case 'closeFinding':
        this.#finding = undefined;
        return;
      case 'copyText':
        await vscode.env.clipboard.writeText(message.text);
        return this.#channel.send({ type: 'copied', what: message.what });
    }
  }

  /** Sends everything to a page that has started or restarted. */
  async #sendAll(): Promise<void> {
    this.#sendScope();
    if (this.#shown !== undefined) {
      this.#sendView();
      if (this.#gridState?.revision === this.#revision) this.#channel.send({ type: 'gridState', ...this.#gridState });
      this.#channel.send({ type: 'finding', finding: this.#finding });
    }
    if (this.#running !== undefined) this.#sendProgress(this.#running);
    else if (this.#failure !== undefined) this.#channel.send({ type: 'failed', sentence: this.#failure });
    else if (this.#shown === undefined) await this.#read(this.#isRestored ? 'firstPage' : 'all');
  }

  #isOfCurrentConnection(): boolean {
    return this.#services.service.current?.connection.name === this.#scope.connection;
  }

  #sendScope(): void {
    this.#panel.title = boardTitle(this.#scope, this.#channel.locale);
    const { filter } = this.#scope;
    this.#channel.send({
      type: 'scope',
      scope: encodeScope(this.#scope),
      title: this.#scope.connection,
      filterText:
        describeFilter(filter, this.#channel.locale, formatInstant) ||
        describeFilterTime(filter.time, this.#channel.locale),
      isFiltered: !isUnfiltered({ ...filter, time: noFilter.time }),
      hours: filter.time.type === 'last' ? filter.time.hours : undefined,
      isOther: !this.#isOfCurrentConnection(),
    });
  }

  /** Shows the jobs read so far in another scope. If it has another filter, the view is outdated from now on. */
  #narrow(scope: BoardScope): void {
    this.#scope = scope;
    this.#shown?.model.narrow({ facets: scope.conditions, range: scope.range });
    this.#sendView();
    this.#sendScope();
  }

  async #turnTo(filter: JobFilter): Promise<void> {
    this.#narrow({ ...this.#scope, filter, range: undefined });
    await this.#read();
  }

  /** Reads from the beginning. */
  async #read(amount: 'firstPage' | 'all' = 'all'): Promise<void> {
    this.#stop();
    try {
      const { connection, source } = this.#service();
      const { clock, settings } = this.#services;
      const labelKeys = settings.get('labelKeys');
      await this.#run(new BoardReading(source, this.#queries(connection), { clock, labelKeys }), amount);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Reads the jobs after those shown. Starts from the beginning if those are of another filter. */
  async #readOn(): Promise<void> {
    if (this.#running !== undefined) return;
    const shown = this.#shown;
    if (shown === undefined || shown.filter !== this.#scope.filter) return this.#read();
    // Switching connections closes the service, and a reading of a closed service cannot continue.
    return shown.reading.isOf(this.#services.service.current?.source) ? this.#run(shown.reading, 'all') : this.#read();
  }

  /** Reads, renders while reading, and counts the jobs of the range if it was not read to its end. */
  async #run(reading: BoardReading, amount: 'firstPage' | 'all'): Promise<void> {
    const { clock } = this.#services;
    const { filter } = this.#scope;
    const isRunning = (): boolean => this.#running === reading;
    this.#running = reading;
    this.#failure = undefined;
    this.#sendProgress(reading);
    let [drawnAtMs, tookMs] = [-Infinity, 0];
    const draw = async (closesFinding: boolean): Promise<void> => {
      const startMs = clock.now();
      const model = await this.#modelOf(reading, filter);
      if (isRunning()) this.#take({ reading, model, filter }, closesFinding);
      drawnAtMs = clock.now();
      tookMs = drawnAtMs - startMs;
    };
    try {
      await reading.readOn(amount, async () => {
        if (!isRunning() || reading.isBlank) return;
        this.#sendProgress(reading);
        const isFirst = this.#shown?.reading !== reading;
        if (isFirst || clock.now() - drawnAtMs >= Math.max(minPauseMs, maxDrawings * tookMs)) await draw(isFirst);
      });
      if (!isRunning()) return;
      if (reading.isBlank && reading.failure !== undefined) throw reading.failure;
      if (reading.isBlank && this.#shown !== undefined && this.#shown.reading !== reading) {
        // Canceled before any result: the earlier jobs stay.
        reading.dispose();
        this.#sendView();
        return;
      }
      await draw(true);
      if (!isRunning()) return;
      if (this.#explains) this.#explainFailures();
      if (reading.isUncounted) {
        this.#sendProgress(reading);
        await reading.count();
        if (isRunning()) this.#sendView();
      }
    } catch (error) {
      if (isRunning()) this.#fail(error);
    } finally {
      if (isRunning()) this.#running = undefined;
    }
  }

  /** Stops the current reading. The shown jobs can still be read on. */
  #stop(): void {
    if (this.#running === this.#shown?.reading) this.#running?.cancel();
    else this.#running?.dispose();
    this.#running = undefined;
  }

  /** Shows on the page, where reading was started, why nothing could be read. */
  #fail(error: unknown): void {
    if (knownErrorSentence(error) === undefined) this.#services.log.error(describeError(error));
    this.#failure = errorSentence(error);
    this.#channel.send({ type: 'failed', sentence: this.#failure });
  }

  /** @throws Failure if there is no connection, or another one is in use */
  #service() {
    return this.#actions.serviceOf(this.#scope.connection);
  }

  #queries({ listSource }: Connection): readonly ListQuery[] {
    const nowMs = this.#services.clock.now();
    return toListQueries(this.#scope.filter, listSource, nowMs);
  }

  /** Builds a model of the jobs read, with its rows in the order of the board. */
  async #modelOf({ columns, atMs, facts }: BoardReading, { time }: JobFilter): Promise<BoardModel> {
    const { conditions, range } = this.#scope;
    const connection = this.#services.service.current?.connection;
    if (connection?.name === this.#scope.connection) {
      const marks = await this.#services.actions.attention.readHandled(connection);
      columns.noteHandled((job) => isHandled(job, marks));
    }
    const submittedAs = (): ReadonlyMap<string, string> => this.#services.facts.submittedAs(this.#scope.connection);
    const data = { columns, size: columns.size, isPart: facts.extent.type !== 'whole', submittedAs };
    const model = new BoardModel(data, usualLayout, { facets: conditions, range }, time, atMs);
    await this.#prepare(model, this.#layout);
    return model;
  }

  /** Shows which failures are handled now. Reading shows it by itself. */
  async #showHandled(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined || this.#running !== undefined) return;
    const model = await this.#modelOf(shown.reading, shown.filter);
    if (this.#shown === shown && this.#running === undefined) this.#take({ ...shown, model }, false);
  }

  async #prepare(model: BoardModel, { order }: BoardLayout): Promise<void> {
    const slices = new WorkSlices();
    await model.prepare(order, () => slices.rest());
  }

  /** @param closesFinding true for the first and the last result of reading, which may contradict a finding */
  #take(shown: Shown, closesFinding: boolean): void {
    const { model, reading } = shown;
    if (this.#shown !== undefined && this.#shown.reading !== reading) {
      this.#shown.reading.dispose();
      this.#viewport = firstRows;
    }
    this.#shown = shown;
    // Layout and conditions may have changed meanwhile.
    model.arrange(this.#layout);
    model.narrow({ facets: this.#scope.conditions, range: this.#scope.range });
    this.#sendView();
    if (!closesFinding) return;
    this.#finding = undefined;
    this.#channel.send({ type: 'finding', finding: undefined });
  }

  #sendProgress(reading: BoardReading): void {
    this.#channel.send({
      type: 'progress',
      phase: reading.isUncounted ? 'counting' : 'reading',
      jobs: reading.columns.size,
      requests: reading.requests,
      isSlowed: reading.isSlowed,
    });
  }

  /** Sends the current view. The selection stays if the rows and their order are unchanged. */
  #sendView(): void {
    if (this.#shown === undefined) return;
    const { reading, model, filter } = this.#shown;
    const { rows } = model.view;
    const before = this.#sent?.reading === reading ? this.#sent.rows : undefined;
    if (before?.length !== rows.length || rows.some((row, place) => row !== before[place])) {
      this.#revision++;
      this.#selected = [];
    }
    this.#sent = { reading, rows };
    this.#channel.send({
      type: 'view',
      revision: this.#revision,
      error: reading.failure && failureSentence(reading.failure),
      isOutdated: filter !== this.#scope.filter,
      ...reading.facts,
      ...model.show(this.#viewport, this.#words),
    });
  }

  #sendRows(revision: number, range: PlaceRange): void {
    if (revision !== this.#revision || this.#shown === undefined) return;
    this.#viewport = range;
    this.#channel.send({ type: 'rows', revision, slice: this.#shown.model.slice(range, this.#words) });
  }

  async #arrange(layout: BoardLayout): Promise<void> {
    this.#layout = layout;
    if (this.#shown !== undefined) await this.#prepare(this.#shown.model, layout);
    if (this.#layout !== layout) return;
    this.#shown?.model.arrange(layout);
    this.#sendView();
    await this.#keepLayout();
  }

  async #keepLayout(): Promise<void> {
    await this.#services.globalState.update(layoutName, encodeLayout(this.#layout));
  }

  /**
   * Returns the jobs at places as they were read, with their results. Leaves out jobs whose text was not stored and that are not loaded.
   * @param asLoaded returns loaded jobs as last observed
   */
  #jobsAt(selected: readonly PlaceRange[], asLoaded: boolean): readonly Job[] {
    if (this.#shown === undefined) return [];
    const { model, reading } = this.#shown;
    return model.rowsAt(selected).flatMap((row) => {
      const kind = reading.columns.column('kind')?.value(row);
      const loaded = this.#services.jobs.get(kind ?? '', reading.columns.column('id')?.value(row) ?? '');
      const read = reading.jobs[row];
      return (asLoaded ? (loaded ?? read) : (read ?? loaded)) ?? [];
    });
  }

  #explainFailures(): void {
    this.#explains = false;
    void runCommand(this.#services.log, () => this.#explain('failures', this.#selected));
  }

  async #explain(of: BoardFinding['of'], selected: readonly PlaceRange[]): Promise<void> {
    if (this.#shown === undefined) return;
    const { model, reading } = this.#shown;
    this.#selected = selected;
    const slices = new WorkSlices();
    const finding = await model.explain(of, selected, () => slices.rest());
    if (this.#shown.reading !== reading) return;
    this.#finding = finding;
    this.#channel.send({ type: 'finding', finding });
  }

  /** Sets the filter of the jobs view to the supported conditions. */
  async #useAsFilter(shared: readonly FacetCondition[]): Promise<void> {
    const { filter } = this.#scope;
    const finding = shared.length === 0 ? undefined : this.#finding;
    const { conditions, range } = finding ?? this.#scope;
    const wanted = shared.reduce((all, each) => withCondition(all, each), conditions);
    const asked = this.#shown?.model.paramsOf(wanted);
    const unsupported = this.#shown?.model.unsupported(wanted, finding?.of) ?? wanted;
    // A finding about failures is shown among failures.
    const isOfFailures = finding?.of === 'failures';
    await this.#services.filters.set(
      filterOfBoard(filter, range, { ...asked, ...(isOfFailures && { statuses: ['error'] }) }),
    );
    await focusJobsView();
    showBriefly(
      unsupported.length === 0
        ? vscode.l10n.t('The jobs view has a new filter')
        : vscode.l10n.t(
            'The jobs view has a new filter, which ignores {0}',
            nameConditions(unsupported, this.#channel.locale),
          ),
    );
  }
}
