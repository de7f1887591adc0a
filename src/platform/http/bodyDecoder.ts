import { TextDecoder } from 'node:util';

/** Smaller chunks are collected up to this size before they are decoded, because decoding each of many costs more. */
const blockBytes = 16 * 1024;

/**
 * Decodes a response body while it arrives, so that no long step remains at its end and no chunk is kept. Uses the
 * charset of a byte order mark, which is removed, otherwise that of the content type, otherwise UTF-8 (RFC 8259). An
 * unknown charset is decoded as UTF-8.
 */
export class BodyDecoder {
  readonly #contentType: string | undefined;
  readonly #parts: string[] = [];
  /** Chunks that are not decoded yet. */
  #block: Uint8Array[] = [];
  #inBlock = 0;
  #bytes = 0;
  #decoder: TextDecoder | undefined;

  /** @param contentType value of the header `content-type`. */
  constructor(contentType: string | undefined) {
    this.#contentType = contentType;
  }

  /** Number of bytes received. */
  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    this.#block.push(chunk);
    this.#inBlock += chunk.byteLength;
    if (this.#inBlock >= blockBytes) this.#decode(true);
  }

  /** Returns the decoded text. Nothing may be added afterwards. */
  end(): string {
    this.#decode(false);
    return this.#parts.join('');
  }

  #decode(stream: boolean): void {
    const [first] = this.#block;
    const block = this.#block.length === 1 && first !== undefined ? first : Buffer.concat(this.#block);
    this.#decoder ??= makeDecoder(markedCharset(block) ?? declaredCharset(this.#contentType) ?? 'utf-8');
    this.#parts.push(this.#decoder.decode(block, { stream }));
    this.#block = [];
    this.#inBlock = 0;
  }
}

function declaredCharset(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
}

function markedCharset(body: Uint8Array): string | undefined {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

function makeDecoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
