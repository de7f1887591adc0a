/**
 * What a job's row has room for in the side bar as the editor first opens it (300 pixels, of which some 210 are left), in columns of 7.5
 * pixels, as wide as a digit in the fonts that editors usually take: its label and, after it, its description.
 */
const rowWidth = 28;
/** The editor makes a tab as wide as its title, however long it is. */
const tabWidth = 40;
/** However long the description is: labels that say nothing any more help nobody. */
const leastLabel = 16;
/** At the end of names stands what tells them apart: a number, a day, the kind of file. */
const labelEnd = 8;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Characters that are as wide as two Latin letters. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
const broad = /^[mwMW@%…—]/u;
const narrow = /^[ijltfrI\s.,:;'’|!()[\]/-]/u;

/**
 * A label with its beginning and its end, if it leaves no room for the description, which the editor cuts off first. Never cut within what a
 * reader sees as one character.
 */
export function shortenLabel(label: string, description: string): string {
  return shortenTo(Math.max(leastLabel, rowWidth - widthOf(charactersOf(description))), label);
}

/** The title of a job as that of its page's tab, likewise. */
export function shortenTitle(title: string): string {
  return shortenTo(tabWidth, title);
}

function shortenTo(widest: number, label: string): string {
  const characters = charactersOf(label);
  if (widthOf(characters) <= widest) return label;
  const end = fitting(characters.toReversed(), labelEnd).toReversed().join('').trimStart();
  const beginning = fitting(characters, widest - labelEnd - columnsOf('…'))
    .join('')
    .trimEnd();
  return `${beginning}…${end}`;
}

/** As a reader sees them. */
function charactersOf(text: string): readonly string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** The first characters that fit a width. */
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

/** In columns, about. */
function widthOf(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + columnsOf(character), 0);
}

function columnsOf(character: string): number {
  if (wide.test(character)) return 2;
  if (broad.test(character)) return 1.4;
  return narrow.test(character) ? 0.6 : 1;
}
