import { endOfPart, skipSpace, skipString, skipWord, readElements, readMembers } from './jsonText.ts';

/** Levels below this one are not indented further. */
const maxIndent = 100;

/** Limit of the indentation as a multiple of the text's length; deeply nested text would otherwise grow from 2 MB to 400 MB. */
const maxIndentation = 12;

/**
 * Formats JSON with two spaces per level. Tokens do not change: digits, escapes, duplicate keys. Takes time linear in the
 * text, unlike jsonc-parser's `applyEdits`, which copies the whole text for each line break.
 * @param text JSON text that `JSON.parse` accepts.
 */
export function formatJson(text: string): string {
  return [...formatJsonInParts(text)].join('');
}

/** Approximate number of characters of one part, unless a string is longer. */
const partCharacters = 128 * 1024;

/** Returns the same in parts, between which the caller can yield to the event loop. */
export function* formatJsonInParts(text: string): Generator<string> {
  let pieces: string[] = [];
  let partStart = 0;
  let depth = 0;
  let spaces = maxIndentation * text.length + 10_000;
  // Created once per level, because a large text has many pieces.
  const lineStarts: string[] = [];
  const newLine = (): string => {
    if (spaces <= 0) return '\n';
    const level = Math.min(depth, maxIndent);
    const start = (lineStarts[level] ??= `\n${'  '.repeat(level)}`);
    spaces -= start.length - 1;
    return start;
  };
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    if (at - partStart > partCharacters) {
      yield pieces.join('');
      pieces = [];
      partStart = at;
    }
    const character = text.charAt(at);
    const next = skipSpace(text, at + 1);
    if (character === '{' || character === '[') {
      const closing = text.charAt(next);
      if (closing === '}' || closing === ']') {
        pieces.push(character, closing);
        at = next + 1;
        continue;
      }
      depth++;
      pieces.push(character, newLine());
    } else if (character === '}' || character === ']') {
      depth--;
      pieces.push(newLine(), character);
    } else if (character === ',') {
      pieces.push(character, newLine());
    } else if (character === ':') {
      pieces.push(': ');
    } else {
      const end = character === '"' ? skipString(text, at) : skipWord(text, at);
      for (let from = at; from < end;) {
        const until = Math.min(end, endOfPart(text, from, partCharacters));
        pieces.push(text.slice(from, until));
        from = until;
        if (until === end) break;
        yield pieces.join('');
        pieces = [];
      }
      at = end;
      continue;
    }
    at++;
  }
  yield pieces.join('');
}

/** Deeper values are copied unchanged, to bound the recursion. */
const maxLevel = 200;

/**
 * Returns canonical JSON text, equal for equal values: sorted keys, the last of duplicate keys, two spaces of
 * indentation, and numbers as written.
 * @param text JSON text that `JSON.parse` accepts.
 */
export function canonicalizeJson(text: string): string {
  const steps = canonicalizeJsonInSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Returns the same in steps, between which the caller can yield to the event loop. */
export function* canonicalizeJsonInSteps(text: string): Generator<undefined, string> {
  return yield* canonicalValue(text, 0, { spaces: maxIndentation * text.length + 10_000, characters: 0 });
}

/** The remaining budget. */
interface CanonicalBudget {
  /** Number of spaces of indentation. Once used up, values are copied unchanged. */
  spaces: number;
  /** Number of characters since the last step. */
  characters: number;
}

function* canonicalValue(text: string, level: number, left: CanonicalBudget): Generator<undefined, string> {
  const value = text.trim();
  left.characters += value.length;
  if (left.characters > partCharacters) {
    left.characters = 0;
    yield;
  }
  if (!value.startsWith('{') && !value.startsWith('[')) {
    return value.startsWith('"') ? JSON.stringify(JSON.parse(value)) : value;
  }
  if (level > maxLevel || left.spaces < 0) return value;
  const indent = '  '.repeat(level);
  const [opening, closing] = value.startsWith('{') ? ['{', '}'] : ['[', ']'];
  const parts = value.startsWith('{')
    ? [...new Map(readMembers(value).map((member) => [member.key, member.text]))]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, each]) => ({ name: `${JSON.stringify(key)}: `, text: each }))
    : readElements(value).map((each) => ({ name: '', text: each }));
  if (parts.length === 0) return `${opening}${closing}`;
  left.spaces -= (parts.length + 1) * (indent.length + 2);
  const lines: string[] = [];
  for (const part of parts) lines.push(`${indent}  ${part.name}${yield* canonicalValue(part.text, level + 1, left)}`);
  return `${opening}\n${lines.join(',\n')}\n${indent}${closing}`;
}
