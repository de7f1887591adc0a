const groups = '[role=toolbar], .facets';

/** Makes each toolbar and the values of all facets one tab stop: Tab reaches the button that had the focus last, arrow keys the others. */
export class TabStops {
  readonly #root: HTMLElement;
  /** Button of each group that Tab reaches. */
  readonly #stops = new WeakMap<Element, HTMLElement>();

  constructor(root: HTMLElement) {
    this.#root = root;
    root.addEventListener('focusin', (event) => this.#stopAt(event));
    root.addEventListener('keydown', moveWithin);
  }

  /** Includes the buttons of the last rendering. */
  refresh(): void {
    for (const group of this.#root.querySelectorAll(groups)) {
      const stop = this.#stops.get(group);
      const buttons = buttonsOf(group);
      const shown = stop?.isConnected === true ? stop : buttons[0];
      for (const each of buttons) each.tabIndex = each === shown ? 0 : -1;
    }
  }

  #stopAt({ target }: FocusEvent): void {
    const group = groupOf(target);
    if (group === null) return;
    const button = buttonsOf(group).find((each) => each === target);
    if (button === undefined) return;
    this.#stops.set(group, button);
    this.refresh();
  }
}

/** Moves the focus to the next or previous button of its group, to the first or last one or, among facets, to the next or previous facet. */
function moveWithin(event: KeyboardEvent): void {
  const { target, altKey, ctrlKey, metaKey, shiftKey } = event;
  const group = groupOf(target);
  if (!(target instanceof Element) || group === null || altKey || ctrlKey || metaKey || shiftKey) return;
  const buttons = buttonsOf(group);
  // The value stands for its other button, which excludes it.
  const focused = target.closest('.facet-value')?.querySelector('button') ?? target;
  const place = buttons.findIndex((each) => each === focused);
  const facets = buttons.filter((each) => each.matches('.facet li:first-child > button'));
  const beside = facets.length > 0 ? facets : buttons;
  const to = {
    ArrowDown: buttons[place + 1],
    ArrowUp: buttons[place - 1],
    ArrowRight: beside.find((each) => buttons.indexOf(each) > place),
    ArrowLeft: beside.findLast((each) => buttons.indexOf(each) < place),
    Home: buttons[0],
    End: buttons.at(-1),
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}

function groupOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest(groups) : null;
}

function buttonsOf(group: Element): readonly HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>('button:not(.facet-exclude)')];
}
