import { endOfPart } from '../../../base/json/jsonText.ts';
import { fileLine } from '../../../base/outsideText.ts';

/** Number of characters processed at once. */
export const pieceCharacters = 20_000;

/** Yields a text in pieces that end between words, if it has any. @param size maximum number of characters of a piece */
export function* piecesOf(text: string, size = pieceCharacters): Generator<string, void> {
  for (let at = 0; at < text.length;) {
    const space = text.length - at <= size ? size : text.slice(at, at + size).lastIndexOf(' ');
    const end = space > 0 ? Math.min(at + space + 1, text.length) : endOfPart(text, at, size);
    yield text.slice(at, end);
    at = end;
  }
}

/**
 * Yields texts as one line of a file, as {@link fileLine} writes it, in pieces; empty ones after long texts of nothing
 * but characters that are left out.
 */
export function* linePieces(texts: Iterable<string>): Generator<string, void> {
  let line = '';
  let isFirst = true;
  let read = 0;
  for (const text of texts) {
    let isSpaced = true;
    for (const piece of piecesOf(text)) {
      const words = fileLine(piece);
      const isAfterSpace = isSpaced || fileLine(piece.charAt(0)) === '';
      isSpaced = fileLine(piece.slice(-1)) === '';
      read += piece.length;
      if (words !== '') {
        line += isFirst || !isAfterSpace ? words : ` ${words}`;
        isFirst = false;
      }
      if (read < pieceCharacters) continue;
      yield line;
      line = '';
      read = 0;
    }
  }
  if (line !== '') yield line;
}
