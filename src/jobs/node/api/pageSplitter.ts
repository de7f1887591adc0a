import { parseJson } from '../../../base/json/json.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  space,
} from '../../../base/json/jsonCodes.ts';
import { skipSpace } from '../../../base/json/jsonText.ts';
import type { PartRange } from '../../../base/json/steppedJson.ts';

/** An element of `items`. */
export interface ItemRange extends PartRange {
  /** Depth of nested objects and arrays, as of {@link ElementText}. */
  readonly depth: number;
}

/**
 * Finds the parts of a page (contract 2.1) in its text without parsing it, in steps of bounded duration. It only tracks
 * brackets and quotes, so the parts need not be valid JSON.
 */
export class PageSplitter {
  readonly #text: string;
  readonly #limit: number;
  /** The positions of the page's links; the last one wins for a duplicate name. There may be any number of other members. */
  readonly members = new Map<MemberName, PartRange>();
  /** The elements of `items`, up to the limit; undefined when it is not an array. */
  items: ItemRange[] | undefined;

  #at = 0;
  #depth = 0;
  #isOver = false;
  #isBroken = false;
  #inText = false;
  /** Start of the last string at this level, including its quotes. */
  #textStart = 0;
  #textEnd = 0;
  #name = '';
  #valueStart = 0;
  #inItems = false;
  #itemStart = 0;
  #itemDepth = 0;

  /** @param limit number of items to record. */
  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  /** True if the text is one object, judging by brackets only. Valid only after `advance` has reached the end. */
  get isObject(): boolean {
    return this.#isOver && !this.#isBroken;
  }

  /** Reads up to this many more characters. Returns false at the end of the text. */
  advance(characters: number): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + characters);
    let at = this.#at;
    while (at < end && !this.#isBroken) {
      if (this.#inText) {
        at = this.#skipText(at, end);
        continue;
      }
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.#inText = true;
        this.#textStart = at;
      } else if (code === comma) this.#endElement(at);
      else if (code === colon) this.#endName(at);
      else if (code === openBrace || code === openBracket) this.#open(code, at);
      else if (code === closeBrace || code === closeBracket) this.#close(at);
      else if (this.#depth === 0 && code > space) this.#isBroken = true;
      at++;
    }
    this.#at = at;
    return at < text.length && !this.#isBroken;
  }

  /** @returns the index after the string, or `end` if the string continues beyond it. */
  #skipText(start: number, end: number): number {
    let at = start;
    while (at < end) {
      const code = this.#text.charCodeAt(at);
      // An escaped character is skipped even if the step ends between it and its backslash.
      if (code === backslash) at += 2;
      else if (code === quote) {
        this.#inText = false;
        this.#textEnd = at + 1;
        return at + 1;
      } else at++;
    }
    return at;
  }

  #open(code: number, at: number): void {
    if (this.#depth === 0) {
      if (code === openBracket || this.#isOver) this.#isBroken = true;
    } else if (this.#depth === 1) {
      if (code === openBracket && this.#name === itemsName) {
        this.items = [];
        this.#inItems = true;
        this.#beginItem(at + 1);
      }
    } else if (this.#inItems) this.#itemDepth = Math.max(this.#itemDepth, this.#depth - 1);
    this.#depth++;
  }

  #close(at: number): void {
    this.#depth--;
    if (this.#depth < 0) this.#isBroken = true;
    else if (this.#depth === 0) {
      this.#endMember(at);
      this.#isOver = true;
    } else if (this.#depth === 1 && this.#inItems) {
      // An empty array has no elements, rather than one empty element.
      if ((this.items?.length ?? 0) > 0 || this.#text.slice(this.#itemStart, at).trim() !== '') this.#endItem(at);
      this.#inItems = false;
    }
  }

  #endElement(at: number): void {
    if (this.#depth === 1) this.#endMember(at);
    else if (this.#depth === 2 && this.#inItems) {
      this.#endItem(at);
      this.#beginItem(at + 1);
    }
  }

  #endName(at: number): void {
    if (this.#depth === 1) {
      this.#name = this.#lastText();
      this.#valueStart = at + 1;
      if (this.#name === itemsName) this.items = undefined;
    }
  }

  /** Returns the last name, unescaped; known names are short. */
  #lastText(): string {
    if (this.#textEnd - this.#textStart > maxNameLength) return '';
    const name = parseJson(this.#text.slice(this.#textStart, this.#textEnd));
    return typeof name === 'string' ? name : '';
  }

  #endMember(at: number): void {
    if (isMemberName(this.#name)) this.members.set(this.#name, { start: this.#valueStart, end: at });
    this.#name = '';
  }

  #beginItem(at: number): void {
    this.#itemStart = at;
    this.#itemDepth = 0;
  }

  #endItem(end: number): void {
    if (this.items === undefined || this.items.length >= this.#limit) return;
    const start = skipSpace(this.#text, this.#itemStart);
    const length = this.#text.slice(start, end).trimEnd().length;
    this.items.push({ start, end: start + length, depth: this.#itemDepth });
  }
}

const itemsName = 'items';
const memberNames = ['first', 'current', 'next'] as const;
type MemberName = (typeof memberNames)[number];

function isMemberName(name: string): name is MemberName {
  return memberNames.some((each) => each === name);
}

/** In characters, including escapes. */
const maxNameLength = 100;
