import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';

/** Number on the view's icon, with its meaning. The editor's `ViewBadge` has this shape. */
export interface NumberBadge {
  readonly value: number;
  readonly tooltip: string;
}

/** Sources of the view's single badge. */
type BadgePart = 'attention' | 'watched' | 'view';

/** The jobs view. The editor's `TreeView` has this shape. */
interface BadgedView {
  readonly visible: boolean;
  badge?: NumberBadge | undefined;
  readonly onDidChangeVisibility: (listener: () => void) => Disposable;
}

/** The jobs view for features that do not render it: if it is visible, and the number on its icon. */
export class ViewPresence {
  readonly #changed = new Emitter<void>();
  readonly #parts = new Map<BadgePart, NumberBadge>();
  #view: BadgedView | undefined;
  /** Fires when the view appears or disappears. */
  readonly onDidChangeVisibility = this.#changed.event;

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** Sets or removes a part of the number, which is the sum of its parts, with their tooltips on separate lines. */
  setBadge(part: BadgePart, badge: NumberBadge | undefined): void {
    if (badge === undefined) this.#parts.delete(part);
    else this.#parts.set(part, badge);
    this.#showBadge();
  }

  /** Uses a view once it exists. The caller disposes the result with the view. */
  use(view: BadgedView): Disposable {
    this.#view = view;
    this.#showBadge();
    this.#changed.fire();
    return view.onDidChangeVisibility(() => this.#changed.fire());
  }

  #showBadge(): void {
    if (this.#view === undefined) return;
    const parts = [...this.#parts.values()];
    const value = parts.reduce((sum, each) => sum + each.value, 0);
    this.#view.badge = value === 0 ? undefined : { value, tooltip: parts.map(({ tooltip }) => tooltip).join('\n') };
  }
}
