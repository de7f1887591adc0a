/** Number of characters that a hash covers. */
const windowLength = 100;
const factor = 37;
const half = 2 ** 32;

/** An unsigned integer of 64 bits, as two of 32. */
interface Long {
  readonly high: number;
  readonly low: number;
}

/** `factor` to the power of `windowLength`, modulo 2^64. */
const leaving = Array.from({ length: windowLength }).reduce<Long>((power) => combine(power, 0, 0, power), {
  high: 0,
  low: 1,
});

/** Returns `factor` × value + entering − weight × left, modulo 2^64. */
function combine(value: Long, entering: number, left: number, weight: Long): Long {
  const low = value.low * factor + entering - weight.low * left;
  const carry = Math.floor(low / half);
  const high = value.high * factor + carry - weight.high * left;
  return { high: high - Math.floor(high / half) * half, low: low - carry * half };
}

/**
 * Returns the hash of each line by which GitHub's code scanning recognizes a finding in later versions of a file: of the first 100
 * characters from its beginning, without blanks and tabs, and the number of the line among those with the same hash. The same as those
 * that its upload calculates (`src/fingerprints.ts` of github/codeql-action), for uploads that calculate none.
 */
export function hashLines(text: string): readonly string[] {
  const dense = text.replaceAll(/\r\n?/gu, '\n').replaceAll(/[ \t]/gu, '');
  // Ends with a mark, and as many zeros as the last line needs.
  const characters = `${dense}\uffff${'\0'.repeat(windowLength)}`;
  const counts = new Map<string, number>();
  const hashes: string[] = [];
  let hash: Long = { high: 0, low: 0 };
  for (let index = 0; index < characters.length; index++) {
    const begin = index - windowLength;
    if (begin === 0 || characters[begin - 1] === '\n') {
      const written = format(hash);
      const count = (counts.get(written) ?? 0) + 1;
      counts.set(written, count);
      hashes.push(`${written}:${count}`);
    }
    const left = begin < 0 ? 0 : characters.charCodeAt(begin);
    hash = combine(hash, characters.charCodeAt(index), left, leaving);
  }
  return hashes;
}

function format({ high, low }: Long): string {
  return high === 0 ? low.toString(16) : high.toString(16) + low.toString(16).padStart(8, '0');
}
