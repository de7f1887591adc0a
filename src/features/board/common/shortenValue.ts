/** Maximum length of a stored value, in characters. */
const maxValueLength = 200;

/** Truncates a long text and appends a hash of the rest, so that texts with the same beginning stay distinct. */
export function shortenValue(text: string): string {
  if (text.length <= maxValueLength) return text;
  const mark = `…${hashOf(text)}`;
  return `${text.slice(0, maxValueLength - mark.length)}${mark}`;
}

/** True if a value of a column may be truncated, or contains a value without text. */
export function isShortened(value: string): boolean {
  return value.endsWith('…') || (value.length === maxValueLength && /…[\da-z]{14}$/u.test(value));
}

/** Returns two 32-bit FNV-1a hashes as 14 characters. Distinguishes texts; not cryptographic. */
function hashOf(text: string): string {
  let one = 0x811c_9dc5;
  let other = 0x1234_5678;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x0100_0193);
    other = Math.imul(other ^ unit, 0x85eb_ca6b);
  }
  return [one, other].map((hash) => (hash >>> 0).toString(36).padStart(7, '0')).join('');
}
