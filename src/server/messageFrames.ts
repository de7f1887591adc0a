import { Transform, type TransformCallback } from 'node:stream';

/** Maximum size of a message. A document of 10 MB takes twice that at most where each character is escaped. */
const maxMessageBytes = 64 * 1024 * 1024;

/** Maximum size of the headers of a message. */
const maxHeaderBytes = 4096;

const headerEnd = '\r\n\r\n';
/** As all clients write it. */
const lengthName = 'Content-Length:';
const lengthHeader = /(?:^|\r\n)content-length:[ \t]*(\d{1,15})[ \t]*(?=\r\n)/giu;

/**
 * Passes on whole messages of the base protocol, and drops bytes that are none until the next header. The library's reader would
 * take what follows an invalid header as headers for ever.
 */
export class MessageFrames extends Transform {
  /** Bytes that may be the beginning of headers. */
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes that are missing from the content of the current message. */
  #missing = 0;
  /** True while bytes without valid headers are dropped. */
  #isLost = false;
  readonly #onLost: () => void;

  /** @param onLost called once for each sequence of bytes that is dropped */
  constructor(onLost: () => void) {
    super();
    this.#onLost = onLost;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length > 0 && (this.#missing > 0 ? this.#passContent() : this.#passHeaders()));
    done();
  }

  #passContent(): boolean {
    const content = this.#rest.subarray(0, this.#missing);
    this.push(content);
    this.#missing -= content.length;
    this.#rest = this.#rest.subarray(content.length);
    return true;
  }

  /** Reads the headers of the next message. @returns false if more bytes are needed */
  #passHeaders(): boolean {
    if (this.#isLost && !this.#skipToHeader()) return false;
    const end = this.#rest.subarray(0, maxHeaderBytes).indexOf(headerEnd);
    if (end === -1 && this.#rest.length < maxHeaderBytes) return false;
    const headers = this.#rest.toString('latin1', 0, end === -1 ? 0 : end + 2);
    const [found, ...others] = headers.matchAll(lengthHeader);
    const length = Number(found?.[1] ?? NaN);
    if (others.length > 0) return this.#lose(end);
    // Headers of the next message may follow in the same line.
    if (!(length <= maxMessageBytes)) return this.#lose(1);
    this.#isLost = false;
    this.push(`Content-Length: ${length}${headerEnd}`);
    this.#rest = this.#rest.subarray(end + headerEnd.length);
    this.#missing = length;
    return true;
  }

  /** @param bytes that are dropped at least, so that the same header is not found again */
  #lose(bytes: number): true {
    if (!this.#isLost) this.#onLost();
    this.#isLost = true;
    this.#rest = this.#rest.subarray(bytes);
    return true;
  }

  /** Drops bytes before the next possible header. @returns false if there is none yet */
  #skipToHeader(): boolean {
    const at = this.#rest.indexOf(lengthName);
    // The name may continue in the next chunk.
    this.#rest = this.#rest.subarray(at === -1 ? Math.max(0, this.#rest.length - lengthName.length + 1) : at);
    return at !== -1;
  }
}
