/** A number on the view's icon, with what it means. The editor's `ViewBadge` has this shape. */
export interface NumberBadge {
  readonly value: number;
  readonly tooltip: string;
}

/** What the one badge of the view is made of. */
export type BadgePart = 'attention' | 'watched' | 'view';

/** The badge of the view: the sum of its parts, whose tooltips stand below each other. */
export class ViewBadges {
  readonly #parts = new Map<BadgePart, NumberBadge>();
  readonly #show: (badge: NumberBadge | undefined) => void;

  constructor(show: (badge: NumberBadge | undefined) => void) {
    this.#show = show;
  }

  /** Sets or removes a part. */
  set(part: BadgePart, badge: NumberBadge | undefined): void {
    if (badge === undefined) this.#parts.delete(part);
    else this.#parts.set(part, badge);
    const parts = [...this.#parts.values()];
    const value = parts.reduce((sum, each) => sum + each.value, 0);
    this.#show(value === 0 ? undefined : { value, tooltip: parts.map(({ tooltip }) => tooltip).join('\n') });
  }
}
