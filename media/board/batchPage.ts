import { t } from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { batchColumnWidths, nameBatchColumn } from '../../src/features/submit/common/batchColumns.ts';
import {
  batchRowActionsOf,
  type BatchRowAction,
  type BatchAction,
  type BatchToHost,
  type HostToBatch,
  type ShownBatch,
} from '../../src/features/submit/common/batchProtocol.ts';
import { renderButton, type ButtonFace } from '../page/renderButton.ts';
import { renderIcon } from '../page/renderIcon.ts';
import { FrameRequest } from './frameRequest.ts';
import { ActionsMenu, type MenuAction } from './actionsMenu.ts';
import { ColumnChooser } from './columnChooser.ts';
import { JobGrid, type GridEvents } from './jobGrid.ts';
import { keepFocus } from './keepFocus.ts';
import { TabStops } from './tabStops.ts';

/** The page of a batch. Keeps one state, which messages change, and renders it as a whole after each change. */
export class BatchPage {
  readonly #send: (message: BatchToHost) => void;
  readonly #locale: Locale;
  readonly #main = document.body.appendChild(document.createElement('main'));
  readonly #announcer = document.body.appendChild(document.createElement('div'));
  readonly #menu = new ActionsMenu(this.#main);
  readonly #tabStops = new TabStops(this.#main);
  readonly #grid: JobGrid;
  readonly #chooser: ColumnChooser;
  #view: ShownBatch | undefined;
  readonly #frame = new FrameRequest(() => this.#draw());

  constructor(send: (message: BatchToHost) => void, locale: Locale) {
    this.#send = send;
    this.#locale = locale;
    this.#announcer.className = 'announcer';
    this.#announcer.setAttribute('role', 'status');
    const events: GridEvents = {
      changed: () => this.#frame.drawSoon(),
      wants: ({ from, to }) => send({ type: 'slice', revision: this.#revision, from, to }),
      keepState: (gridState) => send({ type: 'gridState', revision: this.#revision, ...gridState }),
      open: (place) => this.#act('open', [{ from: place, to: place + 1 }]),
      menu: (x, y) => this.#menu.open(this.#actions(), x, y),
      arrange: (columns, order) => send({ type: 'layout', columns, order, ...this.#grid.viewport }),
    };
    const columns = { nameOf: nameBatchColumn, widthsOf: batchColumnWidths };
    this.#grid = new JobGrid(events, columns);
    this.#chooser = new ColumnChooser({ ...events, changed: () => this.#draw() }, columns);
  }

  get #revision(): number {
    return this.#view?.revision ?? 0;
  }

  receive(message: Exclude<HostToBatch, { type: 'hello' }>): void {
    switch (message.type) {
      case 'view':
        this.#takeView(message);
        break;
      case 'rows':
        if (message.revision === this.#revision) this.#grid.fill(message.slice);
        break;
      case 'gridState':
        if (message.revision === this.#revision) this.#grid.restore(message);
        break;
    }
    this.#draw();
  }

  #takeView(view: ShownBatch): void {
    const before = this.#view;
    this.#view = view;
    if (before?.revision === view.revision) this.#grid.refresh(view);
    else this.#grid.take(view);
    const spoken = view.notice?.text ?? view.counts;
    if (spoken !== (before?.notice?.text ?? before?.counts)) this.#announcer.textContent = spoken;
    document.title = t('Batch: {0}', view.title);
  }

  #act(what: BatchRowAction, selected = this.#grid.selection.ranges): void {
    this.#send({ type: 'act', what, revision: this.#revision, selected });
  }

  /** Returns the actions on the selected rows. */
  #actions(): readonly MenuAction[] {
    const { selection, selectedTones } = this.#grid;
    return batchRowActionsOf(selection.count, selectedTones).map((what) => ({
      label: actionText(what),
      run: () => this.#act(what),
    }));
  }

  #draw(): void {
    this.#frame.drawn();
    const view = this.#view;
    if (view === undefined) return;
    this.#main.ariaBusy = String(view.notice?.isFailure === false);
    keepFocus(this.#main, () => render(this.#render(view), this.#main));
    this.#tabStops.refresh();
    this.#grid.attach(this.#main);
  }

  #render(view: ShownBatch): TemplateResult {
    return html`<div class="board-top">
        <div class="board-head">
          <h1><bdi>${view.title}</bdi></h1>
          <span class="dim"><bdi>${view.origin}</bdi></span>
        </div>
        <div class="batch-counts">${view.counts}</div>
        ${view.files === undefined ? nothing : html`<div><bdi>${view.files}</bdi></div>`}
        ${view.notice === undefined ? nothing : renderNotice(view.notice)}
        <div class="basis">
          ${this.#buttons(view).map(([face, what]) => renderButton(face, () => this.#send({ type: 'run', what })))}
        </div>
      </div>
      <section class="board-table" aria-label=${t('Requests')}>
        ${
          view.rows === 0
            ? nothing
            : html`<div class="table-head">
                  ${this.#menu.renderToolbar(t('Selected rows'), { selected: this.#grid.selection.count, rows: view.rows }, this.#actions(), this.#locale)}${this.#chooser.renderButton(view)}
                </div>
                ${this.#chooser.render(view)}${this.#grid.render()}`
        }
      </section>`;
  }

  #buttons({
    done,
    failed,
    left,
    open,
    hasFiles,
    notice,
  }: ShownBatch): readonly (readonly [ButtonFace, BatchAction])[] {
    const number = (value: number): string => formatNumber(value, this.#locale);
    const buttons: (readonly [ButtonFace, BatchAction])[] = [];
    if (done > 0) buttons.push([{ icon: 'save', label: t('Save All…') }, 'saveAll']);
    if (hasFiles) buttons.push([{ icon: 'file', label: t('Show Saved Files') }, 'showFiles']);
    if (failed > 0) buttons.push([{ icon: 'repeat', label: t('Resubmit Failed…') }, 'resubmitFailed']);
    if (left > 0) buttons.push([{ label: t('Submit the Remaining {0}', number(left)) }, 'submitRest']);
    if (open > 0 || notice?.isFailure === true) buttons.push([{ icon: 'again', label: t('Refresh') }, 'refresh']);
    return buttons;
  }
}

function renderNotice({ text, isFailure }: NonNullable<ShownBatch['notice']>): TemplateResult {
  return isFailure
    ? html`<div class="status tone-error">${renderIcon('error')}<bdi>${text}</bdi></div>`
    : html`<div class="dim">${text}</div>`;
}

function actionText(what: BatchRowAction): string {
  switch (what) {
    case 'open':
      return t('Open');
    case 'saveTranscript':
      return t('Save Transcript…');
    case 'resubmit':
      return t('Resubmit…');
    case 'findJob':
      return t('Find Job');
    case 'openRequest':
      return t('Open Request');
    case 'copy':
      return t('Copy');
  }
}
