import { t } from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { renderButton } from '../page/renderButton.ts';
import { renderIcon } from '../page/renderIcon.ts';

/** An entry of a menu. */
export interface MenuAction {
  readonly label: string;
  readonly run: () => void;
}

/** In pixels, from the rounded corner to the pointer: releasing the button outside the menu would close it. */
const inset = 2;

/** Menu of actions on the selected rows. Takes the focus and returns it when it closes. */
export class ActionsMenu {
  readonly #element: HTMLElement;

  constructor(root: HTMLElement) {
    this.#element = root.appendChild(document.createElement('div'));
    this.#element.className = 'menu';
    this.#element.setAttribute('role', 'menu');
    // Closes on Escape and on clicks elsewhere.
    this.#element.popover = 'auto';
    this.#element.addEventListener('keydown', (event) => this.#press(event));
  }

  /** Opens the menu at a point of the page, moved so that it fits on the page. */
  open(acts: readonly MenuAction[], x: number, y: number): void {
    const element = this.#element;
    const take = ({ run }: MenuAction): void => {
      element.hidePopover();
      run();
    };
    element.setAttribute('aria-label', t('Selected jobs'));
    render(
      acts.map(
        (each) =>
          html`<button type="button" role="menuitem" tabindex="-1" @click=${() => take(each)}>${each.label}</button>`,
      ),
      element,
    );
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    element.style.setProperty('left', `${Math.max(0, Math.min(x - inset, innerWidth - width))}px`);
    element.style.setProperty('top', `${Math.max(0, Math.min(y - inset, innerHeight - height))}px`);
    element.querySelector('button')?.focus();
  }

  /**
   * Renders the actions on one line, with a button that opens the menu, because not all may fit. The line is as high without a selection: if
   * the rows moved, the second click of a double click would miss them.
   */
  renderToolbar(
    label: string,
    { selected, rows }: { readonly selected: number; readonly rows: number },
    acts: readonly MenuAction[],
    locale: Locale,
  ): TemplateResult {
    const open = ({ currentTarget }: Event): void => {
      if (!(currentTarget instanceof HTMLElement)) return;
      const { left, bottom } = currentTarget.getBoundingClientRect();
      this.open(acts, left, bottom);
    };
    const words =
      selected === 0
        ? html`<span class="dim">${t('Select rows to act on them')}</span>`
        : html`<span class="count"
            >${t('{0} of {1} selected', formatNumber(selected, locale), formatNumber(rows, locale))}</span
          >`;
    return html`<div class="acts" role="toolbar" aria-label=${label}>
      <div class="acts-line">
        ${words}${selected === 0 ? nothing : acts.map((each) => renderButton({ label: each.label }, each.run))}
      </div>
      ${
        selected === 0
          ? nothing
          : html`<button
              type="button"
              class="icon-button"
              title=${t('More Actions…')}
              aria-label=${t('More Actions…')}
              aria-haspopup="menu"
              @click=${open}
            >
              ${renderIcon('more')}
            </button>`
      }
    </div>`;
  }

  #press(event: KeyboardEvent): void {
    const items = [...this.#element.querySelectorAll('button')];
    const place = items.findIndex((each) => each === document.activeElement);
    const last = items.length - 1;
    const to = {
      ArrowDown: place === last ? 0 : place + 1,
      ArrowUp: place <= 0 ? last : place - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Tab') this.#element.hidePopover();
    if (event.key !== 'Tab' && to === undefined) return;
    event.preventDefault();
    items[to ?? -1]?.focus();
  }
}
