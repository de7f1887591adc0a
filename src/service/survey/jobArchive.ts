import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { decodeJob } from '../../domain/jobs/decodeJob.ts';
import { isJobKind, type Job } from '../../domain/jobs/job.ts';
import { parseJson } from '../../domain/json/json.ts';
import { BoundedMap } from '../boundedMap.ts';

/** Items that are compressed together: fewer take more memory, more take longer to open one. */
const blockItems = 128;
/** In characters: a block of long items has fewer. */
const blockCharacters = 256 * 1024;
/** Memory for the texts of one board; further ones are not kept. */
const mostBytes = 192 * 1024 * 1024;
const openBlocks = 8;

/** The texts of jobs as received, compressed, so that jobs of a board can be opened, compared and saved without another request. */
export class JobArchive {
  readonly #blocks: { readonly firstRow: number; readonly bytes: Uint8Array }[] = [];
  readonly #open = new BoundedMap<number, readonly string[]>(openBlocks);
  #pending: string[] = [];
  #pendingLength = 0;
  #rows = 0;
  #bytes = 0;

  /** Keeps the text of the next row. */
  add({ raw }: Pick<Job, 'raw'>): void {
    this.#rows++;
    this.#pending.push(raw);
    this.#pendingLength += raw.length;
    if (this.#pending.length >= blockItems || this.#pendingLength >= blockCharacters) this.#close();
  }

  /** Compresses what is left. */
  finish(): void {
    if (this.#pending.length > 0) this.#close();
  }

  /**
   * The job of a row as it was received.
   * @param kind its kind, which the text need not tell
   * @returns undefined where its text was not kept
   */
  job(row: number, kind: string | undefined): Job | undefined {
    const raw = this.#textOf(row);
    if (raw === undefined || raw === '') return undefined;
    const entry = decodeJob(parseJson(raw), raw, isJobKind(kind) ? kind : undefined, () => undefined);
    return entry.type === 'job' ? entry : undefined;
  }

  #textOf(row: number): string | undefined {
    const firstPending = this.#rows - this.#pending.length;
    if (row >= firstPending) return this.#pending[row - firstPending];
    const place = this.#blocks.findLastIndex(({ firstRow }) => firstRow <= row);
    const block = this.#blocks[place];
    if (block === undefined) return undefined;
    let texts = this.#open.get(place);
    if (texts === undefined) {
      texts = block.bytes.length === 0 ? [] : inflateRawSync(block.bytes).toString('utf8').split('\0');
      this.#open.set(place, texts);
    }
    return texts[row - block.firstRow];
  }

  #close(): void {
    // JSON holds no character 0; a lone surrogate, which UTF-8 cannot express, stands escaped in JSON of services that send UTF-8.
    const bytes = this.#bytes < mostBytes ? deflateRawSync(this.#pending.join('\0')) : new Uint8Array(0);
    this.#blocks.push({ firstRow: this.#rows - this.#pending.length, bytes: Uint8Array.from(bytes) });
    this.#bytes += bytes.length;
    this.#pending = [];
    this.#pendingLength = 0;
  }
}
