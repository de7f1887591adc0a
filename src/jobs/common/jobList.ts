import type { Job, ListEntry } from './job.ts';

/** Index of jobs. One map per kind, so that no composite key is needed. */
class Positions {
  readonly #byKind = new Map<string, Map<string, number>>();
  #size = 0;

  static of(entries: readonly ListEntry[]): Positions {
    const positions = new Positions();
    for (const [index, entry] of entries.entries()) {
      if (entry.type === 'job') positions.add(entry, index);
    }
    return positions;
  }

  get size(): number {
    return this.#size;
  }

  get(kind: string, id: string): number | undefined {
    return this.#byKind.get(kind)?.get(id);
  }

  /** Adds a job unless it is in the index. @returns its index there */
  add({ kind, id }: Job, index: number): number | undefined {
    let ofKind = this.#byKind.get(kind);
    if (ofKind === undefined) {
      ofKind = new Map();
      this.#byKind.set(kind, ofKind);
    }
    const known = ofKind.get(id);
    if (known !== undefined) return known;
    ofKind.set(id, index);
    this.#size++;
    return undefined;
  }
}

/**
 * The loaded part of one list of jobs. Immutable: every change returns a new list. A job, identified by kind and id, occurs once. Appending
 * costs O(added entries).
 */
export class JobList {
  static readonly empty = new JobList([], new Positions(), Symbol());

  readonly entries: readonly ListEntry[];
  /** Number of jobs among the entries; the others are unreadable items. */
  readonly jobCount: number;
  /** Shared between lists that grew by appending; a position is valid only if this list's entry there is that job. */
  readonly #positions: Positions;
  /** Equal for two lists if one was created from the other by appending only. */
  readonly #growth: symbol;

  private constructor(entries: readonly ListEntry[], positions: Positions, growth: symbol) {
    this.entries = entries;
    this.#positions = positions;
    this.#growth = growth;
    this.jobCount = positions.size;
  }

  /** Creates a list of these entries; a duplicate job keeps its first position and its last value. */
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

  /** Adds entries at the end; jobs already in the list are replaced in place. */
  append(added: readonly ListEntry[]): JobList {
    const positions = this.#isNewest() ? this.#positions : Positions.of(this.entries);
    const replacements: [number, Job][] = [];
    const { length } = this.entries;
    const fresh: ListEntry[] = [];
    for (const entry of added) {
      const known = entry.type === 'job' ? positions.add(entry, length + fresh.length) : undefined;
      if (known === undefined) fresh.push(entry);
      else if (entry.type === 'job') {
        if (known < length) replacements.push([known, entry]);
        else fresh[known - length] = entry;
      }
    }
    // `concat` instead of `push`, because an array that grows over-allocates by half.
    const entries = this.entries.concat(fresh);
    for (const [index, job] of replacements) entries[index] = job;
    const isGrown = positions === this.#positions && replacements.length === 0;
    return new JobList(entries, positions, isGrown ? this.#growth : Symbol());
  }

  /** Returns the entries appended since an earlier list; undefined if there were other changes. */
  addedSince(earlier: JobList): readonly ListEntry[] | undefined {
    const { length } = earlier.entries;
    // Both lists may have been appended to separately with unreadable items: then their last entries differ.
    const isGrown = this.#growth === earlier.#growth && this.entries[length - 1] === earlier.entries[length - 1];
    return isGrown && length > 0 ? this.entries.slice(length) : undefined;
  }

  /** Returns the jobs that pass, and every unreadable item. Returns this list if all pass. */
  filter(passes: (job: Job) => boolean): JobList {
    const entries = this.entries.filter((entry) => entry.type !== 'job' || passes(entry));
    return entries.length === this.entries.length ? this : JobList.of(entries);
  }

  /**
   * Merges a current excerpt of the service's list into the loaded part: known jobs are updated, new ones are inserted before the next
   * known one or at the end, and known ones missing within the excerpt are removed.
   * @param excerpt consecutive entries of the service's list.
   * @param fromTop the excerpt starts at the first item of the service's list, so it covers everything before its last known job.
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

  /**
   * Returns the entries before the first and after the last job that the list has in common with an excerpt; undefined
   * if they have none in common.
   */
  around(
    excerpt: readonly ListEntry[],
  ): { readonly above: readonly ListEntry[]; readonly below: readonly ListEntry[] } | undefined {
    let first = Infinity;
    let last = -1;
    for (const entry of excerpt) {
      const index = entry.type === 'job' ? this.#indexOf(entry.kind, entry.id) : undefined;
      if (index === undefined) continue;
      first = Math.min(first, index);
      last = Math.max(last, index);
    }
    return last < 0 ? undefined : { above: this.entries.slice(0, first), below: this.entries.slice(last + 1) };
  }

  /** Puts a current excerpt on top of the list. Jobs that are not in the excerpt follow in their order. */
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

  /** True if no other list has been created by appending to an earlier version. */
  #isNewest(): boolean {
    return this !== JobList.empty && this.#positions.size === this.jobCount;
  }
}

/**
 * Returns the entries without the leading unreadable ones that the adjacent excerpt contains too. Compares these by
 * text, because they have no id.
 */
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
