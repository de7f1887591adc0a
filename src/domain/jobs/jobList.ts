import type { Job, ListEntry } from './job.ts';

/** Where jobs stand in a list. One map per kind, so that no key has to be made of kind and id. */
class Positions {
  readonly #byKind = new Map<string, Map<string, number>>();
  #size = 0;

  static of(entries: readonly ListEntry[]): Positions {
    const positions = new Positions();
    for (const [index, entry] of entries.entries()) {
      if (entry.type === 'job') positions.set(entry.kind, entry.id, index);
    }
    return positions;
  }

  get size(): number {
    return this.#size;
  }

  get(kind: string, id: string): number | undefined {
    return this.#byKind.get(kind)?.get(id);
  }

  /** Adds a job that is not here yet. */
  set(kind: string, id: string, index: number): void {
    const ofKind = this.#byKind.get(kind) ?? new Map<string, number>();
    this.#byKind.set(kind, ofKind.set(id, index));
    this.#size++;
  }
}

/**
 * The loaded part of one list of jobs, immutable: every change gives a new list. A job stands in it once, told by kind and id.
 * Appending costs what is appended, which is what keeps ten thousand rows as quick as a hundred.
 */
export class JobList {
  static readonly empty = new JobList([], new Positions(), Symbol());

  readonly entries: readonly ListEntry[];
  /** How many of the entries are jobs; the others are unreadable items. */
  readonly jobCount: number;
  /** Shared along a line of appends; a lookup counts only when this list's entry at that place is the job. */
  readonly #positions: Positions;
  /** The same for lists of which one has grown from the other, without any other change. */
  readonly #growth: symbol;

  private constructor(entries: readonly ListEntry[], positions: Positions, growth: symbol) {
    this.entries = entries;
    this.#positions = positions;
    this.#growth = growth;
    this.jobCount = positions.size;
  }

  /** A list of these entries; a job that stands twice is kept where it stands first, as it stands last. */
  static of(entries: readonly ListEntry[]): JobList {
    return JobList.empty.append(entries);
  }

  has(kind: string, id: string): boolean {
    return this.#indexOf(kind, id) !== undefined;
  }

  get(kind: string, id: string): Job | undefined {
    const entry = this.entries[this.#indexOf(kind, id) ?? -1];
    return entry?.type === 'job' ? entry : undefined;
  }

  /** Adds entries at the end; jobs already here are replaced where they stand. */
  append(added: readonly ListEntry[]): JobList {
    const positions = this.#isNewest() ? this.#positions : Positions.of(this.entries);
    const replacements: [number, Job][] = [];
    const { length } = this.entries;
    const fresh: ListEntry[] = [];
    for (const entry of added) {
      const known = entry.type === 'job' ? positions.get(entry.kind, entry.id) : undefined;
      if (known === undefined) {
        if (entry.type === 'job') positions.set(entry.kind, entry.id, length + fresh.length);
        fresh.push(entry);
      } else if (entry.type === 'job') {
        if (known < length) replacements.push([known, entry]);
        else fresh[known - length] = entry;
      }
    }
    // Joined and not pushed one by one: an array that grows takes half as much again as it needs.
    const entries = this.entries.concat(fresh);
    for (const [index, job] of replacements) entries[index] = job;
    const isGrown = positions === this.#positions && replacements.length === 0;
    return new JobList(entries, positions, isGrown ? this.#growth : Symbol());
  }

  /** The entries that have been added at the end of an earlier list; undefined when something else has changed as well. */
  addedSince(earlier: JobList): readonly ListEntry[] | undefined {
    const { length } = earlier.entries;
    // Two lists can have grown from the same one apart from each other, by unreadable items: then their ends differ.
    const isGrown = this.#growth === earlier.#growth && this.entries[length - 1] === earlier.entries[length - 1];
    return isGrown && length > 0 ? this.entries.slice(length) : undefined;
  }

  /** The jobs that pass, and every unreadable item; the same list when all pass. */
  filter(passes: (job: Job) => boolean): JobList {
    const entries = this.entries.filter((entry) => entry.type !== 'job' || passes(entry));
    return entries.length === this.entries.length ? this : JobList.of(entries);
  }

  /**
   * Lays an excerpt of the list, as the service has it now, over the loaded part: known jobs are brought up to date, unknown ones
   * come to stand before the next known one, or at the end; known ones that should stand within the excerpt but do not have left.
   * @param excerpt consecutive entries of the service's list.
   * @param fromTop the excerpt begins at the first item of the service's list, so everything known before its last known job counts.
   */
  overlay(excerpt: readonly ListEntry[], fromTop: boolean): JobList {
    const known = excerpt
      .map((entry) => (entry.type === 'job' ? this.#indexOf(entry.kind, entry.id) : undefined))
      .filter((index) => index !== undefined);
    if (known.length === 0) return fromTop ? JobList.of([...excerpt, ...this.entries]) : this.append(excerpt);
    const isKnown = (entry: ListEntry): boolean => entry.type === 'job' && this.has(entry.kind, entry.id);
    const above = fromTop ? [] : this.entries.slice(0, Math.min(...known));
    const below = this.entries.slice(Math.max(...known) + 1);
    const aboveKnown = excerpt.slice(0, excerpt.findIndex(isKnown)).reverse();
    const belowKnown = excerpt.slice(excerpt.findLastIndex(isKnown) + 1);
    return JobList.of([
      ...withoutSeam(above.toReversed(), aboveKnown).toReversed(),
      ...excerpt,
      ...withoutSeam(below, belowKnown),
    ]);
  }

  /** The list below an excerpt of it as the service has it now: jobs that are not in the excerpt stay, in their order. */
  under(excerpt: readonly ListEntry[]): JobList {
    const above = JobList.of(excerpt);
    const lastKnown = this.entries.findLastIndex((entry) => entry.type === 'job' && above.has(entry.kind, entry.id));
    const stay = this.entries.filter((entry, index) =>
      entry.type === 'job' ? !above.has(entry.kind, entry.id) : index > lastKnown,
    );
    const belowKnown = excerpt.slice(
      excerpt.findLastIndex((entry) => entry.type === 'job' && this.has(entry.kind, entry.id)) + 1,
    );
    return JobList.of([...excerpt, ...withoutSeam(stay, belowKnown)]);
  }

  #indexOf(kind: string, id: string): number | undefined {
    const index = this.#positions.get(kind, id);
    const entry = index === undefined ? undefined : this.entries[index];
    return entry?.type === 'job' && entry.id === id && entry.kind === kind ? index : undefined;
  }

  /** Whether nobody appended to an earlier version of the line after us. */
  #isNewest(): boolean {
    return this !== JobList.empty && this.#positions.size === this.jobCount;
  }
}

/** The entries without the unreadable ones at their beginning that the excerpt beside them brings as well. They have nothing but their text. */
function withoutSeam(entries: readonly ListEntry[], beside: readonly ListEntry[]): readonly ListEntry[] {
  const brought = beside.filter((entry) => entry.type === 'unreadable').map(({ raw }) => raw);
  const rest = entries.findIndex(({ type }) => type === 'job');
  const kept = entries.slice(0, rest === -1 ? entries.length : rest).filter(({ raw }) => {
    const place = brought.indexOf(raw);
    if (place !== -1) brought.splice(place, 1);
    return place === -1;
  });
  return rest === -1 ? kept : [...kept, ...entries.slice(rest)];
}
