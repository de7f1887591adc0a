import { skipSpace, skipString, skipWord } from './jsonText.ts';

/** Deeper levels are indented no further: ten thousand of them would make more spaces than a machine holds. */
const deepestIndent = 100;

/**
 * The same JSON, laid out with two spaces a level. Every token stays as it came: digits, escapes, repeated keys.
 * Linear in the text, which jsonc-parser's `applyEdits` is not: it copies the whole text for each line break.
 * @param text JSON text that `JSON.parse` accepts.
 */
export function prettyJson(text: string): string {
  const pieces: string[] = [];
  let depth = 0;
  const newLine = (): void => {
    pieces.push('\n', '  '.repeat(Math.min(depth, deepestIndent)));
  };
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const character = text.charAt(at);
    const next = skipSpace(text, at + 1);
    if (character === '{' || character === '[') {
      const closing = text.charAt(next);
      if (closing === '}' || closing === ']') {
        pieces.push(character, closing);
        at = next + 1;
        continue;
      }
      pieces.push(character);
      depth++;
      newLine();
    } else if (character === '}' || character === ']') {
      depth--;
      newLine();
      pieces.push(character);
    } else if (character === ',') {
      pieces.push(character);
      newLine();
    } else if (character === ':') {
      pieces.push(': ');
    } else {
      const end = character === '"' ? skipString(text, at) : skipWord(text, at);
      pieces.push(text.slice(at, end));
      at = end;
      continue;
    }
    at++;
  }
  return pieces.join('');
}
