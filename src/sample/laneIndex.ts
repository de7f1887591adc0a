import { findLowest } from '../domain/findLowest.ts';

/** Cells per block: the maximum that a lookup scans after skipping whole blocks. */
const blockSize = 512;
const laneCount = 4;
/** Lane of removed cells; no mask includes it. */
const removed = laneCount;

/**
 * Numbered cells, each in one of four lanes, with rank and select over any set of lanes in less than two blocks of
 * steps, however many cells there are. A set of lanes is a bit mask: bit n stands for lane n.
 */
export class LaneIndex {
  readonly #lanes: Uint8Array;
  /** At `block × laneCount + lane`: the lane's cells before the block; one block more than there is holds the totals. */
  readonly #before: Uint32Array;

  /** `laneOf` returns a cell's lane, 0 to 3; it is called once per cell. */
  constructor(length: number, laneOf: (cell: number) => number) {
    this.#lanes = new Uint8Array(length);
    this.#before = new Uint32Array((Math.ceil(length / blockSize) + 1) * laneCount);
    const totals = new Uint32Array(laneCount);
    for (let cell = 0; cell < length; cell++) {
      if (cell % blockSize === 0) this.#before.set(totals, (cell / blockSize) * laneCount);
      const lane = laneOf(cell);
      this.#lanes[cell] = lane;
      totals[lane] = (totals[lane] ?? 0) + 1;
    }
    this.#before.set(totals, this.#before.length - laneCount);
  }

  /** Whether a cell exists, is not removed and lies in one of the lanes. */
  has(mask: number, cell: number): boolean {
    return (mask & (1 << this.#laneAt(cell))) !== 0;
  }

  /** How many cells of these lanes come before the given cell. */
  rank(mask: number, cell: number): number {
    const block = Math.floor(Math.min(cell, this.#length) / blockSize);
    let count = this.#countBefore(mask, block);
    for (let each = block * blockSize; each < cell && each < this.#length; each++) if (this.has(mask, each)) count++;
    return count;
  }

  /** The cell of these lanes that has exactly `rank` others before it; the length when there is none. */
  select(mask: number, rank: number): number {
    const block = this.#lastBlockWith(mask, rank);
    let missing = rank - this.#countBefore(mask, block);
    for (let cell = block * blockSize; cell < this.#length; cell++) {
      if (this.has(mask, cell) && missing-- === 0) return cell;
    }
    return this.#length;
  }

  /** Permanently removes a cell from its lane; the numbers of other cells do not change. */
  remove(cell: number): void {
    const lane = this.#laneAt(cell);
    if (lane === removed) return;
    this.#lanes[cell] = removed;
    for (let block = Math.floor(cell / blockSize) + 1; block <= this.#lastBlock; block++) {
      const place = block * laneCount + lane;
      this.#before[place] = (this.#before[place] ?? 0) - 1;
    }
  }

  get #length(): number {
    return this.#lanes.length;
  }

  #laneAt(cell: number): number {
    return this.#lanes[cell] ?? removed;
  }

  get #lastBlock(): number {
    return this.#before.length / laneCount - 1;
  }

  #countBefore(mask: number, block: number): number {
    let count = 0;
    for (let lane = 0; lane < laneCount; lane++) {
      if (mask & (1 << lane)) count += this.#before[block * laneCount + lane] ?? 0;
    }
    return count;
  }

  /** The last block that has no more than `rank` cells of these lanes before it. */
  #lastBlockWith(mask: number, rank: number): number {
    return findLowest(this.#lastBlock, (block) => this.#countBefore(mask, block + 1) > rank);
  }
}
