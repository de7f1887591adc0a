/**
 * Width of a job's row in the side bar at its initial size (about 210 of 300 pixels), in columns of 7.5 pixels, the width
 * of a digit in common editor fonts. Covers the label and the description after it.
 */
const rowWidth = 28;
/** Maximum width of a tab title. The editor makes a tab as wide as its title. */
const tabWidth = 40;
/** Minimum width of a label, regardless of the description: shorter labels are not recognizable. */
const minLabelWidth = 16;
/** Width reserved for the end of a name, which often distinguishes it: a number, a day, a file extension. */
const labelEnd = 8;
/** Made when first used: loading its data takes several milliseconds. */
let graphemes: Intl.Segmenter | undefined;
/** Characters as wide as two Latin letters. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const broad = /^[mwMW@%…—]/u;
const separator = /^[\s_/-]/u;
const narrow = /^[ijltfrI\s.,:;'’|!()[\]/-]/u;

/**
 * Shortens a label to its beginning and end if it leaves no room for the description, which the editor cuts off first. Never splits a
 * grapheme.
 */
export function shortenLabel(label: string, description: string): string {
  return shortenTo(Math.max(minLabelWidth, rowWidth - widthOf(charactersOf(description))), label);
}

/** Shortens the title of a job for the tab of its page in the same way. */
export function shortenTitle(title: string): string {
  return shortenTo(tabWidth, title);
}

function shortenTo(widest: number, label: string): string {
  const characters = charactersOf(label);
  if (widthOf(characters) <= widest) return label;
  const tail = fitting(characters.toReversed(), labelEnd).toReversed();
  // The rest of a word, such as "eekly" of "weekly 35", does not distinguish a name.
  const breakAt = tail.findIndex((character) => separator.test(character));
  const end = tail.slice(breakAt < tail.length - 1 ? breakAt + 1 : 0);
  const beginning = fitting(characters, widest - widthOf(end) - columnsOf('…'));
  return `${beginning.join('').trimEnd()}…${end.join('').trimStart()}`;
}

/** Splits a text into graphemes. */
function charactersOf(text: string): readonly string[] {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** Returns the first characters that fit a width. */
function fitting(characters: readonly string[], width: number): readonly string[] {
  const fit: string[] = [];
  let left = width;
  for (const character of characters) {
    left -= widthOf([character]);
    if (left < 0) break;
    fit.push(character);
  }
  return fit;
}

/** Returns the approximate width in columns. */
function widthOf(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + columnsOf(character), 0);
}

function columnsOf(character: string): number {
  if (wide.test(character)) return 2;
  if (broad.test(character)) return 1.4;
  return narrow.test(character) ? 0.6 : 1;
}
