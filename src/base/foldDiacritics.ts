/** Base letters of Latin letters with diacritics, by letter. */
const baseLetters: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x1f00 - 0xc0 }, (_, index) => String.fromCharCode(0xc0 + index)).flatMap((letter) => {
    const [base = letter, ...marks] = letter.normalize('NFD');
    return marks.length > 0 && /[a-z]/iu.test(base) ? [[letter, base]] : [];
  }),
);

/**
 * Replaces Latin letters with diacritics by their base letters, so that "Mühlbach" matches "muhlbach". The length stays the same, so
 * positions are those of the text. Letters of other scripts differ by their marks and are kept.
 */
export function foldDiacritics(text: string): string {
  return text.replaceAll(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => baseLetters.get(letter) ?? letter);
}
