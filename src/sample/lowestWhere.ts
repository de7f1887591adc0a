/** The lowest whole number from 0 for which `holds` (false up to a point, true from there on); `length` when there is none. */
export function lowestWhere(length: number, holds: (number: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
