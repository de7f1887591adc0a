import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';
import { t } from '@vscode/l10n';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type {
  BoardRow,
  GridState,
  ChosenColumn,
  GridView,
  PlaceRange,
} from '../../src/features/board/common/boardProtocol.ts';
import { PlaceSelection } from '../../src/features/board/common/placeSelection.ts';
import { renderIcon, type IconName } from '../page/renderIcon.ts';
import { applyStyle } from './applyStyle.ts';
import { followDrag } from './followDrag.ts';
import { boardColumn, fitWidths, type ColumnWidths } from '../../src/features/board/common/boardColumns.ts';

/** Requests of the grid to the page. */
export interface GridEvents {
  /** Renders again soon. */
  changed(): void;
  /** Requests rows that have not arrived yet. */
  wants(range: PlaceRange): void;
  /** Called after rows were selected or scrolled. */
  keepState(gridState: Omit<GridState, 'revision'>): void;
  open(place: number): void;
  /** Opens the menu of actions on the selected rows at a point of the page. */
  menu(x: number, y: number): void;
  arrange(columns: readonly ChosenColumn[], order: GridView['order']): void;
}

/** Names and widths of the columns that a page shows. */
export interface GridColumns {
  readonly nameOf: (key: string) => string;
  readonly widthsOf: (key: string) => ColumnWidths;
}

const rowHeight = 24;
const headerHeight = 28;
/** Number of rows per request. */
const sliceRows = 120;
const narrowest = 48;
const widest = 1200;
const resizeStep = 16;
/** Room around the title of a column without values. */
const emptySpace = 16;

/** Table of jobs. Only visible rows exist in the DOM, for any number of jobs. The header is row -1. */
export class JobGrid {
  readonly #events: GridEvents;
  readonly #described: GridColumns;
  readonly #rows = new Map<number, BoardRow>();
  readonly #requested = new Set<number>();
  #view: GridView | undefined;
  #selection = new PlaceSelection();
  /** Row where the range begins that Shift extends. */
  #anchor = 0;
  #active = { row: 0, column: 0 };
  #scroller: HTMLElement | undefined;
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  #columns: readonly ChosenColumn[] = [];
  /** Selection and active cell that the host has. */
  #stored: readonly [selection: PlaceSelection, active: object] = [this.#selection, this.#active];

  constructor(events: GridEvents, columns: GridColumns) {
    this.#events = events;
    this.#virtualizer = new Virtualizer<HTMLElement, HTMLElement>(this.#options());
    this.#described = columns;
  }

  get selection(): PlaceSelection {
    return this.#selection;
  }

  /** Tones of the selected rows; undefined if some of these rows have not arrived yet. */
  get selectedTones(): ReadonlySet<string> | undefined {
    if (this.#selection.count > this.#rows.size) return undefined;
    const tones = [...this.#rows].filter(([place]) => this.#selection.has(place)).map(([, { tone }]) => tone);
    return tones.length < this.#selection.count ? undefined : new Set(tones);
  }

  /** Visible places, which the next view should include. */
  get viewport(): PlaceRange {
    const items = this.#virtualizer.getVirtualItems();
    const from = items[0]?.index ?? 0;
    return { from, to: Math.max(from + 60, (items.at(-1)?.index ?? 0) + 1) };
  }

  /** Shows other rows, or the same in another order. Clears the selection. */
  take(view: GridView): void {
    this.#view = view;
    this.#columns = view.columns;
    this.#rows.clear();
    this.#requested.clear();
    this.#selection = new PlaceSelection();
    this.#anchor = 0;
    this.#active = {
      row: Math.min(this.#active.row, Math.max(0, view.rows - 1)),
      column: Math.min(this.#active.column, view.columns.length - 1),
    };
    this.#stored = [this.#selection, this.#active];
    this.fill(view.slice);
    this.#virtualizer.setOptions(this.#options());
    this.#virtualizer.measure();
  }

  /** Shows the same rows in the same order, with other columns or texts. Keeps the selection. */
  refresh(view: GridView): void {
    this.#view = view;
    this.#columns = view.columns;
    const column = view.columns.length - 1;
    if (this.#active.column > column) this.#active = { ...this.#active, column };
    this.#rows.clear();
    this.#requested.clear();
    this.fill(view.slice);
  }

  /** Shows the rows as they were before the page was hidden. */
  restore({ selected, row, column, top }: GridState): void {
    this.#selection = new PlaceSelection(selected);
    this.#anchor = Math.max(0, row);
    this.#active = { row, column };
    this.#stored = [this.#selection, this.#active];
    if (this.#scroller !== undefined) this.#scroller.scrollTop = top;
  }

  #store(): void {
    const { ranges } = this.#selection;
    this.#stored = [this.#selection, this.#active];
    this.#events.keepState({ selected: ranges, ...this.#active, top: this.#scroller?.scrollTop ?? 0 });
  }

  fill({ from, rows }: GridView['slice']): void {
    for (const [index, row] of rows.entries()) this.#rows.set(from + index, row);
  }

  /** Attaches the grid to its scrolling element. Call it after each rendering. */
  attach(root: ParentNode): void {
    const [selection, active] = this.#stored;
    if (selection !== this.#selection || active !== this.#active) this.#store();
    this.#scroller = root.querySelector<HTMLElement>('.grid') ?? undefined;
    this.#virtualizer._willUpdate();
  }

  render(): TemplateResult {
    const view = this.#view;
    if (view === undefined) return html``;
    const { row, column } = this.#active;
    const items = this.#virtualizer.getVirtualItems();
    this.#askForMissing(items);
    const fitted = this.#columns.map((each) => this.#fitColumn(each, view));
    const tracks = { 'grid-template-columns': fitted.map(({ track }) => track).join(' ') };
    const sizes = { 'min-inline-size': `${fitted.reduce((sum, { minWidth }) => sum + minWidth, 0)}px` };
    const height = { 'block-size': `${view.rows * rowHeight}px` };
    return html`<div
      class="grid"
      role="grid"
      tabindex="0"
      aria-label=${t('Jobs')}
      aria-rowcount=${view.rows + 1}
      aria-colcount=${this.#columns.length}
      aria-multiselectable="true"
      aria-activedescendant=${cellId(row, column)}
      @keydown=${(event: KeyboardEvent) => this.#press(event)}
      @scrollend=${() => this.#store()}
      @contextmenu=${(event: MouseEvent) => this.#openMenu(event)}
    >
      <div role="rowgroup" class="grid-head" ${applyStyle(sizes)}>
        <div role="row" aria-rowindex="1" class="grid-row" ${applyStyle(tracks)}>
          ${this.#columns.map((each, index) => this.#renderHeader(each, index, view))}
        </div>
      </div>
      <div role="rowgroup" class="grid-body" ${applyStyle({ ...sizes, ...height })}>
        ${repeat(
          items,
          ({ index }) => index,
          (item) => this.#renderRow(item, tracks),
        )}
      </div>
    </div>`;
  }

  #renderHeader({ key }: ChosenColumn, index: number, { order }: GridView): TemplateResult {
    const isSorted = order.key === key;
    const kind = this.#isNumeric(key) ? ' number' : '';
    const sort = isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none';
    const isActive = this.#active.row === -1 && this.#active.column === index;
    return html`<div
      role="columnheader"
      id=${cellId(-1, index)}
      aria-colindex=${index + 1}
      aria-sort=${sort}
      title=${key}
      class="grid-header${kind} ${isActive ? 'active' : ''}"
      @click=${() => this.#sortBy(index)}
    >
      <span class="grid-name">${this.#described.nameOf(key)}</span>${
        isSorted
          ? html`<span class="grid-sort ${sort}">${renderIcon(order.isDescending ? 'next' : 'previous')}</span>`
          : nothing
      }<span
        class="grid-edge"
        @click=${(event: Event) => event.stopPropagation()}
        @dblclick=${() => this.#setWidth(index, this.#described.widthsOf(key).usual)}
        @pointerdown=${(event: PointerEvent) => this.#drag(event, index)}
      ></span>
    </div>`;
  }

  #renderRow({ index, start }: VirtualItem, tracks: Readonly<Record<string, string>>): TemplateResult {
    const row = this.#rows.get(index);
    const isSelected = this.#selection.has(index);
    const position = { ...tracks, 'inset-block-start': `${start - headerHeight}px` };
    return html`<div
      role="row"
      aria-rowindex=${index + 2}
      aria-selected=${String(isSelected)}
      class="grid-row ${isSelected ? 'selected' : ''} ${this.#active.row === index ? 'current' : ''}"
      ${applyStyle(position)}
      @click=${(event: MouseEvent) => this.#click(event, index)}
      @dblclick=${() => this.#events.open(index)}
    >
      ${this.#columns.map((each, column) => this.#renderCell(each, row, index, column))}
    </div>`;
  }

  #renderCell({ key }: ChosenColumn, row: BoardRow | undefined, index: number, column: number): TemplateResult {
    const text = row?.cells[column];
    const isActive = this.#active.row === index && this.#active.column === column;
    const kind = this.#isNumeric(key) ? ' number' : '';
    // The label is the row's name for screen readers.
    return html`<div
      role=${key === 'label' ? 'rowheader' : 'gridcell'}
      id=${cellId(index, column)}
      aria-colindex=${column + 1}
      class="grid-cell${kind} ${isActive ? 'active' : ''} ${key === 'status' ? `status tone-${row?.tone ?? ''}` : ''}"
    >
      ${key === 'status' && row !== undefined ? renderIcon(toneIcon(row.tone)) : nothing}${
        row === undefined || text !== undefined
          ? html`<bdi title=${text ?? nothing}>${text ?? '…'}</bdi>`
          : html`<span class="missing" aria-label=${t('none')}>–</span>`
      }
    </div>`;
  }

  #isNumeric(key: string): boolean {
    return this.#view?.numeric.includes(key) === true;
  }

  #options() {
    return {
      count: this.#view?.rows ?? 0,
      getScrollElement: () => this.#scroller ?? null,
      estimateSize: () => rowHeight,
      overscan: 4,
      // The header is inside the scrolled content and stays on top of the rows.
      scrollMargin: headerHeight,
      scrollPaddingStart: headerHeight,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.#events.changed(),
    };
  }

  #askForMissing(items: readonly VirtualItem[]): void {
    const missing = items.find(({ index }) => !this.#rows.has(index));
    if (missing === undefined) return;
    const from = Math.max(0, missing.index - (missing.index % sliceRows));
    for (const start of [from, from + sliceRows]) {
      const isNeeded = items.some(({ index }) => index >= start && index < start + sliceRows && !this.#rows.has(index));
      if (!isNeeded || this.#requested.has(start)) continue;
      this.#requested.add(start);
      this.#events.wants({ from: start, to: start + sliceRows });
    }
  }

  #click({ shiftKey, ctrlKey, metaKey, target }: MouseEvent, row: number): void {
    const cell = target instanceof Element ? target.closest('[aria-colindex]') : null;
    const column = Number(cell?.getAttribute('aria-colindex') ?? 1) - 1;
    if (shiftKey) this.#selection = new PlaceSelection().with(between(this.#anchor, row));
    else {
      this.#toggle(row, ctrlKey || metaKey);
      this.#anchor = row;
    }
    this.#active = { row, column };
    this.#scroller?.focus({ preventScroll: true });
    this.#events.changed();
  }

  #toggle(row: number, isAdding: boolean): void {
    if (!isAdding) this.#selection = new PlaceSelection().with({ from: row, to: row + 1 });
    else if (this.#selection.has(row)) this.#selection = this.#selection.without(row);
    else this.#selection = this.#selection.with({ from: row, to: row + 1 });
  }

  #press(event: KeyboardEvent): void {
    const { row, column } = this.#active;
    const last = (this.#view?.rows ?? 0) - 1;
    const lastColumn = this.#columns.length - 1;
    const isCommand = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(((this.#scroller?.clientHeight ?? 0) - rowHeight) / rowHeight) - 1);
    const isHeader = row === -1;
    switch (event.key) {
      case 'ArrowDown':
        this.#move(event, Math.min(last, row + 1), column);
        break;
      case 'ArrowUp':
        this.#move(event, Math.max(-1, row - 1), column);
        break;
      case 'ArrowRight':
        if (isHeader && event.altKey) this.#setWidth(column, this.#shownWidth(column) + resizeStep);
        else this.#move(event, row, Math.min(lastColumn, column + 1));
        break;
      case 'ArrowLeft':
        if (isHeader && event.altKey) this.#setWidth(column, this.#shownWidth(column) - resizeStep);
        else this.#move(event, row, Math.max(0, column - 1));
        break;
      case 'Home':
        this.#move(event, isCommand ? 0 : row, 0);
        break;
      case 'End':
        this.#move(event, isCommand ? last : row, lastColumn);
        break;
      case 'PageDown':
        this.#move(event, Math.min(last, row + page), column);
        break;
      case 'PageUp':
        this.#move(event, Math.max(0, row - page), column);
        break;
      case ' ':
        if (!isHeader) this.#toggle(row, true);
        this.#anchor = Math.max(0, row);
        break;
      case 'a':
      // With Caps Lock.
      case 'A':
        if (!isCommand || event.shiftKey) return;
        this.#selection = new PlaceSelection().with({ from: 0, to: last + 1 });
        break;
      case 'Escape':
        this.#selection = new PlaceSelection();
        break;
      case 'Enter':
        if (isHeader) this.#sortBy(column);
        else this.#events.open(row);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#events.changed();
  }

  #move(event: KeyboardEvent, row: number, column: number): void {
    this.#active = { row, column };
    if (row < 0) return;
    if (event.shiftKey) this.#selection = new PlaceSelection().with(between(this.#anchor, row));
    else this.#anchor = row;
    this.#virtualizer.scrollToIndex(row, { align: 'auto' });
  }

  #sortBy(index: number): void {
    const key = this.#columns[index]?.key;
    const order = this.#view?.order;
    if (key === undefined || order === undefined) return;
    const isDescending = order.key === key ? !order.isDescending : boardColumn(key)?.numberOf !== undefined;
    this.#active = { row: -1, column: index };
    this.#events.arrange(this.#columns, { key, isDescending });
  }

  #setWidth(index: number, to: number): void {
    this.#columns = resized(this.#columns, index, to);
    if (this.#view !== undefined) this.#events.arrange(this.#columns, this.#view.order);
  }

  /** Returns the CSS track of a column, and its share of the minimum width of the table. Only resized columns have a fixed width. */
  #fitColumn({ key, width }: ChosenColumn, { empty }: GridView): { readonly track: string; readonly minWidth: number } {
    const { usual, min } = this.#described.widthsOf(key);
    if (width !== usual) return { track: `${width}px`, minWidth: width };
    if (!empty.includes(key)) return { track: `minmax(${min}px, ${usual}fr)`, minWidth: min };
    const ofTitle = Math.min(min, emptySpace + fitWidths({ usual, min: 0 }, this.#described.nameOf(key)).min);
    return { track: `${ofTitle}px`, minWidth: ofTitle };
  }

  #shownWidth(index: number): number {
    const cell = document.querySelector(`#${cellId(-1, index)}`);
    return Math.round(cell?.getBoundingClientRect().width ?? 0);
  }

  #drag(event: PointerEvent, index: number): void {
    event.preventDefault();
    const before = this.#columns;
    const width = this.#shownWidth(index);
    // The columns before it stay, so that its edge follows the mouse.
    const fixed = before.map((each, place) => (place < index ? { ...each, width: this.#shownWidth(place) } : each));
    const setTo = (columns: readonly ChosenColumn[]): void => {
      this.#columns = columns;
      this.#events.changed();
    };
    followDrag(event, {
      moved: (fromX, toX) => setTo(resized(fixed, index, width + toX - fromX)),
      ended: () => {
        if (this.#view !== undefined) this.#events.arrange(this.#columns, this.#view.order);
      },
      dropped: () => setTo(before),
    });
  }

  /**
   * Opens the menu of the selected rows. First selects the row under the mouse, unless it is selected; with the keyboard, the active row,
   * unless any row is selected.
   */
  #openMenu(event: MouseEvent): void {
    event.preventDefault();
    const { target, clientX, clientY } = event;
    const under = target instanceof Element ? target.closest('.grid-body .grid-row') : null;
    const row = under === null ? this.#active.row : Number(under.getAttribute('aria-rowindex')) - 2;
    const keeps = under === null ? this.#selection.count > 0 : this.#selection.has(row);
    if (!keeps && row >= 0) {
      this.#selection = new PlaceSelection().with({ from: row, to: row + 1 });
      this.#anchor = row;
      this.#active = { ...this.#active, row };
      this.#events.changed();
    }
    if (this.#selection.count === 0) return;
    const cell = this.#scroller?.querySelector('.grid-cell.active')?.getBoundingClientRect();
    if (under === null && cell !== undefined) this.#events.menu(cell.left, cell.bottom);
    else this.#events.menu(clientX, clientY);
  }
}

/** Returns the columns with one of them resized. */
function resized(columns: readonly ChosenColumn[], index: number, to: number): readonly ChosenColumn[] {
  const width = Math.round(Math.min(widest, Math.max(narrowest, to)));
  return columns.map((each, place) => (place === index ? { ...each, width } : each));
}

function cellId(row: number, column: number): string {
  return `cell-${row}-${column}`;
}

function between(one: number, other: number): PlaceRange {
  return { from: Math.min(one, other), to: Math.max(one, other) + 1 };
}

function toneIcon(tone: string): IconName {
  if (tone === 'resubmitted') return 'repeat';
  if (tone === 'partly' || tone === 'rejected') return 'error';
  return tone === 'queued' || tone === 'processing' || tone === 'done' || tone === 'error' ? tone : 'unknown';
}
