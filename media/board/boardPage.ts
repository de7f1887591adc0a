import { t } from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import {
  firstRows,
  type BoardAction,
  type BoardFinding,
  type BoardPart,
  type BoardToHost,
  type HostToBoard,
  type ShownStandout,
  type ShownView,
} from '../../src/features/board/common/boardProtocol.ts';
import { withCondition, type ChosenRange, type FacetCondition } from '../../src/features/board/common/boardView.ts';
import { isOfAllFailures } from '../../src/features/board/common/supportedConditions.ts';
import { columnWidths } from '../../src/features/board/common/boardColumns.ts';
import { describeField } from '../../src/features/board/common/boardText.ts';
import { actionsOf } from '../../src/features/board/common/selectionActions.ts';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { renderButton } from '../page/renderButton.ts';
import { renderIcon } from '../page/renderIcon.ts';
import { FrameRequest } from './frameRequest.ts';
import type { BoardHost } from './boardHost.ts';
import { ActionsMenu, type MenuAction } from './actionsMenu.ts';
import { ColumnChooser } from './columnChooser.ts';
import { JobGrid, type GridEvents } from './jobGrid.ts';
import { keepFocus } from './keepFocus.ts';
import { PulseChart } from './pulseChart.ts';
import { renderFacets, toggleCondition } from './renderFacets.ts';
import { TabStops } from './tabStops.ts';
import {
  renderConditions,
  renderEarlier,
  renderExtent,
  renderFigures,
  renderFinding,
  renderProgress,
  renderScope,
} from './renderHead.ts';

type Message = Exclude<HostToBoard, { type: 'hello' }>;

/** The page of a board. Keeps one state, which messages change, and renders it as a whole after each change. */
export class BoardPage {
  readonly #host: BoardHost;
  readonly #locale: Locale;
  readonly #main = document.body.appendChild(document.createElement('main'));
  readonly #announcer = document.body.appendChild(document.createElement('div'));
  readonly #grid: JobGrid;
  readonly #chart: PulseChart;
  readonly #chooser: ColumnChooser;
  readonly #menu = new ActionsMenu(this.#main);
  readonly #tabStops = new TabStops(this.#main);
  #scope: Extract<Message, { type: 'scope' }> | undefined;
  #progress: Extract<Message, { type: 'progress' }> | undefined;
  #failure: string | undefined;
  #view: ShownView | undefined;
  #finding: BoardFinding | undefined;
  readonly #frame = new FrameRequest(() => this.#draw());
  readonly #folded: Set<BoardPart>;

  /** @param folded parts that are folded at first */
  constructor(host: BoardHost, locale: Locale, folded: readonly BoardPart[]) {
    this.#host = host;
    this.#locale = locale;
    this.#folded = new Set(folded);
    this.#announcer.className = 'announcer';
    this.#announcer.setAttribute('role', 'status');
    const events: GridEvents = {
      changed: () => this.#frame.drawSoon(),
      wants: ({ from, to }) => this.#withRevision((revision) => this.#send({ type: 'slice', revision, from, to })),
      keepState: (gridState) =>
        this.#withRevision((revision) => this.#send({ type: 'gridState', revision, ...gridState })),
      open: (place) => this.#act('open', place),
      menu: (x, y) => this.#menu.open(this.#actions(), x, y),
      arrange: (columns, order) => this.#send({ type: 'layout', columns, order, ...this.#grid.viewport }),
    };
    const columns = { nameOf: describeField, widthsOf: columnWidths };
    this.#grid = new JobGrid(events, columns);
    this.#chooser = new ColumnChooser({ ...events, changed: () => this.#draw() }, columns);
    this.#chart = new PulseChart(
      {
        changed: () => this.#draw(),
        brush: (range) => this.#narrow(this.#view?.conditions ?? [], range),
        copy: (text) => this.#send({ type: 'copyText', what: 'table', text }),
      },
      locale,
    );
  }

  receive(message: Message): void {
    switch (message.type) {
      case 'scope':
        this.#scope = message;
        this.#host.keep(message.scope);
        document.title = t('Board: {0}', message.title);
        break;
      case 'progress':
        this.#progress = message;
        this.#failure = undefined;
        break;
      case 'failed':
        this.#failure = message.sentence;
        this.#progress = undefined;
        this.#announce(message.sentence);
        break;
      case 'view':
        this.#takeView(message);
        break;
      case 'rows':
        if (message.revision === this.#view?.revision) this.#grid.fill(message.slice);
        break;
      case 'gridState':
        if (message.revision === this.#view?.revision) this.#grid.restore(message);
        break;
      case 'finding':
        this.#takeFinding(message.finding);
        return;
      case 'copied':
        this.#announce(t('Copied'));
        return;
    }
    this.#draw();
  }

  #takeView(view: ShownView): void {
    const isFresh = this.#view?.atMs !== view.atMs || (this.#view !== undefined && isReading(this.#view));
    const hasSameRows = this.#view?.revision === view.revision;
    this.#view = view;
    this.#failure = undefined;
    if (hasSameRows) this.#grid.refresh(view);
    else this.#grid.take(view);
    this.#chart.take(view.pulse, view.range);
    this.#chart.takeExtent(view);
    if (isReading(view)) return;
    this.#progress = undefined;
    if (isFresh || view.slice.from === 0) this.#announce(t('{0} jobs', formatNumber(view.rows, this.#locale)));
  }

  /** Shows a finding and moves the focus to it, so that its buttons are within reach of the keyboard. */
  #takeFinding(finding: BoardFinding | undefined): void {
    this.#finding = finding;
    this.#draw();
    const element = finding && this.#main.querySelector<HTMLElement>('.finding');
    element?.scrollIntoView({ block: 'nearest' });
    if (document.hasFocus()) element?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
  }

  readonly #send = (message: BoardToHost): void => this.#host.send(message);

  #withRevision(body: (revision: number) => void): void {
    if (this.#view !== undefined) body(this.#view.revision);
  }

  /** Narrows down the rows. A range up to the time of reading goes on, so that it includes the jobs that the next reading adds. */
  #narrow(conditions: readonly FacetCondition[], range: ChosenRange | undefined): void {
    const isOngoing = (range?.toMs ?? Infinity) >= (this.#view?.atMs ?? Infinity);
    const chosen = range && { fromMs: range.fromMs, toMs: isOngoing ? undefined : range.toMs };
    this.#send({ type: 'narrow', conditions, range: chosen, ...firstRows });
  }

  #act(what: BoardAction, place?: number): void {
    const selected = place === undefined ? this.#grid.selection.ranges : [{ from: place, to: place + 1 }];
    this.#withRevision((revision) => this.#send({ type: 'act', what, revision, selected }));
  }

  /** Returns the actions on the selected rows. */
  #actions(): readonly MenuAction[] {
    const { selection, selectedTones } = this.#grid;
    return actionsOf(selection.count, selectedTones).map((what) => ({
      label: actionText(what),
      run: () => this.#act(what),
    }));
  }

  /** Returns a part's fold button for its heading. */
  #renderFold(part: BoardPart, name: string): TemplateResult {
    const toggle = (): void => {
      if (!this.#folded.delete(part)) this.#folded.add(part);
      this.#send({ type: 'fold', folded: [...this.#folded] });
      this.#draw();
    };
    return html`<button class="fold" type="button" aria-expanded=${String(!this.#folded.has(part))} @click=${toggle}>
      ${renderIcon('chevron')}${name}
    </button>`;
  }

  #announce(sentence: string): void {
    this.#announcer.textContent = sentence;
  }

  #draw(): void {
    this.#frame.drawn();
    // Dims the figures of another range until the new ones arrive.
    this.#main.classList.toggle('outdated', this.#view?.isOutdated === true);
    this.#main.ariaBusy = String(this.#progress !== undefined);
    keepFocus(this.#main, () => render(this.#render(), this.#main));
    this.#tabStops.refresh();
    this.#grid.attach(this.#main);
    this.#chart.attach(this.#main);
  }

  #render(): TemplateResult {
    const view = this.#view;
    return html`<div class="board-top">
        ${this.#scope === undefined ? nothing : renderScope(this.#scope, this.#send)}${this.#renderStatus()}${
          view === undefined ? nothing : this.#renderOverview(view)
        }
      </div>
      ${view === undefined || view.read === 0 ? nothing : this.#renderTable(view)}`;
  }

  #renderStatus(): TemplateResult {
    if (this.#failure !== undefined) {
      return html`<div class="basis">
        <span class="status tone-error">${renderIcon('error')}<bdi>${this.#failure}</bdi></span>
        ${this.#view === undefined ? nothing : renderEarlier(this.#view, this.#locale)}
        ${renderButton({ label: t('Try Again') }, () => {
          this.#failure = undefined;
          this.#send({ type: 'read' });
        })}
      </div>`;
    }
    if (this.#progress !== undefined) {
      const view = this.#view;
      const isEarlier = view !== undefined && (view.isOutdated || !isReading(view));
      const earlier = isEarlier ? renderEarlier(view, this.#locale) : nothing;
      // Shows the same number as the figures.
      const progress = view === undefined || isEarlier ? this.#progress : { ...this.#progress, jobs: view.read };
      return renderProgress(progress, earlier, this.#send, this.#locale);
    }
    if (this.#view !== undefined) return renderExtent(this.#view, this.#send, this.#locale);
    return html`<div class="basis"><span class="dim">${t('Asking the service…')}</span></div>`;
  }

  /** Renders what stands above the table. It scrolls where space is short. */
  #renderOverview(view: ShownView): TemplateResult {
    const lift = (conditions: readonly FacetCondition[], range: ChosenRange | undefined): void =>
      this.#narrow(conditions, range);
    const pick = (shared: readonly FacetCondition[]): void =>
      this.#narrow(
        shared.reduce((all, each) => withCondition(all, each), view.conditions),
        view.range,
      );
    const rangeAt = ({ side, atMs }: NonNullable<ShownStandout['time']>): ChosenRange =>
      side === 'since' ? { fromMs: atMs, toMs: undefined } : { fromMs: view.pulse.bins[0]?.fromMs ?? atMs, toMs: atMs };
    const pickRange = (range: ChosenRange): void => this.#narrow(view.conditions, range);
    const close = (): void => {
      this.#finding = undefined;
      this.#send({ type: 'closeFinding' });
      this.#draw();
    };
    if (view.read === 0) {
      if (view.extent.type !== 'whole' || view.isOutdated) return html``;
      return html`<p class="nothing">${t('No jobs in this time range.')}</p>`;
    }
    return html`${renderFigures(view, this.#locale)}${this.#chart.render(
      this.#renderFold('charts', t('Jobs over time')),
      this.#folded.has('charts'),
    )}
    ${renderConditions(view, this.#finding?.standouts.some((each) => each.canFilter) === true, lift, this.#send, this.#locale)}
    ${this.#finding === undefined ? nothing : renderFinding(this.#finding, isOfEarlier(this.#finding, view), view.range, { pick, rangeAt, pickRange }, close, this.#send, this.#locale)}`;
  }

  #renderTable(view: ShownView): TemplateResult {
    const press = (pressed: FacetCondition): void =>
      this.#narrow(toggleCondition(view.conditions, pressed), view.range);
    return html`${this.#folded.has('facets') ? nothing : renderFacets(view.facets, press, this.#locale)}
      <section class="board-table" aria-label=${t('Jobs')}>
        ${this.#renderActions(view)} ${this.#chooser.render(view)}
        ${view.rows === 0 ? html`<p class="nothing">${t('No jobs meet these conditions.')}</p>` : this.#grid.render()}
      </section>`;
  }

  #renderActions(view: ShownView): TemplateResult {
    const { selection } = this.#grid;
    const of = selection.count > 0 ? 'selection' : view.range === undefined ? 'failures' : 'range';
    const explain = (): void =>
      this.#withRevision((revision) => this.#send({ type: 'explain', of, revision, selected: selection.ranges }));
    const rows = formatNumber(view.rows, this.#locale);
    return html`<div class="table-head">
        ${this.#renderFold('facets', t('Narrow down'))}
        <span class="count">${t('{0} rows', rows)}</span>
        <span class="spring"></span>
        <span class="explain">${renderButton({ icon: 'search', label: t('What Changed?') }, explain)}</span>
        ${this.#chooser.renderButton(view)}
      </div>
      ${this.#menu.renderToolbar(t('Selected jobs'), { selected: selection.count, rows: view.rows }, this.#actions(), this.#locale)}`;
  }
}

function actionText(what: BoardAction): string {
  switch (what) {
    case 'open':
      return t('Open');
    case 'compare':
      return t('Compare');
    case 'watch':
      return t('Watch');
    case 'saveTranscript':
      return t('Save Transcript…');
    case 'export':
      return t('Export');
    case 'resubmit':
      return t('Resubmit…');
    case 'markHandled':
      return t('Mark as Handled');
    case 'mute':
      return t('Mute for…');
    case 'copyIds':
      return t('Copy IDs');
    case 'copyJson':
      return t('Copy JSON');
  }
}

/** True if a view shows the jobs read so far while the rest is being read. */
function isReading({ extent }: ShownView): boolean {
  return extent.type === 'part' && extent.why === 'reading';
}

/** True if the conditions that a finding depends on have changed since. Failures are the same with the condition that selects them, at any time. */
function isOfEarlier(finding: BoardFinding, view: ShownView): boolean {
  const [then, now] = [finding, view].map(({ conditions, range }) =>
    JSON.stringify(
      finding.of === 'failures' ? conditions.filter((each) => !isOfAllFailures(each)) : [conditions, range],
    ),
  );
  return then !== now;
}
