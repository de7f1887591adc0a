import { eastAsianWidth } from 'get-east-asian-width';
import { fileLine } from '../../../base/outsideText.ts';
import { piecesOf } from './linePieces.ts';

/** What ends with a unit. Breaks are preferred in this order. */
export type UnitEnd = 'sentence' | 'clause' | 'word' | 'part';

/** A part of a text that is never broken: a word with its punctuation. */
export interface TextUnit {
  readonly text: string;
  readonly columns: number;
  /** Length without spaces. */
  readonly letters: number;
  /** True if a space separates it from the previous unit. */
  readonly isSpaced: boolean;
  readonly end: UnitEnd;
}

/** Fixed, so that a file doesn't depend on the language of the editor. Dictionaries for words are chosen by script. */
const segmenterLocale = 'en';
const graphemes = new Intl.Segmenter(segmenterLocale, { granularity: 'grapheme' });
const words = new Intl.Segmenter(segmenterLocale, { granularity: 'word' });
const sentences = new Intl.Segmenter(segmenterLocale, { granularity: 'sentence' });

/** Scripts that are written without spaces between words. */
const unspacedScripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const unspaced = new RegExp(`[${unspacedScripts}]`, 'u');
/** The same at the beginning and the end of a text, with the punctuation of these scripts. */
const startsUnspaced = new RegExp(String.raw`^[${unspacedScripts}\u3000-\u303f\uff00-\uffef]`, 'u');
const endsUnspaced = new RegExp(String.raw`[${unspacedScripts}\u3000-\u303f\uff00-\uffef]\p{M}*$`, 'u');
/** Scripts that separate phrases, not words, by spaces. */
const spacesPhrases = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Punctuation and other characters that begin no row, as in the Japanese rules of line breaking (JIS X 4051). */
const noStart =
  /^[\p{Pe}\p{Pf}\p{Terminal_Punctuation}…‥・･ー～〜―々〻ゝゞヽヾ゛゜ｰﾞﾟ%‰％°℃ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿｧ-ｯฯๆໆៗ]/u;
/** Characters that end no row. */
const noEnd = /[\p{Ps}\p{Pi}¡¿]$/u;
const sentenceEnd = /[\p{Sentence_Terminal}…‥][\p{Pe}\p{Pf}"']*$/u;
const clauseEnd = /[\p{Terminal_Punctuation}…–—][\p{Pe}\p{Pf}"']*$/u;
const clauseStart = /^[\p{Ps}\p{Pi}¡¿–—]/u;
/** `Dr.`, `Mme.`, `J.`: not the end of a sentence. */
const abbreviation = /^[\p{Ps}\p{Pi}]*\p{Lu}\p{L}{0,2}\.$/u;
/** Of these, titles and initials, which stay with the name that follows. */
const title = /^[\p{Ps}\p{Pi}]*(?:\p{Lu}|Dra?|Drs|Mrs?|Ms|M[mM]e|MM|Mgr|Ste?|Sra?|Jr|Hr|Fr)\.$/u;
/** `พ.ศ.`: Thai sentences end without a full stop. */
const thaiAbbreviation = /\p{Script=Thai}\.$/u;
/** Japanese particles, after which a phrase ends. */
const japaneseParticles = new Set(['は', 'が', 'を', 'に', 'へ', 'で', 'と', 'も', 'の']);
/** Chinese particles, which belong to the word before them, with the punctuation after them. */
const chineseParticle = /^[的了着吗呢吧啊们嗎們]\p{P}{0,9}$/u;
/** Prefixes that Japanese words of courtesy begin with, which the dictionary separates. */
const prefixes = new Set(['お', 'ご', '御']);

/** True if a row may begin with a text: it does not begin with closing punctuation. */
export function mayBeginRow(text: string): boolean {
  return !noStart.test(text);
}

/** Scripts whose graphemes are a character with marks. Segmenting them, which takes long, gives no other columns. */
const simpleGraphemes =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Lao}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{M}\p{Nd}\p{P}\p{Zs}]*$/u;

/** Returns the columns that a text takes, by graphemes and their East Asian width. */
function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  if (simpleGraphemes.test(text) && !text.includes('\ufe0f')) {
    for (const character of text)
      if (!/^[\p{M}\u0e33\u0eb3]/u.test(character)) columns += eastAsianWidth(character.codePointAt(0) ?? 0x20);
    return columns;
  }
  for (const { segment } of graphemes.segment(text)) columns += graphemeColumns(segment);
  return columns;
}

function graphemeColumns(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0x20;
  if (code < 0x300) return 1;
  if (/^[\p{Default_Ignorable_Code_Point}\p{M}]+$/u.test(grapheme)) return 0;
  // Emoji are wide, also those that a selector turns into one.
  if (/^\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  return eastAsianWidth(code);
}

/** Number of characters that are segmented at once. Dictionaries for words are slow. */
const segmentedCharacters = 1000;

/** Yields the units of a text, in lists, between which the caller can yield to the event loop. */
export function* unitsOf(text: string, maxColumns: number): Generator<readonly TextUnit[], void> {
  for (const piece of piecesOf(text, segmentedCharacters))
    yield unitsOfPiece(fileLine(piece.replaceAll(/[\u2000-\u200a\u3000]/g, ' ')), maxColumns);
}

/** A unit before its end is known. */
interface Chunk {
  text: string;
  readonly isSpaced: boolean;
  /** Index after its last character. */
  endAt: number;
}

function unitsOfPiece(line: string, maxColumns: number): readonly TextUnit[] {
  const chunks = chunksOf(line);
  const sentenceEnds = new Set<number>();
  for (const { index, segment } of sentences.segment(line)) sentenceEnds.add(index + segment.trimEnd().length);
  return chunks.flatMap(({ text, isSpaced, endAt }, index) => {
    const end = endOf(text, chunks[index + 1], sentenceEnds.has(endAt));
    const parts = cutToColumns(text, maxColumns);
    return parts.map((part, place) => ({
      text: part,
      columns: columnsOf(part),
      letters: part.replaceAll(' ', '').length,
      isSpaced: isSpaced && place === 0,
      end: place === parts.length - 1 ? end : 'part',
    }));
  });
}

/** Splits a line where it can be broken. */
function chunksOf(line: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  for (const spaced of line.split(' ')) {
    let isFirst = true;
    for (const text of unspaced.test(spaced) ? splitUnspaced(spaced) : [spaced]) {
      const isSpaced = isFirst && at > 0;
      at += text.length;
      const last = chunks.at(-1);
      if (last !== undefined && isSpaced && (noStart.test(text) || /^[\p{Ps}\p{Pi}¡¿]+$/u.test(last.text))) {
        last.text += ` ${text}`;
        last.endAt = at;
      } else if (text !== '') chunks.push({ text, isSpaced, endAt: at });
      isFirst = false;
    }
    at++;
  }
  return chunks;
}

/** Splits a text without spaces at words, but not before or after punctuation that belongs to them. */
function splitUnspaced(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const { segment } of words.segment(text)) {
    const isBreak =
      part !== '' &&
      (endsUnspaced.test(part.slice(-8)) || startsUnspaced.test(segment)) &&
      !noStart.test(segment) &&
      !noEnd.test(part.slice(-1)) &&
      !prefixes.has(part);
    if (isBreak) {
      parts.push(part);
      part = segment;
    } else part += segment;
  }
  return part === '' ? parts : [...parts, part];
}

function endOf(text: string, next: Chunk | undefined, isSentence: boolean): UnitEnd {
  const [first, last] = [text.slice(0, 20), text.slice(-20)];
  const isAbbreviation = abbreviation.test(first) || thaiAbbreviation.test(last);
  if (isSentence && sentenceEnd.test(last) && !isAbbreviation) return 'sentence';
  if (clauseEnd.test(last) && !isAbbreviation) return 'clause';
  if (next === undefined) return 'word';
  if (clauseStart.test(next.text)) return 'clause';
  if (next.isSpaced) {
    if (title.test(first) || thaiAbbreviation.test(last)) return 'part';
    return spacesPhrases.test(text) ? 'clause' : 'word';
  }
  // A unit of measurement stays with its number.
  if (/\p{Nd}$/u.test(last) || chineseParticle.test(next.text)) return 'part';
  if (!/^\p{Script=Hiragana}/u.test(next.text)) return 'word';
  // Japanese phrases end with hiragana; within them, words are followed by particles and endings.
  const isPhrase = japaneseParticles.has(text) && !japaneseParticles.has(next.text) && !/^[すし]/u.test(next.text);
  return isPhrase ? 'word' : 'part';
}

/** In UTF-16 units. Longer graphemes are cut; no language has such. */
const maxGraphemeLength = 64;

/** Maximum number of characters that one takes along, because it begins no row. */
const maxMoved = 8;

/** Returns the number of characters before a cut that belong to the next row, so that none begins or ends one that must not. */
function countMoved(part: readonly string[], next: string): number {
  for (let count = 0; count < Math.min(part.length, maxMoved); count++) {
    const index = part.length - count;
    if (!noStart.test((part[index] ?? next).trimStart()) && !noEnd.test(part[index - 1] ?? '')) return count;
  }
  return 0;
}

/** Cuts a text that is wider than a row into parts of about the same width, between graphemes. */
function cutToColumns(text: string, maxColumns: number): readonly string[] {
  const columns = columnsOf(text);
  if (columns <= maxColumns && text.length <= maxGraphemeLength * maxColumns) return [text];
  // Addresses and compounds break after their separators.
  const [first = '', ...others] = text.split(/(?<=[-/?&=_])(?=[\p{L}\p{N}])/u);
  if (others.length > 0) return [first, ...others].flatMap((part) => cutToColumns(part, maxColumns));
  const characters: string[] = [];
  for (const { segment } of graphemes.segment(text)) {
    // A space belongs to what follows it.
    const spaced = characters.at(-1) === ' ' ? `${characters.pop()}${segment}` : segment;
    characters.push(...(spaced.length <= maxGraphemeLength ? [spaced] : (spaced.match(/[\s\S]{1,64}/gu) ?? [])));
  }
  const wanted = Math.max(1, Math.ceil(columns / Math.ceil(columns / maxColumns)));
  const parts: string[] = [];
  let part: string[] = [];
  let width = 0;
  for (const character of characters) {
    const next =
      character.length > 1 && character.startsWith(' ')
        ? 1 + graphemeColumns(character.slice(1))
        : graphemeColumns(character);
    const isFull = width + next > maxColumns || part.length >= maxColumns;
    const isEnough = width >= wanted && !noStart.test(character.trimStart()) && !noEnd.test(part.at(-1) ?? '');
    if (part.length > 0 && (isFull || isEnough)) {
      const moved = part.splice(part.length - (isFull ? countMoved(part, character) : 0));
      parts.push(part.join(''));
      part = moved;
      width = columnsOf(moved.join(''));
    }
    part.push(character);
    width += next;
  }
  parts.push(part.join(''));
  return parts.map((each) => each.trim()).filter((each) => each !== '');
}
