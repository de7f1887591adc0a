/**
 * Returns the lowest integer from 0 for which `holds` is true, by binary search; `count` if there is none below it.
 * @param holds must be monotonic: false up to a number, true from there on
 */
export function findLowest(count: number, holds: (number: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
