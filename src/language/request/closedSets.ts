/** The text without case and separators: `Bullet Points` and `bullet_points` are one. */
export function plainText(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
}

/** Fewer characters than this are the beginning of too much. */
const leastLength = 3;

/**
 * The member of a closed set that was probably meant: equal except for case and separators, or one begins or ends with the other,
 * also in the singular. Of several the closest in length.
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
