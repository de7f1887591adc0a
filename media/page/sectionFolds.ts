import type { JobView } from '../../src/features/details/common/jobView.ts';

type Folds = JobView['folds'];

/** Keeps which sections are open, for all jobs of a group, as the user chose last. The editor stores the choice for other pages. */
export class SectionFolds {
  readonly #chosen = new Map<Folds['group'], readonly string[]>();
  readonly #changed: (group?: Folds['group'], open?: readonly string[]) => void;

  /** @param changed called after a change; with the group and its open sections if the user made it */
  constructor(changed: (group?: Folds['group'], open?: readonly string[]) => void) {
    this.#changed = changed;
  }

  isOpen(folds: Folds, id: string): boolean {
    return this.#openOf(folds).includes(id);
  }

  /** Opens or closes a section for the user. */
  toggle(folds: Folds, id: string): void {
    const open = this.#openOf(folds);
    const next = open.includes(id) ? open.filter((each) => each !== id) : [...open, id];
    this.#chosen.set(folds.group, next);
    this.#changed(folds.group, next);
  }

  /** Opens a section to show something in it. The user has not chosen it, so that it is not stored. */
  reveal(folds: Folds, id: string): void {
    if (this.isOpen(folds, id)) return;
    this.#chosen.set(folds.group, [...this.#openOf(folds), id]);
    this.#changed();
  }

  /** Returns the open sections, also those that this job does not have. */
  #openOf({ group, chosen, first, ids }: Folds): readonly string[] {
    const open = this.#chosen.get(group) ?? chosen;
    if (open === undefined) return [first];
    const isShown = open.length === 0 || open.some((id) => ids.includes(id));
    return isShown ? open : [...open, first];
  }
}
