import { t } from '@vscode/l10n';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { GridView } from '../../src/features/board/common/boardProtocol.ts';
import type { GridColumns, GridEvents } from './jobGrid.ts';

type ShownColumns = Pick<GridView, 'columns' | 'keys' | 'order'>;

/** List of columns to show, and the button that opens it. Tab reaches one of the columns, arrow keys reach the others. */
export class ColumnChooser {
  readonly #events: Pick<GridEvents, 'changed' | 'arrange'>;
  readonly #described: GridColumns;
  #isOpen = false;
  #search = '';
  /** Order of the columns when the list was opened: a column that is selected stays in its place. */
  #order: readonly string[] = [];
  /** Column that Tab reaches. */
  #stop: string | undefined;

  /** @param events whose `changed` renders at once */
  constructor(events: Pick<GridEvents, 'changed' | 'arrange'>, described: GridColumns) {
    this.#events = events;
    this.#described = described;
  }

  renderButton({ columns, keys }: ShownColumns): TemplateResult {
    const open = ({ currentTarget }: Event): void => {
      this.#isOpen = !this.#isOpen;
      this.#search = '';
      this.#order = [...new Set([...columns.map(({ key }) => key), ...keys])];
      this.#events.changed();
      const table = currentTarget instanceof HTMLElement ? currentTarget.closest('.board-table') : null;
      table?.querySelector<HTMLElement>('.columns input')?.focus();
    };
    return html`<button
      type="button"
      class="word-button columns-button"
      aria-expanded=${String(this.#isOpen)}
      @click=${open}
      @keydown=${(event: KeyboardEvent) => this.#press(event)}
    >
      ${t('Columns…')}
    </button>`;
  }

  render({ columns, keys, order }: ShownColumns): TemplateResult | typeof nothing {
    if (!this.#isOpen) return nothing;
    const wanted = this.#search.toLowerCase();
    const chosen = new Set(columns.map(({ key }) => key));
    const shown = [...new Set([...this.#order, ...chosen, ...keys])].filter((key) =>
      `${key} ${this.#described.nameOf(key)}`.toLowerCase().includes(wanted),
    );
    const stop = shown.find((key) => key === this.#stop) ?? shown[0];
    const search = ({ target }: InputEvent): void => {
      this.#search = target instanceof HTMLInputElement ? target.value : '';
      this.#events.changed();
    };
    const toggle = (key: string): void => {
      const next = chosen.has(key)
        ? columns.filter((each) => each.key !== key)
        : [...columns, { key, width: this.#described.widthsOf(key).usual }];
      if (next.length > 0) this.#events.arrange(next, order);
      // The last column stays selected. A new selection is rendered when the host has confirmed it.
      else this.#events.changed();
    };
    const stopAt = (key: string): void => {
      this.#stop = key;
      this.#events.changed();
    };
    return html`<fieldset class="columns" @keydown=${(event: KeyboardEvent) => this.#press(event)}>
      <legend>${t('Columns')}</legend>
      <input
        type="search"
        aria-label=${t('Find a column')}
        placeholder=${t('Find a column')}
        .value=${live(this.#search)}
        @input=${search}
      />
      <div class="column-list" @keydown=${moveWithin}>
        ${repeat(
          shown,
          (key) => key,
          (key) =>
            html`<label title=${key}
              ><input
                type="checkbox"
                tabindex=${key === stop ? '0' : '-1'}
                .checked=${live(chosen.has(key))}
                @change=${() => toggle(key)}
                @focus=${() => stopAt(key)}
              /><bdi>${this.#described.nameOf(key)}</bdi></label
            >`,
        )}
      </div>
    </fieldset>`;
  }

  #press(event: KeyboardEvent): void {
    if (!this.#isOpen || event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    const { currentTarget } = event;
    const table = currentTarget instanceof HTMLElement ? currentTarget.closest('.board-table') : null;
    this.#isOpen = false;
    this.#events.changed();
    table?.querySelector<HTMLElement>('.columns-button')?.focus();
  }
}

/** Moves the focus between columns: arrow keys follow the layout, Home and End go to the first and the last one. */
function moveWithin(event: KeyboardEvent): void {
  const { currentTarget, target } = event;
  if (!(currentTarget instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return;
  const boxes = [...currentTarget.querySelectorAll<HTMLElement>('input')];
  const place = boxes.findIndex((each) => each === target);
  const top = boxes[0]?.offsetTop;
  const beside = boxes.filter(({ offsetTop }) => offsetTop === top).length;
  const to = {
    ArrowRight: place + 1,
    ArrowLeft: place - 1,
    ArrowDown: place + beside,
    ArrowUp: place - beside,
    Home: 0,
    End: boxes.length - 1,
  }[event.key];
  if (to === undefined || place < 0) return;
  event.preventDefault();
  boxes[to]?.focus();
}
