import type { PlaceRange } from './boardProtocol.ts';

/**
 * Selected places of a table as disjoint, non-adjacent ranges in ascending order, so that selecting a hundred thousand rows costs nothing.
 */
export class PlaceSelection {
  readonly ranges: readonly PlaceRange[];

  constructor(ranges: readonly PlaceRange[] = []) {
    this.ranges = ranges;
  }

  get count(): number {
    return this.ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  has(place: number): boolean {
    return this.ranges.some(({ from, to }) => from <= place && place < to);
  }

  /** Returns a selection that also has these places. */
  with(added: PlaceRange): PlaceSelection {
    if (added.to <= added.from) return this;
    const apart = this.ranges.filter(({ from, to }) => to < added.from || from > added.to);
    const joined = this.ranges.filter(({ from, to }) => to >= added.from && from <= added.to);
    const range = {
      from: Math.min(added.from, ...joined.map(({ from }) => from)),
      to: Math.max(added.to, ...joined.map(({ to }) => to)),
    };
    return new PlaceSelection([...apart, range].toSorted((a, b) => a.from - b.from));
  }

  /** Returns a selection without a place. */
  without(place: number): PlaceSelection {
    return new PlaceSelection(
      this.ranges.flatMap((range) => {
        if (place < range.from || place >= range.to) return [range];
        return [
          { from: range.from, to: place },
          { from: place + 1, to: range.to },
        ].filter(({ from, to }) => from < to);
      }),
    );
  }
}
