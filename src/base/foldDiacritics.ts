/** Base letters that were looked up, by letter: a text has few different ones, and looking one up takes long. */
const baseLetters = new Map<string, string>();

/**
 * Replaces Latin letters with diacritics by their base letters, so that "Mühlbach" matches "muhlbach". The length stays the same, so
 * positions are those of the text. Letters of other scripts differ by their marks and are kept.
 */
export function foldDiacritics(text: string): string {
  return text.replaceAll(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => {
    const known = baseLetters.get(letter);
    if (known !== undefined) return known;
    const [base = letter] = letter.normalize('NFD');
    const folded = /[a-z]/iu.test(base) ? base : letter;
    baseLetters.set(letter, folded);
    return folded;
  });
}
