import { skipSpace, skipString, skipWord, readElements, readMembers } from './jsonText.ts';

/** Deeper levels are indented no further: ten thousand of them would make more spaces than a machine holds. */
const deepestIndent = 100;

/**
 * The same JSON, laid out with two spaces a level. Every token stays as it came: digits, escapes, repeated keys.
 * Linear in the text, which jsonc-parser's `applyEdits` is not: it copies the whole text for each line break.
 * @param text JSON text that `JSON.parse` accepts.
 */
export function formatJson(text: string): string {
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

/** Deeper values are written as they came: nobody reads them side by side, and the stack is finite. */
const deepestLevel = 200;

/**
 * JSON text such that equal values have equal texts: keys sorted, the last of repeated keys, two spaces of indentation,
 * numbers in their shortest form where a double holds them exactly enough and as they came where it does not.
 * @param text JSON text that `JSON.parse` accepts.
 */
export function canonicalizeJson(text: string, level = 0): string {
  const value = text.trim();
  if (level > deepestLevel) return value;
  const indent = '  '.repeat(level);
  if (value.startsWith('{')) {
    const members = [...new Map(readMembers(value).map((member) => [member.key, member.text]))]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => `${indent}  ${JSON.stringify(key)}: ${canonicalizeJson(each, level + 1)}`);
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  if (value.startsWith('[')) {
    const elements = readElements(value).map((each) => `${indent}  ${canonicalizeJson(each, level + 1)}`);
    return elements.length === 0 ? '[]' : `[\n${elements.join(',\n')}\n${indent}]`;
  }
  return value.startsWith('"') ? JSON.stringify(JSON.parse(value)) : canonicalNumber(value);
}

/** A double holds 15 significant digits of any decimal number. The words true, false and null pass as they are. */
function canonicalNumber(token: string): string {
  const digits = token.replace(/e.*$/i, '').replaceAll(/[^\d]/g, '').replace(/^0+/, '');
  const value = Number(token);
  return Number.isFinite(value) && digits.length <= 15 ? String(value) : token;
}
