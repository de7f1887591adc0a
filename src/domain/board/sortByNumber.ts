const digitBits = 11;
const digitMask = 2 ** digitBits - 1;

/**
 * The places of numbers in their order, sorted digit by digit, which takes a few passes however many there are. Equal numbers keep their
 * order, and NaN comes last.
 * @param numbers whole ones, such as times in milliseconds, or NaN
 */
export function sortByNumber(numbers: Float64Array, isDescending: boolean): Uint32Array {
  const rows = new Uint32Array(numbers.length);
  // Lists come sorted by creation.
  if (isSorted(numbers, isDescending)) {
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    return rows;
  }
  const { least, most, valid } = boundsOf(numbers);
  const low = new Uint32Array(numbers.length);
  // A distance may take more than 32 bits.
  const span = valid === 0 ? 0 : most - least;
  const high = new Uint32Array(span < 2 ** 32 ? 0 : numbers.length);
  let next = 0;
  let missing = valid;
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] ?? NaN;
    if (Number.isNaN(number)) {
      rows[missing++] = row;
      continue;
    }
    const distance = isDescending ? most - number : number - least;
    rows[next++] = row;
    if (high.length === 0) low[row] = distance;
    else {
      const above = Math.floor(distance / 2 ** 32);
      high[row] = above;
      low[row] = distance - above * 2 ** 32;
    }
  }
  const sorted = sortByDigits(rows.subarray(0, valid), low, Math.min(span, 2 ** 32 - 1));
  rows.set(high.length === 0 ? sorted : sortByDigits(sorted, high, Math.floor(span / 2 ** 32)));
  return rows;
}

function isSorted(numbers: Float64Array, isDescending: boolean): boolean {
  for (let row = 1; row < numbers.length; row++) {
    const [before, here] = [numbers[row - 1] ?? NaN, numbers[row] ?? NaN];
    if (!(isDescending ? before >= here : before <= here)) return false;
  }
  return true;
}

function boundsOf(numbers: Float64Array) {
  let [least, most, valid] = [Infinity, -Infinity, 0];
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row] ?? NaN;
    if (number < least) least = number;
    if (number > most) most = number;
    if (!Number.isNaN(number)) valid++;
  }
  return { least, most, valid };
}

function sortByDigits(rows: Uint32Array, keys: Uint32Array, largest: number): Uint32Array {
  let from = rows.slice();
  let to = new Uint32Array(rows.length);
  const starts = new Uint32Array(digitMask + 1);
  for (let shift = 0; shift < 32 && largest >>> shift > 0; shift += digitBits) {
    starts.fill(0);
    for (let place = 0; place < from.length; place++) {
      const digit = ((keys[from[place] ?? 0] ?? 0) >>> shift) & digitMask;
      starts[digit] = (starts[digit] ?? 0) + 1;
    }
    let before = 0;
    for (let digit = 0; digit <= digitMask; digit++) {
      const count = starts[digit] ?? 0;
      starts[digit] = before;
      before += count;
    }
    for (let place = 0; place < from.length; place++) {
      const row = from[place] ?? 0;
      const digit = ((keys[row] ?? 0) >>> shift) & digitMask;
      const next = starts[digit] ?? 0;
      starts[digit] = next + 1;
      to[next] = row;
    }
    [from, to] = [to, from];
  }
  return from;
}
