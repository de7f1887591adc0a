/** What we promise of every answer, whatever it is; each hostile answer attacks one above all. */
export type HostilePromise =
  | 'does not block the event loop for over 200 ms'
  | 'takes under 200 MB'
  | 'does not contain the key'
  | 'one line'
  | 'ends within its bounds'
  | 'does not crash or change what is shared'
  | 'goes to no other origin';

/** A request that gets a hostile answer. */
export interface HostileAsk {
  readonly method: string;
  /** With the query, below the base URL. */
  readonly path: string;
  /** The key that came with it, or the marked one. */
  readonly key: string;
  /** Base URL of this answer. */
  readonly baseUrl: string;
}

/** What is written to the socket. The body is made while it is sent, so that the sender holds little. */
export interface HostileReply {
  readonly status: number;
  /** The reason phrase; may be anything, in latin1. */
  readonly reason?: string;
  /** Written as they are, unchecked, in latin1. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body: Iterable<string | Uint8Array>;
  /** `chunked` unless said; `close`: until the connection ends; `raw`: the body is all there is, with status line and headers. */
  readonly framing?: 'chunked' | 'close' | 'raw';
  /** Pause between the pieces of the body. */
  readonly pauseMs?: number;
}

/** An answer that a service should never give, by its name, with what it attacks. */
export interface HostileAnswer {
  /** Unique; says what comes and where. */
  readonly name: string;
  readonly attacks: HostilePromise;
  /** Which requests get it; the others get an empty page, or 201. */
  readonly to: 'GET' | 'POST' | 'both';
  /** `heavy`: megabytes, some seconds with all retries. */
  readonly weight: 'light' | 'heavy';
  reply(ask: HostileAsk): HostileReply;
}

const pieceBytes = 64 * 1024;

/** A text again and again until it has so many characters, in pieces. */
export function* filled(characters: number, text: string): Generator<string> {
  const piece = text.repeat(Math.max(1, Math.floor(pieceBytes / text.length)));
  let left = characters;
  for (; left >= piece.length; left -= piece.length) yield piece;
  if (left > 0) yield piece.slice(0, Math.floor(left / text.length) * text.length);
}

/** So many texts, each made of its number, with commas between them, in pieces. */
export function* listed(count: number, make: (index: number) => string): Generator<string> {
  let piece = '';
  for (let index = 0; index < count; index++) {
    piece += index === 0 ? make(index) : `,${make(index)}`;
    if (piece.length < pieceBytes) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** One body of several, lazily. */
export function* joined(...parts: readonly (string | Iterable<string>)[]): Generator<string> {
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else yield* part;
  }
}

/** A page of a list, contract 2.1, around items in JSON. */
export function pageAround(items: string | Iterable<string>, next = 'null'): Iterable<string> {
  const url = '"https://service.example/v2/transcription?offset=0&limit=20"';
  return joined(`{"first":${url},"current":${url},"next":${next},"items":[`, items, ']}');
}

/** An item as lists have it, contract 2.2, with fields in JSON put over it. */
export function itemText(index: number, fields: Readonly<Record<string, string>> = {}): string {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const own: Readonly<Record<string, string>> = {
    id: `"${id}"`,
    request_id: `"G-${index}"`,
    version: '1',
    status: '"done"',
    created_at: '"2026-03-14T15:09:26.535Z"',
    kind: '"pre-recorded"',
    ...fields,
  };
  return `{${Object.entries(own)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join(',')}}`;
}

/** `application/json`, as a header. */
export const asJson = [['content-type', 'application/json']] as const;
