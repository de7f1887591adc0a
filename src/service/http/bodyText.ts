/**
 * The text of a body. A byte order mark decides, then the charset of the content type, else it is UTF-8 (RFC 8259);
 * the mark is not part of the text. An unknown charset is read as UTF-8.
 */
export function bodyText(body: Uint8Array, contentType: string | undefined): string {
  const label = markedCharset(body) ?? /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return decoded(body, label);
}

function markedCharset(body: Uint8Array): string | undefined {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

function decoded(body: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
