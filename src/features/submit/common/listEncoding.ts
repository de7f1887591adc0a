/** In bytes. */
const maxSampled = 4096;

/**
 * Returns the encoding of a list in UTF-16 without a byte order mark, as some programs export it; undefined for other encodings. URLs
 * consist of ASCII characters, so that every other byte of most of the text is zero.
 */
export function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, maxSampled);
  if (sample.length < 2 || sample.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  const half = sample.length / 4;
  // A few characters such as U+4E00 have the other byte zero.
  if (odd > half && even < odd / 4) return 'utf-16le';
  return even > half && odd < even / 4 ? 'utf-16be' : undefined;
}
