import { hash } from 'node:crypto';
import { isJobKind } from '../../domain/jobs/job.ts';
import type { KeySet } from '../list/readAll.ts';

/** The key of a job of a known kind whose id is a UUID in its usual spelling. */
const uuidKey = /^(pre-recorded|live)\/([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/;

/**
 * A set of job keys (`kind/id`) in 16 bytes each, so that a list of a million jobs can be deduplicated in about 40 MB. UUIDs
 * are stored completely, so they never collide. Of other keys, the first 128 bits of the SHA-256 are stored: the probability
 * of a collision among a million is 10^-27, far below that of a memory fault, and finding a collision takes 2^64 attempts.
 * Each kind, and all other keys, have separate tables.
 */
export class CompactKeySet implements KeySet {
  readonly #tables = { 'pre-recorded': new Table(), live: new Table(), other: new Table() };
  readonly #words = new Uint32Array(4);

  get size(): number {
    return Object.values(this.#tables).reduce((sum, { size }) => sum + size, 0);
  }

  has(key: string): boolean {
    return this.#tableOf(key).has(this.#words);
  }

  add(key: string): void {
    this.#tableOf(key).add(this.#words);
  }

  /** Selects the table of a key and writes the key's 128 bits to `#words`. */
  #tableOf(key: string): Table {
    const [, kind, ...groups] = uuidKey.exec(key) ?? [];
    const digits = kind === undefined ? hash('sha256', key) : groups.join('');
    for (let word = 0; word < 4; word++) {
      this.#words[word] = Number.parseInt(digits.slice(word * 8, word * 8 + 8), 16);
    }
    return isJobKind(kind) ? this.#tables[kind] : this.#tables.other;
  }
}

/** A hash table of 128-bit numbers with open addressing. */
class Table {
  #slots = new Uint32Array(4 * 1024);
  /** Zero marks a free slot, so the number zero is kept here. */
  #hasZero = false;
  #used = 0;

  get size(): number {
    return this.#used + (this.#hasZero ? 1 : 0);
  }

  has(words: Uint32Array): boolean {
    return isZero(words, 0) ? this.#hasZero : !isZero(this.#slots, this.#find(words));
  }

  add(words: Uint32Array): void {
    if (isZero(words, 0)) {
      this.#hasZero = true;
      return;
    }
    const slot = this.#find(words);
    if (!isZero(this.#slots, slot)) return;
    this.#slots.set(words, slot);
    this.#used++;
    if (this.#used * 4 * 4 > this.#slots.length * 3) this.#grow();
  }

  /** The slot of a number, or the free slot where it belongs. */
  #find(words: Uint32Array): number {
    const slots = this.#slots;
    const mask = slots.length / 4 - 1;
    for (let place = mixed(words) & mask; ; place = (place + 1) & mask) {
      const slot = place * 4;
      if (isZero(slots, slot)) return slot;
      if (
        slots[slot] === words[0] &&
        slots[slot + 1] === words[1] &&
        slots[slot + 2] === words[2] &&
        slots[slot + 3] === words[3]
      ) {
        return slot;
      }
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += 4) {
      if (isZero(old, slot)) continue;
      const words = old.subarray(slot, slot + 4);
      this.#slots.set(words, this.#find(words));
    }
  }
}

function isZero(words: Uint32Array, at: number): boolean {
  return words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0;
}

/** Hashes all bits, because ids may differ in a few bits only. */
function mixed(words: Uint32Array): number {
  let mix = 0;
  for (const word of words) {
    mix = Math.imul(mix ^ word, 0x9e3779b1);
    mix ^= mix >>> 15;
    mix = Math.imul(mix, 0x85ebca6b);
    mix ^= mix >>> 13;
  }
  return mix;
}
