/** Number on the view's icon, with its meaning. The editor's `ViewBadge` has this shape. */
export interface NumberBadge {
  readonly value: number;
  readonly tooltip: string;
}

/** Sources of the view's single badge. */
export type BadgePart = 'attention' | 'watched' | 'view';

/** Badge of the view: the sum of its parts, with their tooltips on separate lines. */
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
