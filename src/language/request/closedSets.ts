/** Removes case and separators: `Bullet Points` and `bullet_points` become equal. */
export function plainText(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
}

/** Minimum length of a prefix or suffix: shorter ones match too many values. */
const leastLength = 3;

/**
 * Returns the member of a closed set that was probably intended: equal except for case and separators, or one begins or ends with the
 * other, also in the singular. The closest in length of several candidates.
 */
export function findMeantValue(written: string, values: readonly string[]): string | undefined {
  const key = plainText(written);
  if (key === '') return undefined;
  const exact = values.find((each) => plainText(each) === key);
  return exact ?? findSimilar(key, values) ?? (key.endsWith('s') ? findSimilar(key.slice(0, -1), values) : undefined);
}

function findSimilar(key: string, values: readonly string[]): string | undefined {
  let meant: string | undefined;
  let min = Infinity;
  for (const each of values) {
    const plain = plainText(each);
    const [shorter, longer] = plain.length < key.length ? [plain, key] : [key, plain];
    if (shorter.length < leastLength || !(longer.startsWith(shorter) || longer.endsWith(shorter))) continue;
    if (longer.length - shorter.length >= min) continue;
    meant = each;
    min = longer.length - shorter.length;
  }
  return meant;
}
