import { t } from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import type {
  BoardAct,
  BoardFinding,
  BoardToHost,
  HostToBoard,
  ShownView,
} from '../../src/domain/board/boardProtocol.ts';
import { describeField, mayBeMore } from '../../src/domain/board/boardText.ts';
import { withCondition, type FacetCondition, type TimeRange } from '../../src/domain/board/boardView.ts';
import { formatNumber, type Locale } from '../../src/domain/format.ts';
import { renderButton } from '../page/renderButton.ts';
import { renderIcon } from '../page/renderIcon.ts';
import type { BoardHost } from './boardHost.ts';
import { JobGrid } from './jobGrid.ts';
import { PulseChart } from './pulseChart.ts';
import { renderFacets, toggleCondition, type FacetStops } from './renderFacets.ts';
import {
  renderBasis,
  renderEarlier,
  renderConditions,
  renderFigures,
  renderFinding,
  renderProgress,
  renderScope,
} from './renderHead.ts';
import { renderWindows } from './renderWindows.ts';

type Message = Exclude<HostToBoard, { type: 'hello' }>;

/** A board: one state that messages change, drawn as a whole whenever it does. */
export class BoardPage {
  readonly #host: BoardHost;
  readonly #locale: Locale;
  readonly #main = document.body.appendChild(document.createElement('main'));
  readonly #announcer = document.body.appendChild(document.createElement('div'));
  readonly #grid: JobGrid;
  readonly #chart: PulseChart;
  #scope: Extract<Message, { type: 'scope' }> | undefined;
  #progress: Extract<Message, { type: 'progress' }> | undefined;
  #failure: string | undefined;
  #view: ShownView | undefined;
  #finding: BoardFinding | undefined;
  readonly #facetStops: FacetStops = new Map();
  #choosesColumns = false;
  #columnSearch = '';
  #isStale = false;

  constructor(host: BoardHost, locale: Locale) {
    this.#host = host;
    this.#locale = locale;
    this.#announcer.className = 'announcer';
    this.#announcer.setAttribute('role', 'status');
    this.#grid = new JobGrid({
      changed: () => this.#drawSoon(),
      wants: ({ from, to }) => this.#withRevision((revision) => this.#send({ type: 'slice', revision, from, to })),
      open: (place) => this.#act('open', place),
      arrange: (columns, order) => this.#send({ type: 'layout', columns, order, ...this.#grid.viewport }),
    });
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
      case 'finding':
        this.#finding = message.finding;
        if (this.#progress?.phase === 'confirming') this.#progress = undefined;
        break;
      case 'copied':
        this.#announce(t('Copied'));
        return;
    }
    this.#draw();
  }

  #takeView(view: ShownView): void {
    const isFresh = this.#view?.atMs !== view.atMs;
    this.#view = view;
    this.#progress = undefined;
    this.#failure = undefined;
    this.#grid.take(view);
    this.#chart.take(view.pulse, view.range, mayBeMore(view.basis));
    if (isFresh || view.slice.from === 0) this.#announce(t('{0} jobs', formatNumber(view.rows, this.#locale)));
  }

  readonly #send = (message: BoardToHost): void => this.#host.send(message);

  #withRevision(body: (revision: number) => void): void {
    if (this.#view !== undefined) body(this.#view.revision);
  }

  #narrow(conditions: readonly FacetCondition[], range: TimeRange | undefined): void {
    this.#send({ type: 'narrow', conditions, range, from: 0, to: 60 });
  }

  #act(what: BoardAct, place?: number): void {
    const selected = place === undefined ? this.#grid.selection.ranges : [{ from: place, to: place + 1 }];
    this.#withRevision((revision) => this.#send({ type: 'act', what, revision, selected }));
  }

  #announce(sentence: string): void {
    this.#announcer.textContent = sentence;
  }

  /** Once a frame, however often something changes, and not at all where it has been drawn for another reason by then. */
  #drawSoon(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    requestAnimationFrame(() => {
      if (this.#isStale) this.#draw();
    });
  }

  #draw(): void {
    this.#isStale = false;
    render(this.#render(), this.#main);
    this.#grid.attach(this.#main);
    this.#chart.attach(this.#main);
  }

  #render(): TemplateResult {
    const view = this.#view;
    return html`${this.#scope === undefined ? nothing : renderScope(this.#scope, this.#send)}${this.#renderStatus()}${
      view === undefined ? nothing : this.#renderView(view)
    }`;
  }

  #renderStatus(): TemplateResult {
    if (this.#failure !== undefined) {
      return html`<div class="basis">
        <span class="status tone-error">${renderIcon('error')}<bdi>${this.#failure}</bdi></span>
        ${this.#view === undefined ? nothing : renderEarlier(this.#view, this.#locale)}
        ${renderButton({ label: t('Try Again') }, () => {
          this.#failure = undefined;
          this.#send({ type: 'read', exactly: false });
        })}
      </div>`;
    }
    if (this.#progress !== undefined) {
      const earlier = this.#view === undefined ? nothing : renderEarlier(this.#view, this.#locale);
      return renderProgress(this.#progress, earlier, this.#send, this.#locale);
    }
    if (this.#view !== undefined) return renderBasis(this.#view, this.#send, this.#locale);
    return html`<div class="basis"><span class="dim">${t('Asking the service…')}</span></div>`;
  }

  #renderView(view: ShownView): TemplateResult {
    const lift = (conditions: readonly FacetCondition[], range: TimeRange | undefined): void =>
      this.#narrow(conditions, range);
    const pick = (condition: FacetCondition): void =>
      this.#narrow(withCondition(view.conditions, condition), view.range);
    const close = (): void => {
      this.#finding = undefined;
      this.#send({ type: 'closeFinding' });
      this.#draw();
    };
    if (view.read === 0) {
      if (view.windows.length > 0) return renderWindows(view, this.#locale);
      if (view.basis.type !== 'complete') return html``;
      return html`<p class="nothing">${t('No jobs in this time range.')}</p>`;
    }
    return html`${renderFigures(view, this.#locale)}${this.#chart.render()}
      ${renderConditions(view, lift, this.#send, this.#locale)}
      ${this.#finding === undefined ? nothing : renderFinding(this.#finding, pick, close, this.#send, this.#locale)}
      <div class="board-body">
        ${renderFacets(view.facets, (pressed) => this.#narrow(toggleCondition(view.conditions, pressed), view.range), this.#locale, mayBeMore(view.basis), this.#facetStops)}
        <section class="board-table" aria-label=${t('Jobs')}>
          ${this.#renderActions(view)} ${this.#choosesColumns ? this.#renderColumns(view) : nothing}
          ${view.rows === 0 ? html`<p class="nothing">${t('No jobs meet these conditions.')}</p>` : this.#grid.render()}
        </section>
      </div>`;
  }

  #renderActions(view: ShownView): TemplateResult {
    const { selection } = this.#grid;
    const count = formatNumber(selection.count, this.#locale);
    const choose = (): void => {
      this.#choosesColumns = !this.#choosesColumns;
      this.#draw();
    };
    const of = selection.count > 0 ? 'selection' : view.range === undefined ? 'failures' : 'range';
    const explain = (): void =>
      this.#withRevision((revision) => this.#send({ type: 'explain', of, revision, selected: selection.ranges }));
    return html`<div class="table-head" role="toolbar" aria-label=${t('Selected jobs')}>
      <span class="count"
        >${
          selection.count === 0
            ? t('{0} rows', formatNumber(view.rows, this.#locale))
            : t('{0} of {1} selected', count, formatNumber(view.rows, this.#locale))
        }</span
      >
      ${
        selection.count === 0
          ? nothing
          : actsFor(selection.count).map(([what, label]) => renderButton({ label }, () => this.#act(what)))
      }
      <span class="spring"></span>
      ${renderButton({ icon: 'search', label: t('What Changed?') }, explain)}
      <button type="button" class="word-button" aria-expanded=${String(this.#choosesColumns)} @click=${choose}>
        ${t('Columns…')}
      </button>
    </div>`;
  }

  #renderColumns(view: ShownView): TemplateResult {
    const wanted = this.#columnSearch.toLowerCase();
    const chosen = new Set(view.columns.map(({ key }) => key));
    const shown = [...chosen, ...view.keys.filter((key) => !chosen.has(key))].filter((key) =>
      `${key} ${describeField(key)}`.toLowerCase().includes(wanted),
    );
    const toggle = (key: string): void => {
      const columns = chosen.has(key)
        ? view.columns.filter((each) => each.key !== key)
        : [...view.columns, { key, width: 140 }];
      if (columns.length > 0) this.#send({ type: 'layout', columns, order: view.order, ...this.#grid.viewport });
    };
    const search = ({ target }: InputEvent): void => {
      this.#columnSearch = target instanceof HTMLInputElement ? target.value : '';
      this.#draw();
    };
    return html`<fieldset class="columns">
      <legend>${t('Columns')}</legend>
      <input type="search" aria-label=${t('Find a column')} placeholder=${t('Find a column')} @input=${search} />
      <div class="column-list">
        ${shown.map(
          (key) =>
            html`<label title=${key}
              ><input type="checkbox" .checked=${chosen.has(key)} @change=${() => toggle(key)} /><bdi
                >${describeField(key)}</bdi
              ></label
            >`,
        )}
      </div>
    </fieldset>`;
  }
}

function actsFor(count: number): readonly (readonly [BoardAct, string])[] {
  return [
    ...(count === 1 ? [['open', t('Open')] as const] : []),
    ...(count > 1 ? [['compare', t('Compare')] as const] : []),
    ['watch', t('Watch')],
    ['saveTranscript', t('Save Transcript')],
    ['export', t('Export')],
    ['resubmit', t('Resubmit')],
    ['markHandled', t('Mark as Handled')],
    ['copyIds', t('Copy IDs')],
    ['copyJson', t('Copy JSON')],
  ];
}
