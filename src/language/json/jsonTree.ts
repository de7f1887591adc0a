import type { JsonPath } from '../../base/json/json.ts';
import { createScanner, printParseErrorCode, visit } from 'jsonc-parser';
import { parseJson } from '../../base/json/json.ts';
import { skipString } from '../../base/json/jsonText.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';
import { applyEdits, type TextRange } from './textEdit.ts';

/** A value in a JSON text, with its range. */
export interface JsonNode extends TextRange {
  readonly type: 'object' | 'array' | 'plain';
  /** Undefined for elements and the root. */
  readonly key: JsonKey | undefined;
  /** Members or elements, in the order of the text. */
  readonly children: readonly JsonNode[];
}

/** The name of a member, with its range including the quotes. */
interface JsonKey extends TextRange {
  /** Unescaped. */
  readonly name: string;
}

/** A parsed text; on errors, with the recovered values. */
export interface ParsedJson {
  readonly text: string;
  /** Result of `JSON.parse` without the extras. If there are problems: the recovered value, undefined if there is none. */
  readonly value: unknown;
  /** Undefined when the text has no value, or is nested too deeply. */
  readonly root: JsonNode | undefined;
  readonly problems: readonly SyntaxProblem[];
  readonly duplicates: readonly DuplicateKey[];
  /** Byte order mark, comments and trailing commas, in text order: not JSON, but safe to strip. */
  readonly extras: readonly TextRange[];
}

/** A syntax error. The code is a parse error name of jsonc-parser, {@link tooDeep} or {@link longName}. */
interface SyntaxProblem extends TextRange {
  readonly code: string;
}

/** A member with the same name as an earlier member of its object. The range covers the name. */
interface DuplicateKey extends TextRange {
  readonly key: string;
  readonly first: TextRange;
}

/** Code of the problem in a text that is nested too deeply. */
export const tooDeep = 'TooDeep';

/** Code of the problem in a text with a name that is longer than {@link maxNameLength}. */
export const longName = 'LongName';

/** Code of the problem in a text that is too long, or has too many values, to be read. */
export const tooLong = 'TooLong';

/** Maximum nesting depth. No request is deeper, and recursive functions, including those of jsonc-parser, would exhaust the stack. */
export const maxDepth = 256;

/** Maximum length of a member's name, in characters: there may be a finding about each value within the member, with the name in its path. */
export const maxNameLength = 1000;

/** Maximum number of problems of each kind: a text that consists of commas has millions. */
const maxProblems = 100;

export const byteOrderMark = '\uFEFF';

/**
 * Parses JSON and the ranges of its values. Never throws; linear time. jsonc-parser's `parseTree` takes twice as long, does not limit
 * the depth, and does not keep comments and trailing commas.
 * @param depth number of containers around the text if it is part of another text
 * @param maxValues maximum number of values; a text with more stays unread
 */
export function parseJsonTree(text: string, depth = 0, maxValues = Infinity): ParsedJson {
  const extras = text.startsWith(byteOrderMark) ? [{ offset: 0, length: 1 }] : [];
  // Replace the mark with a space, so that offsets do not change.
  const source = extras.length > 0 ? ` ${text.slice(1)}` : text;
  try {
    // `JSON.parse` takes a second for some million brackets.
    const value = mayBeDeeper(source, maxDepth - depth) ? undefined : parseJson(source);
    const builder = new TreeBuilder(maxDepth - depth, maxValues);
    if (value === undefined) return parseLooseText(text, source, extras, builder);
    walkStrictJson(source, builder);
    const { root, duplicates } = builder;
    return { text, value, root, problems: [], duplicates, extras };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return unreadableJson(text, error.code, error.offset);
  }
}

/** Returns the result for a text that is not read, for one reason. */
export function unreadableJson(text: string, code: string, offset = 0): ParsedJson {
  const problem = { code, offset, length: Math.min(1, text.length - offset) };
  return { text, value: undefined, root: undefined, problems: [problem], duplicates: [], extras: [] };
}

/** True if a text is nested too deeply for a recursive function, or it or a name is too long to be read. */
export function isUnreadable({ problems }: Pick<ParsedJson, 'problems'>): boolean {
  return problems.some(({ code }) => code === tooDeep || code === longName || code === tooLong);
}

/** Returns the text as strict JSON: removes only the extras. */
export function stripExtras(text: string, extras: readonly TextRange[]): string {
  if (extras.length === 0) return text;
  return applyEdits(
    text,
    extras.map((extra) => ({ ...extra, text: '' })),
  );
}

/** Returns the value at a path. The last of several members with the same name takes precedence, as in `JSON.parse`. */
export function findNode(root: JsonNode | undefined, path: JsonPath): JsonNode | undefined {
  let node = root;
  for (const segment of path) {
    if (!node) return undefined;
    node = node.type === 'array' ? node.children[Number(segment)] : membersOf(node).get(String(segment));
  }
  return node;
}

/** Returns all values at a path: several if the innermost object has several members with that name. */
export function findNodes({ root, duplicates }: ParsedJson, path: JsonPath): readonly JsonNode[] {
  const node = findNode(root, path);
  if (!node) return [];
  if (node.key === undefined || duplicates.length === 0) return [node];
  const { name } = node.key;
  const container = findNode(root, path.slice(0, -1));
  return (container && sameNames(container).get(name)) ?? [];
}

/** Returns the members of an object by name. Remembered, because a thousand of them may be removed. */
const sameNames = rememberPerObject(({ children }: JsonNode): ReadonlyMap<string | undefined, readonly JsonNode[]> => {
  const members = new Map<string | undefined, JsonNode[]>();
  for (const child of children) {
    const same = members.get(child.key?.name);
    if (same) same.push(child);
    else members.set(child.key?.name, [child]);
  }
  return members;
});

// Indexed because an object may have thousands of members and a finding for each.
const membersOf = rememberPerObject(
  ({ children }: JsonNode): ReadonlyMap<string | undefined, JsonNode> =>
    new Map(children.map((child) => [child.key?.name, child])),
);

/** Returns the range of a value without its name. */
export function valueRange({ offset, length }: JsonNode): TextRange {
  return { offset, length };
}

/** Returns the range of the name including its quotes; the range of the value if it has no name. */
export function keyRange({ key, offset, length }: JsonNode): TextRange {
  return key ? { offset: key.offset, length: key.length } : { offset, length };
}

/** Returns the range from the name, if there is one, to the end of the value. */
export function memberRange(node: JsonNode): TextRange {
  const { offset } = keyRange(node);
  return { offset, length: endOf(node) - offset };
}

/** Returns the end of a range, exclusive. */
export function endOf({ offset, length }: TextRange): number {
  return offset + length;
}

/** True if a text has more open brackets at some place than `max`. Exact for JSON; other texts may be less deep than it says. */
function mayBeDeeper(text: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = skipString(text, at) - 1;
    else if (sign === '[' || sign === '{') {
      if (++depth > max) return true;
    } else if (sign === ']' || sign === '}') depth--;
  }
  return false;
}

/** Builds the tree of strict JSON from its tokens in half the time of `visit`. */
function walkStrictJson(text: string, builder: TreeBuilder): void {
  const scanner = createScanner(text, true);
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const length = scanner.getTokenLength();
    switch (text[offset]) {
      case '{':
        builder.begin('object', offset);
        break;
      case '[':
        builder.begin('array', offset);
        break;
      case '}':
      case ']':
        builder.end(offset + length);
        break;
      case ':':
      case ',':
        break;
      default:
        if (builder.expectsName) builder.addName(scanner.getTokenValue(), offset, length);
        else builder.addPlain(offset, length);
    }
  }
}

/**
 * Parses a text that is not strict JSON.
 * @param source the text with a space in place of a byte order mark, which is the only one of the extras so far
 * @throws Unreadable
 */
function parseLooseText(text: string, source: string, mark: readonly TextRange[], builder: TreeBuilder): ParsedJson {
  const problems: SyntaxProblem[] = [];
  const extras = [...mark];
  const options = { allowTrailingComma: true };
  // Ranges of an unclosed comment and the containers around it end beyond the text: clamp them.
  const within = (begin: number, length: number): TextRange => {
    const offset = Math.min(begin, text.length);
    return { offset, length: Math.min(length, text.length - offset) };
  };
  /** Offset of the last comma if no value follows it yet; otherwise -1. */
  let comma = -1;
  const begin = (type: 'object' | 'array', offset: number): void => {
    comma = -1;
    builder.begin(type, offset);
  };
  const end = (offset: number, length: number): void => {
    if (comma >= 0) extras.push({ offset: comma, length: 1 });
    comma = -1;
    builder.end(Math.min(offset + length, text.length));
    values.end();
  };
  const values = new ValueBuilder();
  visit(
    source,
    {
      onObjectBegin: (offset) => {
        begin('object', offset);
        values.begin({});
      },
      onArrayBegin: (offset) => {
        begin('array', offset);
        values.begin([]);
      },
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (name, offset, length) => {
        comma = -1;
        builder.addName(name, offset, length);
        values.name = name;
      },
      onLiteralValue: (value: unknown, offset, length) => {
        comma = -1;
        builder.addPlain(offset, length);
        values.add(value);
      },
      onSeparator: (character, offset) => {
        if (character === ',') comma = offset;
      },
      onComment: (offset, length) => {
        extras.push(within(offset, length));
      },
      onError: (error, offset, length) => {
        if (problems.length < maxProblems)
          problems.push({ code: printParseErrorCode(error), ...within(offset, length) });
      },
    },
    options,
  );
  extras.sort((a, b) => a.offset - b.offset);
  const { root, duplicates } = builder;
  return { text, value: values.root, root, problems, duplicates, extras };
}

/** Thrown at the first bracket that exceeds the maximum depth, the first value that exceeds the maximum number, and the first name that is too long. */
class Unreadable extends Error {
  readonly code: string;
  readonly offset: number;

  constructor(code: string, offset: number) {
    super(code);
    this.code = code;
    this.offset = offset;
  }
}

interface OpenNode extends JsonNode {
  length: number;
  children: JsonNode[];
}

/** Maximum number of members that are compared one by one, which is faster than an index of each object. */
const maxUnindexed = 8;

/** Builds the tree from names and values in text order. */
class TreeBuilder {
  root: JsonNode | undefined;
  readonly duplicates: DuplicateKey[] = [];
  /** Open containers, innermost last. */
  readonly #open: OpenNode[] = [];
  /** First occurrence of each name in each open container; undefined if it has few. */
  readonly #names: (Map<string, JsonKey> | undefined)[] = [];
  #key: JsonKey | undefined;
  readonly #maxDepth: number;
  /** Number of values that may follow. */
  #left: number;

  constructor(maxDepth: number, maxValues: number) {
    this.#maxDepth = maxDepth;
    this.#left = maxValues;
  }

  /** True if the next string is the name of a member. */
  get expectsName(): boolean {
    return this.#key === undefined && this.#open.at(-1)?.type === 'object';
  }

  /** @throws Unreadable */
  addName(name: string, offset: number, length: number): void {
    if (name.length > maxNameLength) throw new Unreadable(longName, offset);
    this.#key = { name, offset, length };
    const first = this.#findName(name);
    if (!first) this.#names.at(-1)?.set(name, this.#key);
    else if (this.duplicates.length < maxProblems) {
      this.duplicates.push({ key: name, offset, length, first: { offset: first.offset, length: first.length } });
    }
  }

  /** Returns the first member with a name in the innermost container. */
  #findName(name: string): JsonKey | undefined {
    const children = this.#open.at(-1)?.children ?? noChildren;
    if (children.length <= maxUnindexed) return children.find(({ key }) => key?.name === name)?.key;
    const innermost = this.#names.length - 1;
    let names = this.#names[innermost];
    if (!names) {
      names = new Map();
      for (const { key } of children) if (key && !names.has(key.name)) names.set(key.name, key);
      this.#names[innermost] = names;
    }
    return names.get(name);
  }

  /** @throws Unreadable */
  addPlain(offset: number, length: number): void {
    this.#add({ type: 'plain', offset, length, key: this.#key, children: noChildren });
  }

  /** @throws Unreadable */
  begin(type: 'object' | 'array', offset: number): void {
    if (this.#open.length >= this.#maxDepth) throw new Unreadable(tooDeep, offset);
    const node: OpenNode = { type, offset, length: 0, key: this.#key, children: noChildren };
    this.#add(node);
    this.#open.push(node);
    this.#names.push(undefined);
  }

  /** @param offset end of the innermost container, exclusive */
  end(offset: number): void {
    const node = this.#open.pop();
    this.#names.pop();
    if (node) node.length = offset - node.offset;
    this.#key = undefined;
  }

  #add(node: JsonNode): void {
    if (--this.#left < 0) throw new Unreadable(tooLong, node.offset);
    const around = this.#open.at(-1);
    if (!around) this.root = node;
    else if (around.children.length === 0) around.children = [node];
    else around.children.push(node);
    this.#key = undefined;
  }
}

/** Shared by all values without children, up to a million in one text. Never changed. */
const noChildren: JsonNode[] = [];

type ValueContainer = unknown[] | Record<string, unknown>;

/** Builds the value of a text that is not strict JSON; on errors, the recovered one. */
class ValueBuilder {
  /** The outermost value; undefined if there is none. */
  root: unknown;
  /** Name of the next member. */
  name: string | undefined;
  /** Open containers, innermost last. */
  readonly #open: ValueContainer[] = [];

  add(value: unknown): void {
    const around = this.#open.at(-1);
    if (!around) this.root ??= value;
    else if (Array.isArray(around)) around.push(value);
    else if (this.name === '__proto__') {
      // Assigning would set the prototype.
      Object.defineProperty(around, this.name, { value, enumerable: true, configurable: true, writable: true });
    } else if (this.name !== undefined) around[this.name] = value;
  }

  begin(container: ValueContainer): void {
    this.add(container);
    this.#open.push(container);
    this.name = undefined;
  }

  end(): void {
    this.#open.pop();
    this.name = undefined;
  }
}
