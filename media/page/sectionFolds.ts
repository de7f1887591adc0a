import type { ChosenSections, JobView } from '../../src/features/details/common/jobView.ts';

type Folds = JobView['folds'];

/** Keeps which sections are open, for all jobs of a group, as the user chose last. The editor stores the choice for other pages. */
export class SectionFolds {
  readonly #chosen = new Map<Folds['group'], ChosenSections>();
  readonly #changed: (group?: Folds['group'], chosen?: ChosenSections) => void;

  /** @param changed called after a change; with the group and the user's choice if the user made it */
  constructor(changed: (group?: Folds['group'], chosen?: ChosenSections) => void) {
    this.#changed = changed;
  }

  /** True if the user opened the section, or if it is the first one and the user did not close it, perhaps on the page of another job. */
  isOpen(folds: Folds, id: string): boolean {
    const { opened, closed } = this.#choiceOf(folds);
    return opened.includes(id) || (id === folds.first && !closed.includes(id));
  }

  /** Opens or closes a section for the user. */
  toggle(folds: Folds, id: string): void {
    const { opened, closed } = this.#choiceOf(folds);
    const without = (ids: readonly string[]): readonly string[] => ids.filter((each) => each !== id);
    const chosen = this.isOpen(folds, id)
      ? { opened: without(opened), closed: [...without(closed), id] }
      : { opened: [...without(opened), id], closed: without(closed) };
    this.#chosen.set(folds.group, chosen);
    this.#changed(folds.group, chosen);
  }

  /** Opens a section to show something in it. The user has not chosen it, so that it is not stored. */
  reveal(folds: Folds, id: string): void {
    if (this.isOpen(folds, id)) return;
    const { opened, closed } = this.#choiceOf(folds);
    this.#chosen.set(folds.group, { opened: [...opened, id], closed });
    this.#changed();
  }

  #choiceOf({ group, chosen }: Folds): ChosenSections {
    return this.#chosen.get(group) ?? chosen ?? { opened: [], closed: [] };
  }
}
