import { element, setText } from './element.ts';
import { foldPart } from './foldPart.ts';
import { outsideText } from './outsideText.ts';
import type { PageContext } from './pageContext.ts';
import { partByKind, type Part } from './part.ts';

/**
 * A JSON value as it came: a text reads as text, a number keeps its digits, an object or array folds.
 * @param path its position on the page, under which its fold is remembered.
 * @param name what it is called, for those who hear the fold's button.
 */
export function jsonPart(first: string, path: string, name: string, context: PageContext): Part<string> {
  return partByKind<string>(
    kindOf,
    (json) => {
      switch (kindOf(json)) {
        case 'nested':
          return foldPart(json, path, name, context, (inner, at, key) => jsonPart(inner, at, key, context));
        case 'text':
          return mapped(outsideText(textOf(json), context), textOf);
        case 'token':
          return tokenPart(json);
      }
    },
    first,
  );
}

function kindOf(json: string): 'nested' | 'text' | 'token' {
  if (isNested(json)) return 'nested';
  return json.startsWith('"') && json !== '""' ? 'text' : 'token';
}

/** An object or array that holds something. */
function isNested(json: string): boolean {
  return /^[{[]\s*[^\s}\]]/.test(json);
}

function textOf(json: string): string {
  return String(JSON.parse(json));
}

function mapped<A, B>(part: Part<B>, map: (view: A) => B): Part<A> {
  return { element: part.element, update: (view) => part.update(map(view)) };
}

/** Numbers, true, false, null, and what is empty: their own letters. */
function tokenPart(first: string): Part<string> {
  const compact = (json: string): string => (/^[{[]/.test(json) ? json.replaceAll(/\s/g, '') : json);
  const code = element('code', { text: compact(first) });
  return { element: code, update: (json) => setText(code, compact(json)) };
}
