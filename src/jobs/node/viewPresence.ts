import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ViewBadges, type BadgePart, type NumberBadge } from '../common/viewBadges.ts';

/** The jobs view. The editor's `TreeView` has this shape. */
interface BadgedView {
  readonly visible: boolean;
  badge?: NumberBadge | undefined;
  readonly onDidChangeVisibility: (listener: () => void) => Disposable;
}

/** The jobs view for features that do not draw it: if it is visible, and the number on its icon. */
export class ViewPresence {
  readonly #changed = new Emitter<void>();
  readonly #badges = new ViewBadges((badge) => {
    this.#badge = badge;
    if (this.#view !== undefined) this.#view.badge = badge;
  });
  #badge: NumberBadge | undefined;
  #view: BadgedView | undefined;
  /** Fires when the view appears or disappears. */
  readonly onDidChangeVisibility = this.#changed.event;

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** Sets or removes a part of the number. */
  setBadge(part: BadgePart, badge: NumberBadge | undefined): void {
    this.#badges.set(part, badge);
  }

  /** Uses a view once it exists. The caller disposes the result with the view. */
  use(view: BadgedView): Disposable {
    this.#view = view;
    view.badge = this.#badge;
    this.#changed.fire();
    return view.onDidChangeVisibility(() => this.#changed.fire());
  }
}
