/** Guarantees of the product for every response; each hostile response mainly attacks one of these. */
export type HostilePromise =
  | 'does not block the event loop for over 200 ms'
  | 'takes under 200 MB'
  | 'does not contain the key'
  | 'one line'
  | 'ends within its bounds'
  | 'does not crash or change what is shared'
  | 'goes to no other origin';

export const blocks = 'does not block the event loop for over 200 ms' satisfies HostilePromise;
export const memory = 'takes under 200 MB' satisfies HostilePromise;

/** In bytes. */
export const megabyte = 1024 * 1024;

/** A request that gets a hostile response. */
export interface HostileAsk {
  readonly method: string;
  /** With the query, relative to the base URL. */
  readonly path: string;
  /** The key sent with the request, or the marked key. */
  readonly key: string;
  /** Base URL of this response. */
  readonly baseUrl: string;
}

/** Data written to the socket. The body is generated while it is sent, so that the sender needs little memory. */
export interface HostileReply {
  readonly status: number;
  /** The reason phrase; any text, in latin1. */
  readonly reason?: string;
  /** Written without validation, in latin1. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body: Iterable<string | Uint8Array>;
  /** By default `chunked`; `close`: until the connection ends; `raw`: the body includes status line and headers. */
  readonly framing?: 'chunked' | 'close' | 'raw';
  /** Pause between the chunks of the body. */
  readonly pauseMs?: number;
}

/** A response that a service should never give, with a name and the guarantee that it attacks. */
export interface HostileAnswer {
  /** Unique; describes what is sent and where. */
  readonly name: string;
  readonly attacks: HostilePromise;
  /** The requests that get it; others get an empty page or 201. */
  readonly to: 'GET' | 'POST' | 'both';
  /** `heavy`: megabytes, some seconds with all retries. */
  readonly weight: 'light' | 'heavy';
  reply(ask: HostileAsk): HostileReply;
}

const pieceBytes = 64 * 1024;

/** Repeats a text up to a number of characters, in chunks. */
export function* filled(characters: number, text: string): Generator<string> {
  const piece = text.repeat(Math.max(1, Math.floor(pieceBytes / text.length)));
  let left = characters;
  for (; left >= piece.length; left -= piece.length) yield piece;
  if (left > 0) yield piece.slice(0, Math.floor(left / text.length) * text.length);
}

/** A number of comma-separated texts, each made from its index, in chunks. */
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

/** Concatenates bodies lazily. */
export function* joined(...parts: readonly (string | Iterable<string>)[]): Generator<string> {
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else yield* part;
  }
}

/** A list page as in contract 2.1, around items in JSON. */
export function pageAround(items: string | Iterable<string>, next = 'null'): Iterable<string> {
  const url = '"https://service.example/v2/transcription?offset=0&limit=20"';
  return joined(`{"first":${url},"current":${url},"next":${next},"items":[`, items, ']}');
}

/** A list item as in contract 2.2. `fields` are in JSON and override its own. */
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

export const asJson = [['content-type', 'application/json']] as const;
